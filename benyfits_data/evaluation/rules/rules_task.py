"""The task `rules`: a model turns each program's text into a function, and the verdict is a proof.

Seen by `inspect eval benyfits_data/rules`, and run by `benyfits-data eval --task rules`. One sample
is one program of one edition.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from benyfits_data.editions import DEFAULT_EDITION, Edition, Program, load_edition
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.codegen.checker_translation import translate
from benyfits_data.evaluation.codegen.coding import code_in
from benyfits_data.evaluation.model_calls import check_models
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.replies import final_text
from benyfits_data.evaluation.rules.program_runs import describe_facts, readable_facts
from benyfits_data.evaluation.run_options import LOGS, Options, make_models
from benyfits_data.household.features import FEATURES
from benyfits_data.language.ir import walk
from benyfits_data.language.symbolic_execution import HouseholdArgument, SymbolicExecutor
from benyfits_data.rng import stream

RECORD = "rules"
"""Where a sample's store keeps its record."""
TRIES = 3
"""Programs that are no Python, or define no function, before a model has none."""
BASELINES = ("reference", "always-yes", "always-no")

Texts = Literal["decided", "plain"]
Facts = Literal["needed", "all"]


@task
def rules(
    edition: int | None = None,
    texts: Texts = "decided",
    facts: Facts = "needed",
    feedback: int = 0,
    programs: str | None = None,
    player: str | None = None,
) -> Task:
    """Return the task.

    Args:
        edition: Year of the rules; the newest published one if not given.
        texts: `decided` texts define every term, `plain` ones are short as on a public page.
        facts: `needed`: the facts of the program and as many others; `all`: every fact.
        feedback: How many households that show a difference are given back, each for another try.
        programs: Names of programs, with commas; all if not given.
        player: A baseline in place of a model: `reference` (our checkers), `always-yes`,
            `always-no`.

    Raises:
        EvaluationError: There is no such program or baseline.
    """
    year = edition or DEFAULT_EDITION
    loaded = load_edition(year)
    names = [name.strip() for name in programs.split(",")] if programs else list(loaded.programs)
    for name in names:
        loaded.program(name)
    if player is not None and player not in BASELINES:
        raise EvaluationError(
            f"No baseline {player!r} writes rules. Expected one of {', '.join(BASELINES)}."
        )
    samples = [
        Sample(
            id=f"{name}-{year}",
            input=loaded.program(name).plain()
            if texts == "plain"
            else loaded.program(name).requirements(),
            target="equivalent",
            metadata={"program": name, "edition": year},
        )
        for name in names
    ]
    settings = {"edition": year, "texts": texts, "facts": facts, "feedback": feedback}
    return Task(
        dataset=MemoryDataset(samples, name=f"rules-{year}"),
        solver=write_functions(facts, feedback, player),
        scorer=proof(),
        name="rules",
        metadata={"rules": {**settings, "player": player, "programs": len(names)}},
    )


@solver
def write_functions(facts: Facts, feedback: int, player: str | None) -> Solver:
    """Return the solver that has one function written and judged, and leaves a record."""
    prompts = Prompts(None)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name, year = state.metadata["program"], state.metadata["edition"]
        edition = load_edition(year)
        program = edition.program(name)
        asked = prompts.render(
            "write_function",
            program=program.title,
            rules=str(state.input_text).strip(),
            facts=describe_facts(_facts_for(edition, name, facts)),
        )
        chat: list[ChatMessage] = [ChatMessageUser(content=asked)]
        model = None if player else get_model(role="code")
        tries = counterexamples = 0
        while True:
            source = await _write(model, player, program, chat)
            record = await _judged(name, year, source)
            verdict = record["verdict"]
            tries += verdict["status"] == "no_program"
            may_mend = {"no_program": tries < TRIES, "differs": counterexamples < feedback}
            if model is None or not may_mend.get(verdict["status"]):
                break
            counterexamples += verdict["status"] == "differs"
            chat += _again(prompts, source, verdict)
        state.store.set(RECORD, {**record, "counterexamples": counterexamples})
        state.messages = chat
        state.output = ModelOutput.from_content(str(model or player), source)
        state.completed = True
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def proof() -> Scorer:
    """Return the scorer: 1 for a program that is proven equivalent, 0 for any other.

    A sample whose solver left no record is judged by its output; its metadata names the program,
    and the edition if it is not the newest.
    """

    async def score(state: TaskState, target: Target) -> Score:
        record = state.store.get(RECORD)
        if record is None:
            name, year = state.metadata.get("program"), state.metadata.get("edition")
            if not isinstance(name, str):
                raise EvaluationError(
                    f"Sample {state.sample_id} does not say which program it is to decide. "
                    'Expected metadata such as {"program": "FairFaresNYC", "edition": 2026}.'
                )
            record = await _judged(name, year or DEFAULT_EDITION, _code_of(state.output))
        verdict = record["verdict"]
        return Score(
            value=1 if verdict["status"] == target.text else 0,
            answer=verdict["status"],
            explanation=verdict["failure"],
            metadata={"record": record},
        )

    return score


async def _judged(name: str, year: int, source: str) -> dict[str, Any]:
    # Not above: inspect loads this module for every task of ours, and proofs need more than others.
    from benyfits_data.evaluation.rules.rule_verdicts import (
        JudgedProgram,
        as_record,
        judge_program,
    )

    verdict = await anyio.to_thread.run_sync(judge_program, name, source, year)
    return as_record(JudgedProgram(name, name, source), verdict, year)


async def _write(
    model: Model | None, player: str | None, program: Program, chat: list[ChatMessage]
) -> str:
    """The text of a program: a model's, or a baseline's."""
    if model is not None:
        return _code_of(await model.generate(chat))
    if player == "reference":
        return translate(program.checker, program.thresholds, "typed")
    return f"def check(hh):\n    return {player == 'always-yes'}\n"


def _code_of(output: ModelOutput) -> str:
    return code_in(final_text(output.completion)) if output.choices else ""


def _again(prompts: Prompts, source: str, verdict: Mapping[str, Any]) -> list[ChatMessage]:
    """What the model wrote, and what is wrong with it."""
    asked = prompts.render(
        "write_function_again",
        error=verdict["failure"] if verdict["status"] == "no_program" else "",
        label=verdict["label"],
        answer=verdict["answer"],
        failure=verdict["failure"],
        household=verdict["household"] and describe_household(verdict["household"]),
    )
    return [
        ChatMessageAssistant(content=f"```python\n{source}```"),
        ChatMessageUser(content=asked),
    ]


def describe_household(given: Mapping[str, Any]) -> str:
    """Return a household as text: what differs from the default facts, a member a line."""
    lines = ["hh: " + _unusual(given)]
    lines += [
        f'hh["members"][{place}]: ' + _unusual(member)
        for place, member in enumerate(given["members"])
    ]
    return "\n".join(lines)


def _unusual(facts: Mapping[str, Any]) -> str:
    shown = [
        f"{name} {value!r}"
        for name, value in facts.items()
        if name in FEATURES
        and FEATURES[name].kind != "text"
        and (value != FEATURES[name].default or name in ("age", "relation"))
    ]
    return ", ".join(shown) or "nothing unusual"


def _facts_for(edition: Edition, name: str, facts: Facts) -> list[str]:
    """The facts that a model is told of: those of the program and as many others, or all."""
    readable = list(readable_facts())
    if facts == "all":
        return readable
    program = edition.program(name)
    ours = SymbolicExecutor().call(program.checker, (HouseholdArgument(), program.thresholds))
    needed = {str(node.fact[0]) for node in walk([ours.value]) if node.operation == "feature"}
    others = [fact for fact in readable if fact not in needed]
    drawn = stream(0, "rules", name).choice(others, min(len(needed), len(others)), replace=False)
    return [fact for fact in readable if fact in needed or fact in drawn]


def play_rules(options: Options, **settings: Any) -> Path:
    """Return the log of a played run.

    Args:
        options: Who plays the role `code`, and how often; our checkers where nobody does.
        settings: Arguments of `rules`.

    Raises:
        EvaluationError: A program could not be asked for, as where a server fails.
    """
    check_models(options, lambda warning: None)
    models = make_models(options)
    player = None if "code" in models else "reference"
    (log,) = inspect_eval(
        rules(player=player, **settings),
        model=None,
        model_roles=models or None,
        epochs=options.trials,
        log_dir=str(options.log_dir or LOGS / "rules"),
        max_samples=options.concurrency,
        display="none",
        log_level="error",
        fail_on_error=True,
    )
    if log.status != "success":
        why = log.error.message if log.error else log.status
        raise EvaluationError(f"The run ended early: {why}. Its log is {log.location}.")
    return Path(log.location)
