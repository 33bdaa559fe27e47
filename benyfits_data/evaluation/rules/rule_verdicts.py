"""The verdict on a program that a model wrote from a text: run first, then proven."""

import csv
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import DEFAULT_EDITION, Edition, Program, load_edition
from benyfits_data.errors import BenyfitsError, EvaluationError, LanguageError
from benyfits_data.evaluation.rules.formula_reader import FunctionFormula, read_function
from benyfits_data.evaluation.rules.program_runs import (
    FIRST,
    ProgramOutcome,
    ProgramRuns,
    batches,
    give_facts,
    pack,
)
from benyfits_data.evaluation.rules.trial_households import (
    TrialHouseholds,
    draw_trials,
    reduce_household,
)
from benyfits_data.household.model import Household
from benyfits_data.intervals import wilson
from benyfits_data.language.explain import explain
from benyfits_data.language.ir import Node
from benyfits_data.language.reading_labels import options_of
from benyfits_data.language.symbolic_execution import HouseholdArgument
from benyfits_data.language.z3_backend import World
from benyfits_data.parallel import run_tasks

Status = Literal["equivalent", "equivalent_under_reading", "differs", "no_difference", "no_program"]
EFFORT = 100_000_000
"""What the solver may spend on one question, half a minute: honest programs take a hundredth."""
UNSTEADY = "answers differ from call to call"
COLUMNS = ("name", "program", "source")
_ALONE = threading.Lock()
"""The solver takes one question at a time."""


@dataclass(frozen=True)
class RuleVerdict:
    """What is known of one program.

    Attributes:
        program: The benefit program it is to decide.
        status: `equivalent`: no possible household of up to six members is decided otherwise, and
            the program never fails, both proven; `equivalent_under_reading`: so under another
            reading that the source leaves open; `differs`: a household shows it;
            `no_difference`: none of those that it ran on does, and nothing is proven;
            `no_program`: there is nothing to run.
        reading: The reading and option under which it is equivalent, or shows no difference.
        household: The smallest household found that shows a difference, its facts typed.
        label: Our answer for it.
        answer: The program's answer, Python's own; `None` where it failed.
        failure: Why it failed, or why nothing is proven.
        clauses: The clauses of the text that decide ours.
        line: The line of the program that decided.
        city_share: The share of the city's households on which the two differ.
        city_interval: Its 95% interval (Wilson).
        n_households: On how many households it ran.
    """

    program: str
    status: Status
    reading: str = ""
    household: Mapping[str, Any] | None = None
    label: bool | None = None
    answer: bool | None = None
    failure: str = ""
    clauses: tuple[str, ...] = ()
    line: int | None = None
    city_share: float | None = None
    city_interval: tuple[float, float] | None = None
    n_households: int = 0

    @property
    def is_proven(self) -> bool:
        """Whether it holds for all possible households, not only for those it ran on."""
        return self.status in ("equivalent", "equivalent_under_reading")


@dataclass
class RuleJudge:
    """Judges programs for one edition: `check`, given a household's facts, says True or False.

    Args:
        edition: Whose checkers are the measure.
        trials: Households on which every program runs; those of `draw_trials` unless given.
    """

    edition: Edition
    trials: TrialHouseholds | None = None
    _labels: dict[Node, NDArray[np.int_]] = field(default_factory=dict, init=False)

    @cached_property
    def world(self) -> World:
        """All possible households."""
        return World(EFFORT)

    @cached_property
    def households(self) -> TrialHouseholds:
        """The households on which every program runs."""
        return draw_trials(self.edition) if self.trials is None else self.trials

    def judge(self, name: str, source: str) -> RuleVerdict:
        """Return the verdict on a program, which runs in the sandbox and nowhere else.

        Args:
            name: The benefit program.
            source: The text of what a model wrote.
        """
        return _Case(self, self.edition.program(name), source).verdict()

    def labels(self, formula: Node) -> NDArray[np.int_]:
        """Return the answers of a formula for the trial households, 0 or 1."""
        if formula not in self._labels:
            (answers,) = self.households.masks([formula])
            self._labels[formula] = answers.astype(int)
        return self._labels[formula]


@dataclass
class _Case:
    """One program before the judge."""

    judge: RuleJudge
    program: Program
    source: str

    def verdict(self) -> RuleVerdict:
        """Return the verdict."""
        trials = self.judge.households
        with ProgramRuns(self.source) as runs:
            if runs.no_program:
                return self._says("no_program", failure=runs.no_program)
            outcomes = self._run(runs)
            self.n = len(outcomes)
            # The households that a program left out, as it was stopped, say nothing of others.
            is_whole = self.n == len(trials) and not runs.was_stopped
            again = runs.outcomes(trials.second if is_whole else [])
            for place, outcome in zip(trials.again, again, strict=False):
                if outcome.verdict is not outcomes[place].verdict:
                    household = trials.table.household(place)
                    is_right = outcome.verdict is self.program.is_eligible(household)
                    wrong = outcomes[place] if is_right else outcome
                    return self._differs(household, wrong.verdict, failure=UNSTEADY)
            answers = np.array([{True: 1, False: 0, None: -1}[entry.verdict] for entry in outcomes])
            differs = answers != self.judge.labels(self._ours(self.program))[: self.n]
            first = int(np.argmax(differs))
            household, outcome = trials.table.household(first), outcomes[first]
            if not differs.any():
                proof = self._proof(runs, self.program)
                if isinstance(proof, RuleVerdict):
                    return proof
                return self._shown(runs, proof, runs.one(pack(proof)))
            city = self._share(differs) if is_whole else {}
            for reading, option in options_of(self.program, scored=True) if is_whole else ():
                other = self.program.under(reading.id, option.id)
                if np.array_equal(answers, self.judge.labels(self._ours(other))):
                    words = f"{reading.id}: {option.id}"
                    proof = self._proof(runs, other, reading=words, **city)
                    if isinstance(proof, RuleVerdict):
                        return proof
            return self._shown(runs, household, outcome, **city)

    n = 0

    def _says(self, status: Status, **what: Any) -> RuleVerdict:
        return RuleVerdict(self.program.name, status, n_households=self.n, **what)

    def _ours(self, program: Program) -> Node:
        executor = self.judge.world.executor
        return executor.call(program.checker, (HouseholdArgument(), program.thresholds)).value

    def _run(self, runs: ProgramRuns) -> list[ProgramOutcome]:
        """What the program makes of the households, up to the first that stops it."""
        outcomes: list[ProgramOutcome] = []
        for outcome in runs.outcomes(self.judge.households.batches):
            outcomes.append(outcome)
            is_hopeless = len(outcomes) == FIRST and all(
                past_outcome.verdict is None for past_outcome in outcomes
            )
            if runs.was_stopped or is_hopeless:
                break
        return outcomes

    # Differences

    def _differs(self, household: Household, answer: bool | None, **what: Any) -> RuleVerdict:
        return self._says(
            "differs",
            household=give_facts(household),
            label=self.program.is_eligible(household),
            answer=answer,
            clauses=explain(self.program, household).clauses,
            **what,
        )

    def _shown(
        self, runs: ProgramRuns, household: Household, outcome: ProgramOutcome, **city: Any
    ) -> RuleVerdict:
        """The verdict on a program that decides a household otherwise, or fails for it."""

        def differs(household: Household) -> bool:
            (outcome,) = runs.outcomes(batches([pack(household)]))
            return outcome.verdict is not self.program.is_eligible(household)

        if not runs.was_stopped:
            household = reduce_household(household, differs)
            outcome = runs.one(pack(household))
        is_steady = outcome.verdict is not self.program.is_eligible(household)
        return self._differs(
            household,
            outcome.verdict,
            failure=outcome.failure if is_steady else UNSTEADY,
            line=outcome.line,
            **city,
        )

    def _share(self, differs: NDArray[np.bool_]) -> dict[str, Any]:
        """The share of the city's households that differ, with its interval."""
        of_city = differs[self.judge.households.is_of_city]
        if not len(of_city):
            return {}
        count, n = int(of_city.sum()), len(of_city)
        return {"city_share": count / n, "city_interval": wilson(count, n)}

    # Proofs

    def _proof(self, runs: ProgramRuns, program: Program, **what: Any) -> RuleVerdict | Household:
        """The verdict on a program of which no household that it ran on shows a difference.

        A household that the solver finds, and for which Python confirms it, is returned instead.
        """
        try:
            formula = read_function(self.judge.world.executor, self.source)
            answer = self.judge.world.find(self._difference(formula, program))
        except LanguageError as error:
            return self._says("no_difference", failure=str(error), **what)
        except Exception as error:
            # Whatever happens to a proof is no fault of the program, and ends no run.
            is_ours = isinstance(error, BenyfitsError)
            why = str(error) if is_ours else f"{type(error).__name__}: {error}"
            return self._says("no_difference", failure=f"not proven: {why}", **what)
        if answer.status == "none":
            is_other = program is not self.program
            return self._says("equivalent_under_reading" if is_other else "equivalent", **what)
        why = "the solver gave up"
        if answer.household is not None:
            outcome = runs.one(pack(answer.household))
            if outcome.verdict is not program.is_eligible(answer.household):
                return answer.household
            why = (
                "the proof found a household that Python decides as we do: a fault of ours, "
                "report it"
            )
        return self._says("no_difference", failure=why, **what)

    def _difference(self, formula: FunctionFormula, program: Program) -> Node:
        """For which households a program decides otherwise than ours, or fails."""
        builder = self.judge.world.executor.builder
        unequal = builder.negate(builder.equal(formula.verdict, self._ours(program)))
        return builder.either(formula.crash, unequal)


@dataclass(frozen=True)
class JudgedProgram:
    """A program to be judged: what it is called, what it is to decide, and its text."""

    name: str
    program: str
    source: str


def judge_program(name: str, source: str, year: int = DEFAULT_EDITION) -> RuleVerdict:
    """Return the verdict on a program of an edition.

    Args:
        name: The benefit program.
        source: The text, which defines `check`.
        year: The edition.
    """
    with _ALONE:
        return judge_of(year).judge(name, source)


@cache
def judge_of(year: int) -> RuleJudge:
    """Return the judge of an edition, who keeps its households and formulas."""
    return RuleJudge(load_edition(year))


def judge_all(
    written: Sequence[JudgedProgram],
    year: int = DEFAULT_EDITION,
    workers: int | None = None,
    tick: Callable[[int], object] = lambda done: None,
) -> Iterator[RuleVerdict]:
    """Yield the verdict on each program, in their order.

    Args:
        written: The programs.
        year: The edition.
        workers: Processes; as many as processors unless given.
        tick: Called with 1 whenever one is judged.
    """
    work = partial(_judge_one, year, judge_of(year).households)
    count = min(workers or os.cpu_count() or 1, len(written))
    yield from run_tasks(work, written, count, tick=tick)


def _judge_one(year: int, trials: TrialHouseholds, written: JudgedProgram) -> RuleVerdict:
    judge = judge_of(year)
    judge.trials = judge.trials or trials
    return judge.judge(written.program, written.source)


def read_programs(path: Path, year: int = DEFAULT_EDITION) -> list[JudgedProgram]:
    """Return the programs of a folder or of a table.

    Args:
        path: A folder of `PROGRAM.py`, `PROGRAM.ANYTHING.py` or `PROGRAM/ANYTHING.py`; or a CSV
            file with the columns name, program and source.
        year: The edition whose programs they are to decide.

    Raises:
        EvaluationError: It holds no program, or lacks a column.
        UnknownProgramError: One is to decide a program that the edition does not have.
    """
    result = list(_of_folder(path) if path.is_dir() else _of_table(path))
    if not result:
        raise EvaluationError(
            f"{path} holds no program. Expected PROGRAM.py, PROGRAM.ANYTHING.py or "
            f"PROGRAM/ANYTHING.py, or a CSV file with the columns {', '.join(COLUMNS)}."
        )
    edition = load_edition(year)
    return [
        JudgedProgram(entry.name, edition.program(entry.program).name, entry.source)
        for entry in result
    ]


def _of_folder(folder: Path) -> Iterator[JudgedProgram]:
    for path in sorted(folder.rglob("*.py")):
        is_direct = path.parent == folder
        program = path.name.split(".")[0] if is_direct else path.parent.name
        name = str(path.relative_to(folder))
        yield JudgedProgram(name, program, path.read_text("utf-8", errors="replace"))


def _of_table(path: Path) -> Iterator[JudgedProgram]:
    csv.field_size_limit(10_000_000)
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        if missing := [name for name in COLUMNS if name not in (reader.fieldnames or ())]:
            raise EvaluationError(
                f"{path} lacks the column {missing[0]}. Expected {', '.join(COLUMNS)}."
            )
        for row in reader:
            yield JudgedProgram(*(row[name] or "" for name in COLUMNS))


def as_record(written: JudgedProgram, verdict: RuleVerdict, year: int) -> dict[str, Any]:
    """Return a verdict as the JSON file and the tables hold it."""
    program = load_edition(year).program(written.program)
    facts: Mapping[str, Any] = asdict(verdict)
    return {
        "name": written.name,
        "program": written.program,
        "edition": year,
        "clauses": len(program.clauses),
        "text": program.requirements(),
        "source": written.source,
        "counterexamples": 0,
        "verdict": {**facts, "is_proven": verdict.is_proven},
    }
