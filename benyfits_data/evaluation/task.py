"""The evaluation as inspect tasks: one sample is one dialog, played and scored.

Seen by `inspect eval benyfits_data/diverse` through the package's entry point, and run by
`benyfits-data eval`.
"""

import atexit
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import anyio
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
    check_track,
    make_agent,
    needs_par,
    play,
    used_roles,
)
from benyfits_data.evaluation.break_offs import (
    RemoteAgentError,
    current_run,
    describe_exception,
    format_traceback,
    kind_of,
)
from benyfits_data.evaluation.codegen.coding import Coder
from benyfits_data.evaluation.codegen.sandbox import Sandbox
from benyfits_data.evaluation.conversation import Conversation, InfrastructureError
from benyfits_data.evaluation.error_analysis import derive, find_acquittals, judge_turn, replay
from benyfits_data.evaluation.model_calls import InspectModels, ServerState
from benyfits_data.evaluation.models import NO_READER, REFERENCE, ROLES, cast_role, is_model
from benyfits_data.evaluation.planned import (
    PlannedDialog,
    check_par,
    limit_of,
    load_rows,
    recognise,
)
from benyfits_data.evaluation.players.interpreter import Interpreter
from benyfits_data.evaluation.players.reference_players import ReferenceCoder, ReferenceInterpreter
from benyfits_data.evaluation.players.users import make_user
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.record import RECORD, Dialog, Turn
from benyfits_data.evaluation.recorded import find_dataset
from benyfits_data.evaluation.row_par import add_par, known_par, needed_tracks
from benyfits_data.evaluation.run_manifest import SET_BY_INSPECT, describe_run, digest
from benyfits_data.evaluation.run_options import DECIDED, PAPER, Options
from benyfits_data.evaluation.scoring import faithfulness, pairs
from benyfits_data.evaluation.turn_reading import Style, TurnReader, make_reader
from benyfits_data.household.model import Household
from benyfits_data.par.tracks import Track
from benyfits_data.profiles.render import Register
from benyfits_data.rng import stream

_OPEN = ExitStack()
atexit.register(_OPEN.close)


def _task_of(name: str) -> Any:
    """The task that plays one of the benchmark's sets."""

    def build(
        agent: str = "proada",
        dataset: str | None = None,
        dialog: str | None = None,
        user: str | None = None,
        code: str | None = None,
        reader: str | None = None,
        proven: bool = False,
        style: Style = "plain",
        prompts: str | None = None,
        seed: int = 0,
        texts: str = DECIDED,
        profiles: Register = "short",
        questions: Track | None = None,
        max_turns: str = PAPER,
    ) -> Task:
        """Return one of the benchmark's sets as a task.

        Args:
            agent: A bundled agent or `my_module:MyAgent`.
            dataset: The dataset file; the one in `output/`, or the recorded one, if not given.
            dialog: Who plays the dialog role: `reference` or a model; the evaluated one if not set.
            user: Who plays the user role: `reference`, `grounded`, `human` or a model; the
                evaluated one if not set.
            code: Who plays the code role: `reference` or a model.
            reader: Who reads what is not in our own words: `none` or a model; the user's model if
                not set.
            proven: Whether what a user model says is held against the household before it is sent.
            style: The manner of speaking of a grounded or proven user.
            prompts: Folder of prompts that replace ours.
            seed: Seed of the agents' random streams.
            texts: What agents read: `decided`, `plain`, or a file of texts.
            profiles: What the user reads: `short`, or `full` profiles.
            questions: What one question of the planner may ask: `one`, `roster`, `who` or `all`.
            max_turns: How many questions a dialog may have: `paper`, or `par:K`.
        """
        path = Path(dataset) if dataset else find_dataset(name)
        rows = load_rows(path, texts, profiles)
        rows = add_par(rows, known_par(path), needed_tracks(agent, max_turns, questions))
        named = {"dialog": dialog, "user": user, "code": code, "reader": reader}
        options = Options(
            agent=agent,
            roles={role: player for role, player in named.items() if player},
            prompts=Path(prompts) if prompts else None,
            seed=seed,
            column=recognise(path, "ours", rows),
            questions=questions,
            max_turns=max_turns,
            is_proven=proven,
            style=style,
        )
        players: dict[str, dict[str, Any]] = {
            role: {"model": player or SET_BY_INSPECT, "address": SET_BY_INSPECT}
            for role, player in named.items()
        }
        players["user"] |= {"is_proven": proven, "style": style}
        return build_task(name, rows, options, describe_run(name, rows, options, players))

    build.__name__ = name.replace("-", "_")
    return task(name=name)(build)


diverse = _task_of("diverse")
representative = _task_of("representative")
representative_25 = _task_of("representative-25")


def build_task(
    name: str, rows: Sequence[PlannedDialog], options: Options, manifest: Mapping[str, Any]
) -> Task:
    """Return a task that plays some rows.

    Args:
        name: Name of the dataset.
        rows: The dialogs to play.
        options: How to play them; inspect decides who plays a role that they leave open.
        manifest: What the run is.

    Raises:
        EvaluationError: There is no such agent, or it needs a model where none plays; or turns are
            limited by par, which rows lack.
    """
    check_players(options.agent, options.roles)
    check_track(options.agent, options.questions)
    if needs_par(options.agent):
        check_par(rows, "one", f"--agent {options.agent}")
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
        solver=hold_dialog(name, options, manifest["roles"]),
        scorer=[pairs(), faithfulness()],
        name=name,
        version=f"{manifest['version']}-{digest(manifest['dataset'])[:8]}-{manifest['scoring']}",
        metadata={"manifest": dict(manifest)},
    )


@solver
def hold_dialog(dataset: str, options: Options, players: Mapping[str, Any]) -> Solver:
    """Return the solver that plays one dialog and leaves its record in the sample's store."""
    agent, track = options.agent, options.questions
    templates = Prompts(options.prompts)
    make = make_agent(agent)
    used = used_roles(agent)
    servers = ServerState.of(players)
    path = agent_path(agent)
    equip, takes_row = getattr(make, "equip", None), getattr(make, "takes_row", False)
    if equip:
        # Without a sandbox nothing is played, rather than every dialog broken off.
        _sandbox()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        row = PlannedDialog(
            **{name: state.metadata[name] for name in PlannedDialog.__dataclass_fields__}
        )
        household = Household.from_facts(row.household, constrained=False)
        breaks = current_run()
        models, played = _choose_players(options.roles)
        completer = InspectModels(models, servers, options.seed, state.epoch)
        reading = TurnReader(household, make_reader(played["reader"], completer))
        user = make_user(
            # What is given is given as it is, whoever answers other agents.
            REFERENCE if takes_row else played["user"],
            row.profile,
            household,
            reading,
            completer,
            templates,
            is_proven=options.is_proven,
            style=options.style,
        )

        async def read(turn: Turn, turns: Sequence[Turn]) -> None:
            await reading.read(turn, turns)
            turn.faithfulness = judge_turn(turn, household)
            transcript().info(asdict(turn), source="turn")

        conversation = Conversation(
            row.programs,
            row.requirements,
            user,
            completer,
            templates,
            stream(options.seed, "evaluation", agent, row.id, state.epoch),
            row.edition,
            read,
            limit_of(row, options.max_turns, track),
        )
        if equip:
            player = equip(*_helpers(played, row.edition))
        elif track:
            player = make(row.edition, track, _interpreter(played, row.edition))
        elif takes_row:
            player = make(row)
        else:
            player = make()
        # Inspect translates what an agent does for editors, but not what agents within it do.
        async with span(agent, type="agent"), span("dialog", type="agent"):
            with breaks.dialog():
                kind = ""
                try:
                    with anyio.fail_after(options.max_seconds):
                        verdicts = await play(player, conversation)
                except (InfrastructureError, LimitExceededError):
                    raise
                except Exception as error:
                    # Whatever an agent or a reply brings about ends in a scored row that says so.
                    kind, traceback = kind_of(error), format_traceback(error, path)
                    is_remote = isinstance(error, RemoteAgentError)
                    what = str(error) if is_remote else describe_exception(error)
                    if isinstance(error, TimeoutError):
                        what = f"the dialog took over {options.max_seconds} seconds (--max-seconds)"
                    conversation.fail(
                        "agent_failed", f"{conversation.stage}: {what}", traceback=traceback
                    )
                    verdicts = dict.fromkeys(row.programs, False)
            breaks.note(kind)
        record = Dialog(
            household=row.id,
            dataset=dataset,
            agent=agent,
            roles={role: played[role] for role in used if played[role] != NO_READER},
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
            flips={name: list(options) for name, options in row.flips.items()},
            weights=dict(row.weights),
            par=None if (forcing := row.par.get(track or "one")) is None else len(forcing),
        )
        derive(record, household)
        record.replay = await replay(record, conversation, player, household, reading)
        record.acquitted = find_acquittals(record)
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
        user = models.get("user", REFERENCE)
        player = cast_role(role, roles.get(role), given, evaluated, user)
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


def _helpers(played: Mapping[str, str], edition: int) -> tuple[Coder, Interpreter, Sandbox]:
    pool = _sandbox()
    coder = _reference_coder(edition) if played["code"] == REFERENCE else Coder(pool)
    return coder, _interpreter(played, edition), pool


def _interpreter(played: Mapping[str, str], edition: int) -> Interpreter:
    if played["dialog"] == REFERENCE:
        return ReferenceInterpreter(load_edition(edition).programs)
    return Interpreter()


@cache
def _reference_coder(edition: int) -> ReferenceCoder:
    return ReferenceCoder(load_edition(edition).programs, _sandbox())


@cache
def _sandbox() -> Sandbox:
    return _OPEN.enter_context(Sandbox())
