"""The evaluation as inspect tasks: one sample is one dialog, played and scored.

Seen by `inspect eval benyfits_data/diverse` through the package's entry point, and run by
`benyfits-data eval`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

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
from inspect_ai.util import LimitExceededError, span

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.agents import (
    agent_path,
    check_players,
    find_agent,
    needs_par,
    play,
    used_roles,
)
from benyfits_data.evaluation.codegen.coding import Coder
from benyfits_data.evaluation.codegen.python_guest import prepare
from benyfits_data.evaluation.codegen.sandbox import Sandbox
from benyfits_data.evaluation.conversation import (
    BreakOffs,
    Conversation,
    InfrastructureError,
    describe_exception,
    format_traceback,
)
from benyfits_data.evaluation.model_calls import InspectModels, ServerState
from benyfits_data.evaluation.models import NO_READER, REFERENCE, ROLES, cast_role, is_model
from benyfits_data.evaluation.planned import (
    PlannedDialog,
    add_par,
    check_par,
    limit_of,
    load_rows,
    recognise,
)
from benyfits_data.evaluation.players.interpreters import (
    Interpreter,
    ReferenceCoder,
    ReferenceInterpreter,
)
from benyfits_data.evaluation.players.users import make_user
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.reading import DialogReading, make_reader
from benyfits_data.evaluation.record import RECORD, Dialog, Turn
from benyfits_data.evaluation.run_manifest import PLAYERS, describe_players, describe_run, digest
from benyfits_data.evaluation.run_options import DECIDED, PAPER, Options
from benyfits_data.evaluation.scoring import derive, faithfulness, judge_turn, pairs
from benyfits_data.household.model import Household
from benyfits_data.profiles.render import Register
from benyfits_data.recorded import find_dataset, known_par
from benyfits_data.rng import stream


def _task_of(name: str) -> Any:
    """The task that plays one of the benchmark's sets."""

    def build(
        agent: str = "proada",
        dataset: str | None = None,
        dialog: str | None = None,
        user: str | None = None,
        code: str | None = None,
        reader: str | None = None,
        prompts: str | None = None,
        seed: int = 0,
        texts: str = DECIDED,
        profiles: Register = "short",
        max_turns: str = PAPER,
    ) -> Task:
        """Return one of the benchmark's sets as a task.

        Args:
            agent: A bundled agent, `my_module:MyAgent` or `FILE.py:MyAgent`.
            dataset: The dataset file; the one in `output/`, or the recorded one, if not given.
            dialog: Who plays the dialog role: `reference` or a model; the evaluated one if not set.
            user: Who plays the user role: `reference`, `grounded`, `human` or a model; the
                evaluated one if not set.
            code: Who plays the code role: `reference` or a model.
            reader: Who reads what is not in our own words: `none` or a model; none if not set.
            prompts: Folder of prompts that replace ours.
            seed: Seed of the agents' random streams.
            texts: What agents read: `decided`, `plain`, or a file of texts.
            profiles: What the user reads: `short`, or `full` profiles.
            max_turns: How many questions a dialog may have: `paper`, or `par:K`.
        """
        path = Path(dataset) if dataset else find_dataset(name)
        rows = load_rows(path, texts, profiles)
        rows = add_par(rows, known_par(path))
        named = {"dialog": dialog, "user": user, "code": code, "reader": reader}
        options = Options(
            agent=agent,
            roles={role: player for role, player in named.items() if player},
            prompts=Path(prompts) if prompts else None,
            seed=seed,
            column=recognise(path, "ours"),
            max_turns=max_turns,
        )
        return build_task(name, rows, options, describe_run(name, rows, options))

    build.__name__ = name.replace("-", "_")
    return task(name=name)(build)


diverse = _task_of("diverse")
representative = _task_of("representative")
representative_25 = _task_of("representative-25")


def build_task(
    name: str,
    rows: Sequence[PlannedDialog],
    options: Options,
    manifest: Mapping[str, Any],
    breaks: BreakOffs | None = None,
) -> Task:
    """Return a task that plays some rows.

    Args:
        name: Name of the dataset.
        rows: The dialogs to play.
        options: How to play them; inspect decides who plays a role that they leave open.
        manifest: What the run is.
        breaks: Stops a run that is hopeless; all is played unless given.

    Raises:
        EvaluationError: There is no such agent, or it needs a model where none plays; or turns are
            limited by par, which rows lack.
    """
    check_players(options.agent, options.roles)
    if needs_par(options.agent):
        check_par(rows, f"--agent {options.agent}")
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
        solver=hold_dialog(name, options, manifest["roles"] or {}, breaks or BreakOffs()),
        scorer=[pairs(), faithfulness()],
        name=name,
        version=f"{manifest['version']}-{digest(manifest['dataset'])[:8]}-{manifest['scoring']}",
        metadata={"manifest": dict(manifest)},
    )


@solver
def hold_dialog(
    dataset: str, options: Options, described: Mapping[str, Any], breaks: BreakOffs
) -> Solver:
    """Return the solver that plays one dialog and leaves its record in the sample's store.

    Args:
        dataset: Its name.
        options: How to play.
        described: What is known of the players before the run.
        breaks: Is told how each dialog ends.
    """
    agent = options.agent
    templates = Prompts(options.prompts)
    make = find_agent(agent)
    used = used_roles(agent)
    servers = ServerState.of(described)
    path = agent_path(agent)
    equip, takes_row = getattr(make, "equip", None), getattr(make, "takes_row", False)
    knows_checkers = getattr(make, "knows_checkers", False)
    if equip:
        # Where no program can run nothing is played, rather than every dialog broken off.
        prepare()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        row = PlannedDialog(
            **{name: state.metadata[name] for name in PlannedDialog.__dataclass_fields__}
        )
        household = Household.from_facts(row.household, constrained=False)
        models, played = _choose_players(options.roles)
        players = {role: played[role] for role in used if played[role] != NO_READER}
        state.store.set(PLAYERS, describe_players(players, models))
        completer = InspectModels(models, servers, options.seed, state.epoch)
        reading = DialogReading(household, make_reader(played["reader"], completer))
        user = make_user(
            # What is given is given as it is, whoever answers other agents.
            REFERENCE if takes_row else played["user"],
            row.profile,
            reading,
            completer,
            templates,
        )

        def note(turn: Turn) -> None:
            reading.read_exactly(turn)
            judge_turn(turn, household)
            transcript().info(asdict(turn), source="turn")
            breaks.show(0)

        conversation = Conversation(
            row.programs,
            row.requirements,
            user,
            completer,
            templates,
            stream(options.seed, "evaluation", agent, row.id, state.epoch),
            row.edition,
            note,
            limit_of(row, options.max_turns),
        )
        sandbox = Sandbox()
        if equip:
            is_reference = played["code"] == REFERENCE
            coder = _reference_coder(row.edition) if is_reference else Coder(sandbox)
            player = equip(coder, _interpreter(played, row.edition), sandbox)
        elif knows_checkers:
            player = make(row.edition, _interpreter(played, row.edition))
        elif takes_row:
            player = make(row)
        else:
            player = make()
        # Inspect translates what an agent does for editors, but not what agents within it do.
        async with span(agent, type="agent"), span("dialog", type="agent"):
            with breaks.dialog(), sandbox:
                kind, why = "", ""
                try:
                    verdicts = await play(player, conversation)
                except (InfrastructureError, LimitExceededError):
                    raise
                except Exception as error:
                    # Whatever an agent or a reply brings about ends in a scored row that says so.
                    kind, traceback = type(error).__name__, format_traceback(error, path)
                    why = describe_exception(error)
                    conversation.fail(
                        "agent_failed", f"{conversation.stage}: {why}", traceback=traceback
                    )
                    verdicts = dict.fromkeys(row.programs, False)
                if not kind and conversation.verdicts_refused:
                    kind, why = "verdicts refused", conversation.verdicts_refused
            breaks.note(kind, why)
        try:
            await reading.read(conversation.turns)
        except InfrastructureError as error:
            # No verdict hangs on it, and `inspect score` can read the log again.
            conversation.fail("not_read", str(error))
        record = Dialog(
            household=row.id,
            dataset=dataset,
            agent=agent,
            roles=players,
            size=len(household.members),
            labels=dict(row.labels),
            verdicts=verdicts,
            trial=state.epoch,
            turns=conversation.turns,
            failures=conversation.failures,
            code=conversation.code,
            traces=conversation.traces,
            usage=dict(sorted(completer.usage.items())),
            edition=row.edition,
            contested=list(row.contested),
            weights=dict(row.weights),
            par=None if row.par is None else len(row.par),
        )
        derive(record, household)
        state.store.set(RECORD, record.to_record())
        for turn in conversation.turns:
            state.messages.append(ChatMessageAssistant(content=turn.question))
            state.messages.append(ChatMessageUser(content=turn.answer))
        state.output = ModelOutput.from_content(agent, json.dumps(verdicts, sort_keys=True))
        state.completed = True
        return state

    return solve


def _choose_players(roles: Mapping[str, str]) -> tuple[dict[str, Model], dict[str, str]]:
    """Return the models by role, and who plays each role by name."""
    models: dict[str, Model] = {}
    played: dict[str, str] = {}
    evaluated = None if all(role in roles for role in ROLES) else _evaluated_model()
    for role in ROLES:
        given: Any = model_roles().get(role)
        player = cast_role(role, roles.get(role), given, evaluated)
        if isinstance(player, str) and not is_model(role, player):
            played[role] = player
        else:
            models[role] = get_model(role=role, default=player)
            played[role] = str(models[role])
    return models, played


def _evaluated_model() -> Model | None:
    """Return the model named with `inspect eval --model`, with its address and settings."""
    try:
        evaluated = get_model()
    except ValueError:
        return None
    return None if str(evaluated).startswith("none") else evaluated


def _interpreter(played: Mapping[str, str], edition: int) -> Interpreter:
    if played["dialog"] == REFERENCE:
        return ReferenceInterpreter(load_edition(edition).programs)
    return Interpreter()


@cache
def _reference_coder(edition: int) -> ReferenceCoder:
    return ReferenceCoder(load_edition(edition).programs)
