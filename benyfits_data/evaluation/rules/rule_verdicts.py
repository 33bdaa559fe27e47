"""The verdict on a program that a model wrote from a text: proven, shown, or not told apart."""

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from types import FrameType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benyfits_data.adequacy.mutants import Mutant, make_mutants
from benyfits_data.editions import Edition, Program
from benyfits_data.errors import LanguageError, ProofError
from benyfits_data.evaluation.codegen.checker_translation import Form
from benyfits_data.evaluation.rules.builtin_calls import BUILTINS, MODULES
from benyfits_data.evaluation.rules.function_reader import FunctionFormula, read_function
from benyfits_data.evaluation.rules.given_facts import give_facts
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.intervals import wilson
from benyfits_data.language.explain import explain
from benyfits_data.language.ir import Node
from benyfits_data.language.numpy_backend.column_program import ColumnProgram
from benyfits_data.language.reading_labels import options_of
from benyfits_data.language.symbolic_execution import HouseholdArgument
from benyfits_data.language.z3_backend import World

GROUP = 200
"""Households of one call of the sandbox: its limits of time and memory hold for each call."""
_SAFE = {name: getattr(builtins, name) for name in BUILTINS if hasattr(builtins, name)} | {
    name: getattr(builtins, name)
    for name in (
        "str",
        "object",
        "ValueError",
        "KeyError",
        "TypeError",
        "Exception",
        "AssertionError",
    )
}


@dataclass(frozen=True)
class ProgramOutcome:
    """What a program made of one household.

    Attributes:
        verdict: Its answer; `None` where it gave none.
        failure: Why it gave none; empty elsewhere.
        line: The last line it ran; `None` where that is not known.
    """

    verdict: bool | None
    failure: str = ""
    line: int | None = None


def run_read_program(source: str, given: Mapping[str, Any]) -> ProgramOutcome:
    """Return what Python makes of a program that was read, for one household.

    Args:
        source: Its text; `read_function` has read it.
        given: The household, as the program is given it.
    """
    tree = ast.parse(source)
    name = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)][-1]
    names: dict[str, Any] = {"__builtins__": {**_SAFE, "__import__": _import}}
    last = [0]

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != "<program>":
            return None
        last[0] = frame.f_lineno
        return trace

    before = sys.gettrace()
    try:
        exec(compile(tree, "<program>", "exec"), names)
        sys.settrace(trace)
        returned = names[name](given)
    except Exception as error:
        return ProgramOutcome(None, f"{type(error).__name__}: {error}", last[0])
    finally:
        sys.settrace(before)
    if not isinstance(returned, bool):
        return ProgramOutcome(None, f"returned {returned!r}, no truth value"[:120], last[0])
    return ProgramOutcome(returned, "", last[0])


def _import(name: str, *rest: Any) -> Any:
    if name not in MODULES:
        raise ImportError(f"a program may not import {name}")
    return __import__(name, *rest)


def run_in_sandbox(source: str, given: Iterable[Mapping[str, Any]]) -> Iterator[ProgramOutcome]:
    """Yield what a program makes of households, run where it can reach nothing.

    Whoever asks for no more ends the run: a program that loops takes its time for each household.

    Args:
        source: Its text.
        given: The households, as the program is given them.

    Raises:
        MissingExtraError: The sandbox does not start.
    """
    from benyfits_data.evaluation.codegen.sandbox import Sandbox

    functions = [
        line.split("(")[0][4:].strip() for line in source.splitlines() if line[:4] == "def "
    ]
    rest, size = iter(given), 1
    with Sandbox(workers=1) as sandbox:
        while group := [_needed(source, household) for household in islice(rest, size)]:
            if functions:
                outcomes = sandbox.run_group(source, functions[-1], group)
            else:
                outcomes = [(None, "the program defines no function")] * len(group)
            yield from (ProgramOutcome(verdict, failure) for verdict, failure in outcomes)
            size = min(size * 10, GROUP)


def _needed(source: str, household: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that a program could name: to hand over all takes ten times as long."""
    if any(f".{method}()" in source for method in ("items", "keys", "values")):
        return dict(household)
    facts = {name: value for name, value in household.items() if name in source}
    if "members" in household:
        facts["members"] = [
            {name: value for name, value in member.items() if name in source}
            for member in household["members"]
        ]
    return facts


Status = Literal[
    "equivalent", "equivalent_under_reading", "differs", "not_told_apart", "undecided", "no_program"
]
PATIENCE = 30.0
"""Seconds given to one question to the solver; most take a tenth of one."""


@dataclass(frozen=True)
class RuleVerdict:
    """What is known of one program.

    Attributes:
        program: The benefit program it is to decide.
        status: `equivalent`: no possible household of up to six members is decided otherwise, and
            the program never fails, both proven; `equivalent_under_reading`: so under another
            reading that the source leaves open; `differs`: a household shows it;
            `not_told_apart`: it cannot be proven, and none of some households shows a difference;
            `undecided`: the solver's time ran out; `no_program`: there is nothing to run.
        reading: The reading and option, where it is equivalent under one.
        household: The smallest household found that shows a difference, its facts typed.
        label: Our answer for it.
        answer: The program's answer; `None` where it failed.
        failure: Why it failed, or why it could not be read.
        clauses: The clauses of the text that decide ours.
        line: The line of the program that decided.
        mistake: The change of our checker that makes it equivalent to the program, if one does.
        city_share: The share of the synthetic city on which the two differ.
        city_interval: Its 95% interval (Wilson).
        n_households: How many households were tried, where nothing is proven.
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
    mistake: str = ""
    city_share: float | None = None
    city_interval: tuple[float, float] | None = None
    n_households: int = 0


@dataclass
class RuleJudge:
    """Judges programs for one edition.

    Args:
        edition: Whose checkers are the measure.
        city: Households of the synthetic city, for the share on which programs differ.
        trials: Households on which programs are run that cannot be read.
        form: What programs are given.
        names_mistakes: Whether the change of our checker is looked for that makes a program.
    """

    edition: Edition
    city: Households | None = None
    trials: Households | None = None
    form: Form = "typed"
    names_mistakes: bool = True
    _mutants: dict[str, list[Mutant]] = field(default_factory=dict)

    @cached_property
    def world(self) -> World:
        """All possible households."""
        return World(PATIENCE)

    def judge(self, name: str, source: str) -> RuleVerdict:
        """Return the verdict on a program.

        Args:
            name: The benefit program.
            source: The text of what a model wrote.

        Raises:
            ProofError: A household that the solver found is not decided otherwise by Python: a
                fault of ours.
        """
        program = self.edition.program(name)
        try:
            formula = read_function(self.world.executor, source, self.form)
        except LanguageError as error:
            return self._run(program, source, str(error))
        differs = self._difference(formula, program)
        answer = self.world.find(differs)
        if answer.status == "none":
            return RuleVerdict(name, "equivalent")
        if answer.status == "unknown":
            return RuleVerdict(name, "undecided", failure="the solver's time ran out")
        for reading, option in options_of(program, scored=True):
            other = program.under(reading.id, option.id)
            if self.world.find(self._difference(formula, other)).status == "none":
                share, interval = self._share(differs)
                return RuleVerdict(
                    name,
                    "equivalent_under_reading",
                    f"{reading.id}: {option.id}",
                    city_share=share,
                    city_interval=interval,
                )
        return self._shown(program, source, formula, differs, answer.household)

    def _difference(self, formula: FunctionFormula, program: Program) -> Node:
        """For which households a program decides otherwise than ours, or fails."""
        executor = self.world.executor
        ours = executor.call(program.checker, (HouseholdArgument(), program.thresholds)).value
        unequal = executor.builder.negate(executor.builder.equal(formula.verdict, ours))
        return executor.builder.either(formula.crash, unequal)

    def _shown(
        self,
        program: Program,
        source: str,
        formula: FunctionFormula,
        differs: Node,
        household: Household | None,
    ) -> RuleVerdict:
        smallest = next(self._smaller(differs), household)
        assert smallest is not None
        given, label = give_facts(smallest, self.form), bool(program(smallest))
        outcome = run_read_program(source, given)
        if outcome.verdict is label:
            raise ProofError(
                f"{program.name}: the solver's household is decided alike by Python. The reader of "
                "functions and Python disagree: report it.",
                household=smallest,
            )
        share, interval = self._share(differs)
        return RuleVerdict(
            program.name,
            "differs",
            household=give_facts(smallest),
            label=label,
            answer=outcome.verdict,
            failure=outcome.failure,
            clauses=explain(program, smallest).clauses,
            line=outcome.line,
            mistake=self._mistake(program, formula) if self.names_mistakes else "",
            city_share=share,
            city_interval=interval,
        )

    def _smaller(self, differs: Node) -> Iterator[Household]:
        """Households that show a difference, of as few members as do, if fewer than six do."""
        builder = self.world.executor.builder
        for size in range(1, self.world.executor.places):
            few = builder.both(differs, builder.negate(builder.present(size)))
            household = self.world.find(few).household
            if household is not None:
                yield household

    def _mistake(self, program: Program, formula: FunctionFormula) -> str:
        """The one change of our checker that makes it the program, if there is one."""
        executor, builder = self.world.executor, self.world.executor.builder
        if program.name not in self._mutants:
            self._mutants[program.name] = make_mutants(program)
        mutants = self._mutants[program.name]
        wrong = [
            executor.execute(mutant.source, [HouseholdArgument(), mutant.thresholds]).value
            for mutant in mutants
        ]
        apart = [
            builder.either(formula.crash, builder.negate(builder.equal(formula.verdict, value)))
            for value in wrong
        ]
        alike = list(range(len(apart)))
        known = self.trials if self.city is None else self.city
        if known is not None:
            masks = self._masks(apart, known)
            alike = [place for place in alike if not np.any(masks[place])]
        for place in alike:
            if self.world.find(apart[place]).status == "none":
                return (
                    f"{mutants[place].kind} at line {mutants[place].line}: {mutants[place].change}"
                )
        return ""

    def _share(self, differs: Node) -> tuple[float | None, tuple[float, float] | None]:
        if self.city is None:
            return None, None
        (mask,) = self._masks([differs], self.city)
        count, n = int(np.sum(mask)), len(self.city)
        low, high = wilson(count, n)
        return count / n, (float(low), float(high))

    def _masks(self, conditions: list[Node], households: Households) -> list[NDArray[np.bool_]]:
        """For which households each condition holds, each of shape `(n,)`."""
        columns: list[list[Any]] = [[] for _ in conditions]
        for _, rows, masks in ColumnProgram([conditions]).run(households):
            for place, mask in enumerate(masks):
                columns[place].append(np.broadcast_to(mask, (rows.stop - rows.start,)))
        return [np.concatenate(parts) for parts in columns]

    def _run(self, program: Program, source: str, why: str) -> RuleVerdict:
        """The verdict on a program that cannot be read: it is run."""
        try:
            compile(source, "<program>", "exec")
        except (SyntaxError, ValueError, RecursionError) as error:
            return RuleVerdict(program.name, "no_program", failure=f"no Python: {error}")
        if self.trials is None:
            return RuleVerdict(program.name, "not_told_apart", failure=why)
        # Small ones first: the first that shows a difference is the smallest.
        households = sorted(self.trials, key=lambda household: len(household.members))
        outcomes = run_in_sandbox(source, (give_facts(trial, self.form) for trial in households))
        for number, (household, outcome) in enumerate(zip(households, outcomes, strict=False), 1):
            label = bool(program(household))
            if outcome.verdict is not label:
                return RuleVerdict(
                    program.name,
                    "differs",
                    household=give_facts(household),
                    label=label,
                    answer=outcome.verdict,
                    failure=outcome.failure or why,
                    clauses=explain(program, household).clauses,
                    n_households=number,
                )
        n = len(households)
        return RuleVerdict(program.name, "not_told_apart", failure=why, n_households=n)
