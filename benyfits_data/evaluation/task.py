"""The evaluation as inspect tasks: one sample is one dialog, played and scored.

Seen by `inspect eval benyfits_data/diverse` through the package's entry point, and run by
`benyfits-data eval`.
"""

import atexit
import json
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict
from functools import cache
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    Model,
    ModelOutput,
    get_model,
    model_roles,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import span

from benyfits_data.editions import load_edition
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents import find_agent, used_roles
from benyfits_data.evaluation.agents.loop import play
from benyfits_data.evaluation.coding import Coder, ModelCoder
from benyfits_data.evaluation.conversation import Conversation, User
from benyfits_data.evaluation.dialog import RECORD, Dialog
from benyfits_data.evaluation.interpreting import Interpreter, ModelInterpreter
from benyfits_data.evaluation.models import (
    DEFAULTS,
    HUMAN,
    REFERENCE,
    ROLES,
    InspectModels,
    count_usage,
    is_model,
)
from benyfits_data.evaluation.precedence import Line
from benyfits_data.evaluation.progress import report_dialog
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.reference import (
    ReferenceCoder,
    ReferenceInterpreter,
    ReferenceUser,
)
from benyfits_data.evaluation.rows import PlayedRow, load_rows
from benyfits_data.evaluation.sandbox import Sandbox
from benyfits_data.evaluation.scoring import pairs
from benyfits_data.evaluation.user import HumanUser, ModelUser, check_turns
from benyfits_data.household.model import Household
from benyfits_data.streams import stream


@task
def diverse(
    agent: str = "proada",
    dataset: str = "output/diverse.jsonl",
    dialog: str | None = None,
    user: str | None = None,
    code: str | None = None,
    prompts: str | None = None,
    seed: int = 0,
) -> Task:
    """Return the Diverse set as a task.

    Args:
        agent: A bundled agent or `my_module:MyAgent`.
        dataset: The dataset file.
        dialog: Who plays the dialog role: `reference` or a model; the evaluated model if not given.
        user: Who plays the user role: `reference`, `human` or a model.
        code: Who plays the code role: `reference` or a model.
        prompts: Folder of prompts that replace ours.
        seed: Seed of the agents' random streams.
    """
    return build_task(
        "diverse", load_rows(Path(dataset)), agent, _roles(dialog, user, code), prompts, seed
    )


@task
def representative(
    agent: str = "proada",
    dataset: str = "output/representative.jsonl",
    dialog: str | None = None,
    user: str | None = None,
    code: str | None = None,
    prompts: str | None = None,
    seed: int = 0,
) -> Task:
    """Return the Representative set as a task.

    Args:
        agent: A bundled agent or `my_module:MyAgent`.
        dataset: The dataset file.
        dialog: Who plays the dialog role: `reference` or a model; the evaluated model if not given.
        user: Who plays the user role: `reference`, `human` or a model.
        code: Who plays the code role: `reference` or a model.
        prompts: Folder of prompts that replace ours.
        seed: Seed of the agents' random streams.
    """
    rows = load_rows(Path(dataset))
    return build_task("representative", rows, agent, _roles(dialog, user, code), prompts, seed)


def build_task(
    name: str,
    rows: list[PlayedRow],
    agent: str,
    roles: Mapping[str, str | None],
    prompts: str | None = None,
    seed: int = 0,
) -> Task:
    """Return a task that plays some rows.

    Args:
        name: Name of the dataset.
        rows: The dialogs to play.
        agent: A bundled agent or `my_module:MyAgent`.
        roles: Who plays each role; `None` where inspect decides.
        prompts: Folder of prompts that replace ours.
        seed: Seed of the agents' random streams.

    Raises:
        EvaluationError: There is no such agent, or it needs a model where none plays.
    """
    if agent in ("direct", "react") and roles.get("dialog") == REFERENCE:
        raise EvaluationError(
            f"--agent {agent} lets the dialog model decide, which the reference player cannot. "
            "Choose a model with --dialog-model, or --agent proada.",
            agent=agent,
        )
    samples = [
        Sample(
            id=row.id,
            input="Interested in: " + ", ".join(row.programs),
            target=json.dumps(dict(row.labels), sort_keys=True),
            metadata={**asdict(row), "size": len(row.household["members"])},
        )
        for row in rows
    ]
    return Task(
        dataset=MemoryDataset(samples, name=name),
        solver=hold_dialog(name, agent, dict(roles), prompts, seed),
        scorer=pairs(),
        name=name,
        metadata={"agent": agent, "roles": list(used_roles(agent))},
    )


@solver
def hold_dialog(
    dataset: str, agent: str, roles: dict[str, str | None], prompts: str | None, seed: int
) -> Solver:
    """Return the solver that plays one dialog and leaves its record in the sample's store.

    Args:
        dataset: Name of the dataset.
        agent: The agent.
        roles: Who plays each role; `None` where inspect decides.
        prompts: Folder of prompts that replace ours.
        seed: Seed of the agent's random stream.
    """
    templates = Prompts(Path(prompts) if prompts else None)
    make = find_agent(agent)
    used = used_roles(agent)
    line = Line()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        row = PlayedRow(**{name: state.metadata[name] for name in PlayedRow.__dataclass_fields__})
        household = Household.from_facts(row.household, constrained=False)
        models, played = _cast(roles)
        completer = InspectModels(models)
        conversation = Conversation(
            row.programs,
            row.requirements,
            _user(played["user"], row, household, completer, templates),
            completer,
            templates,
            stream(seed, "evaluation", agent, row.id, state.epoch),
        )
        equip = getattr(make, "equip", None)
        player = equip(*_helpers(played, row.edition)) if equip else make()
        in_turn = line.dialog(row.likely_length) if models else nullcontext()
        # Inspect translates what an agent does for editors, but not what agents within it do.
        async with span(agent, type="agent"), span("dialog", type="agent"), in_turn:
            verdicts = await play(player, conversation)
        check_turns(conversation.turns, household)
        record = Dialog(
            household=row.id,
            dataset=dataset,
            agent=agent,
            roles={role: played[role] for role in used},
            size=len(household.members),
            labels=dict(row.labels),
            verdicts=verdicts,
            trial=state.epoch,
            turns=conversation.turns,
            failures=conversation.failures,
            code=conversation.code,
            traces=conversation.traces,
            usage=count_usage(list(transcript().events)),
            edition=row.edition,
        )
        state.store.set(RECORD, record.to_record())
        for turn in conversation.turns:
            state.messages.append(ChatMessageAssistant(content=turn.question))
            state.messages.append(ChatMessageUser(content=turn.answer))
        state.output = ModelOutput.from_content(agent, json.dumps(verdicts, sort_keys=True))
        state.completed = True
        report_dialog(record)
        return state

    return solve


def _roles(dialog: str | None, user: str | None, code: str | None) -> dict[str, str | None]:
    return {"dialog": dialog, "user": user, "code": code}


def _cast(roles: Mapping[str, str | None]) -> tuple[dict[str, Model], dict[str, str]]:
    """Return the models by role, and who plays each role by name."""
    models: dict[str, Model] = {}
    played: dict[str, str] = {}
    for role in ROLES:
        name = roles.get(role)
        if name is None and role not in model_roles():
            name = _evaluated_model() if role == "dialog" else DEFAULTS[role]
        if name is not None and not is_model(role, name):
            played[role] = name
            continue
        models[role] = get_model(role=role, default=name)
        played[role] = str(models[role])
    return models, played


def _evaluated_model() -> str:
    """Return the model named with `inspect eval --model`, or our default without one."""
    try:
        name = str(get_model())
    except ValueError:
        return DEFAULTS["dialog"]
    return DEFAULTS["dialog"] if name.startswith("none") else name


def _user(
    name: str, row: PlayedRow, household: Household, models: InspectModels, prompts: Prompts
) -> User:
    if name == REFERENCE:
        return ReferenceUser(household)
    if name == HUMAN:
        return HumanUser(row.profile)
    return ModelUser(row.profile, models, prompts)


def _helpers(played: Mapping[str, str], edition: int) -> tuple[Coder, Interpreter, Sandbox]:
    pool = _sandbox()
    coder: Coder = _reference_coder(edition) if played["code"] == REFERENCE else ModelCoder(pool)
    is_reference = played["dialog"] == REFERENCE
    interpreter: Interpreter = (
        ReferenceInterpreter(load_edition(edition).programs) if is_reference else ModelInterpreter()
    )
    return coder, interpreter, pool


@cache
def _reference_coder(edition: int) -> ReferenceCoder:
    return ReferenceCoder(load_edition(edition).programs, _sandbox())


@cache
def _sandbox() -> Sandbox:
    pool = Sandbox()
    pool.__enter__()
    atexit.register(pool.__exit__, None, None, None)
    return pool
