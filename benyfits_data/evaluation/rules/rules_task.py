"""The task `rules`: a model turns each program's text into a function, and the verdict is a proof.

Seen by `inspect eval benyfits_data/rules`, and run by `benyfits-data eval --task rules`. One sample
is one program of one edition.
"""

import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import read_eval_log
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

from benyfits_data.editions import DEFAULT_EDITION, Edition, load_edition
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.codegen.checker_translation import translate
from benyfits_data.evaluation.codegen.coding import code_in
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.replies import final_text
from benyfits_data.evaluation.rules.given_facts import describe_facts, readable_facts
from benyfits_data.evaluation.rules.rule_verdicts import RuleJudge, RuleVerdict
from benyfits_data.evaluation.run_options import LOGS, Options, make_models
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.features import FEATURES
from benyfits_data.language.ir import walk
from benyfits_data.language.symbolic_execution import HouseholdArgument, SymbolicExecutor
from benyfits_data.population.synthesis import synthesize
from benyfits_data.rng import stream

RECORD = "rules"
"""Where a sample's store keeps its record."""
TRIES = 3
"""Programs that are no Python, or define no function, before a model has none."""
CITY = 20_000
"""Households of the synthetic city on which differences are counted."""
TRIALS = 2_000
"""Households on which a program is run that cannot be read."""
BASELINES = ("reference", "always-yes", "always-no")

Texts = Literal["decided", "plain"]
Facts = Literal["needed", "all"]


@dataclass
class RuleRecord:
    """What a model made of one program.

    Attributes:
        program: The benefit program.
        edition: The year of its rules.
        clauses: How many clauses its text has.
        source: The last program that the model wrote.
        verdict: The verdict on it.
        first: The status of the verdict before any feedback.
        tries: Programs that could not be used, before the first that could.
        counterexamples: Households given back before the last program.
    """

    program: str
    edition: int
    clauses: int
    source: str = ""
    verdict: dict[str, Any] = field(default_factory=dict)
    first: str = ""
    tries: int = 0
    counterexamples: int = 0


@task
def rules(
    edition: int | None = None,
    texts: Texts = "decided",
    facts: Facts = "needed",
    feedback: int = 0,
    programs: str | None = None,
    player: str | None = None,
    city: int = CITY,
    text: str | None = None,
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
        city: Households of the synthetic city on which differences are counted; 0 for none.
        text: A text to stand in for that of the one program.

    Raises:
        EvaluationError: There is no such program or baseline, a text for several programs, or an
            empty one.
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
    if text is not None and len(names) != 1:
        raise EvaluationError(f"One text for {len(names)} programs. Name the one it is of.")
    if text is not None and not text.strip():
        raise EvaluationError("The text is empty: expected a program's requirements in words.")
    samples = [
        Sample(
            id=f"{name}-{year}",
            input=_text(loaded, name, texts) if text is None else text,
            target="equivalent",
            metadata={"program": name, "edition": year},
        )
        for name in names
    ]
    settings = {"edition": year, "texts": texts, "facts": facts, "feedback": feedback}
    return Task(
        dataset=MemoryDataset(samples, name=f"rules-{year}"),
        solver=write_functions(facts, feedback, player, city),
        scorer=proof(),
        name="rules",
        metadata={"rules": {**settings, "player": player, "programs": len(names)}},
    )


@solver
def write_functions(facts: Facts, feedback: int, player: str | None, city: int) -> Solver:
    """Return the solver that has one function written and judged, and leaves a record."""
    prompts = Prompts(None)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name, year = state.metadata["program"], state.metadata["edition"]
        edition = load_edition(year)
        program = edition.program(name)
        record = RuleRecord(name, year, len(program.clauses))
        asked = prompts.render(
            "write_function",
            program=program.title,
            rules=str(state.input_text).strip(),
            facts=describe_facts(_facts_for(edition, name, facts)),
        )
        chat: list[ChatMessage] = [ChatMessageUser(content=asked)]
        model = None if player else get_model(role="code")
        while True:
            source = await _write(model, player, edition, name, chat)
            record.source = source
            verdict = await anyio.to_thread.run_sync(_judge, year, city, name, source)
            record.verdict = asdict(verdict)
            if verdict.status == "no_program" and model is not None:
                record.tries += 1
                if record.tries < TRIES:
                    chat += _again(prompts, source, verdict)
                    continue
            record.first = record.first or verdict.status
            if verdict.status != "differs" or model is None or record.counterexamples == feedback:
                break
            record.counterexamples += 1
            chat += _again(prompts, source, verdict)
        state.store.set(RECORD, asdict(record))
        state.messages = chat
        state.output = ModelOutput.from_content(str(model or player), record.source)
        state.completed = True
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def proof() -> Scorer:
    """Return the scorer: 1 for a program that is proven equivalent, 0 for any other."""

    async def score(state: TaskState, target: Target) -> Score:
        record: Mapping[str, Any] = state.store.get(RECORD) or {}
        verdict = record.get("verdict") or {}
        status = verdict.get("status", "no_program")
        return Score(
            value=1 if status == target.text else 0,
            answer=status,
            explanation=verdict.get("failure") or verdict.get("mistake") or "",
            metadata={"record": dict(record)},
        )

    return score


def _text(edition: Edition, name: str, texts: Texts) -> str:
    program = edition.program(name)
    return program.plain() if texts == "plain" else program.requirements()


async def _write(
    model: Model | None, player: str | None, edition: Edition, name: str, chat: list[ChatMessage]
) -> str:
    """The text of a program: a model's, or a baseline's."""
    if model is None:
        if player == "reference":
            program = edition.program(name)
            return translate(program.checker, program.thresholds, "typed")
        return f"def check(hh):\n    return {player == 'always-yes'}\n"
    output = await model.generate(chat)
    return code_in(final_text(output.completion) if output.choices else "")


def _again(prompts: Prompts, source: str, verdict: RuleVerdict) -> list[ChatMessage]:
    """What the model wrote, and what is wrong with it."""
    asked = prompts.render(
        "write_function_again",
        error=verdict.failure if verdict.status == "no_program" else "",
        label=verdict.label,
        answer=verdict.answer,
        failure=verdict.failure,
        household=verdict.household and describe_household(verdict.household),
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


_PROOFS = threading.Lock()
"""The solver takes one question at a time."""


def _judge(year: int, city: int, name: str, source: str) -> RuleVerdict:
    with _PROOFS:
        return _judge_of(year, city).judge(name, source)


@cache
def _judge_of(year: int, city: int) -> RuleJudge:
    edition = load_edition(year)
    households = synthesize(city, 0) if city else None
    return RuleJudge(edition, households, sample_households(TRIALS, edition, 0))


def play_rules(options: Options, **settings: Any) -> Path:
    """Return the log of a played run.

    Args:
        options: Who plays the role `code`, and how often; our checkers where nobody does.
        settings: Arguments of `rules`.

    Raises:
        EvaluationError: A program could not be asked for, as where a server fails.
    """
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


def read_records(log: Path) -> list[dict[str, Any]]:
    """Return the records that a run left, a program each; see `RuleRecord`."""
    samples = read_eval_log(str(log)).samples or []
    return [sample.store[RECORD] for sample in samples if RECORD in sample.store]


def describe_change(record: Mapping[str, Any]) -> str:
    """Return how a program differs from the edition's checker, and for whom, as text."""
    verdict = record["verdict"]
    lines = [f"Beside {record['program']} of {record['edition']}: "]
    lines[0] += verdict["status"].replace("_", " ")
    lines += [f"{key}: {verdict[key]}" for key in ("reading", "failure") if verdict[key]]
    if verdict["city_share"] is not None:
        low, high = verdict["city_interval"]
        share = f"{verdict['city_share']:.2%} ({low:.2%} to {high:.2%})"
        lines.append(f"share of the city decided otherwise: {share}")
    if verdict["household"]:
        clauses = ", ".join(verdict["clauses"]) or "none"
        lines.append(f"the edition says {verdict['label']}, by clauses {clauses}; ")
        lines[-1] += f"the draft says {verdict['answer']}, at line {verdict['line']}, of"
        lines.append(describe_household(verdict["household"]))
    return "\n".join(lines)
