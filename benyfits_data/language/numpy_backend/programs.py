"""Labels and traces of many households in many programs; constraints and measures of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition, Thresholds
from benyfits_data.errors import CheckerFailedError, LanguageError
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS, Constraint
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.ir import EACH, Node
from benyfits_data.language.numpy_backend.column_program import (
    CHUNK,
    WORD,
    ColumnProgram,
    bit_sets,
    column_type,
    n_words,
)
from benyfits_data.language.source import Element, Source
from benyfits_data.language.symbolic_execution import (
    Fault,
    HouseholdArgument,
    MemberArgument,
    SymbolicExecutor,
    execute_checkers,
)


def holds(constraint: Constraint, households: Households) -> NDArray[np.bool_]:
    """Return where a constraint is met.

    Returns:
        Shape `(n,)`, or `(6, n)` for a constraint of each member; true where there is no member.
    """
    is_met = measure(constraint.holds, households)
    return is_met | ~households.present if constraint.of_member else is_met


def violators(
    constraint: Constraint, households: Households
) -> tuple[NDArray[np.intp] | None, NDArray[np.intp]]:
    """Return who violates a constraint.

    Returns:
        Positions of the members, `None` for a constraint of the household; and positions of the
        households: the true places of `~holds(constraint, households)`, in that order.
    """
    places = np.flatnonzero(~holds(constraint, households))
    return np.divmod(places, len(households)) if constraint.of_member else (None, places)


def possible(households: Households) -> NDArray[np.bool_]:
    """Return which households meet every constraint, shape `(n,)`."""
    met = np.ones(len(households), np.bool_)
    constraints = tuple(CONSTRAINTS.values())
    absent = ~households.present
    for place, rows, (value,) in _shared_program(constraints, households.places).run(households):
        is_of_member = constraints[place].of_member
        met[rows] &= (value | absent[:, rows]).all(axis=0) if is_of_member else value
    return met


def measure(function: Callable[..., Any], households: Households) -> NDArray[Any]:
    """Return a measure or constraint of every household, or of every member.

    Returns:
        Shape `(n,)` for a function of the household alone; `(6, n)` for one of a member, where the
        entries of absent members mean nothing.

    Raises:
        LanguageError: The function leaves the checker language, or is of a plain number.
    """
    kind, is_of_member, program = _column_program(function, households.places)
    n = len(households)
    column = np.empty((households.places, n) if is_of_member else (n,), kind)
    for _, rows, (values,) in program.run(households):
        column[..., rows] = values
    return column


@lru_cache(maxsize=1024)
def _column_program(
    function: Callable[..., Any], places: int
) -> tuple[np.dtype[Any], bool, ColumnProgram]:
    """Return the type of a function's column, whether it is of a member, and what computes it."""
    source = Source.of(function)
    node = _formula(source, SymbolicExecutor(places=places))
    return column_type(node), "member" in source.parameters, ColumnProgram([[node]])


@lru_cache(maxsize=8)
def _shared_program(constraints: tuple[Constraint, ...], places: int) -> ColumnProgram:
    """Return the calls that compute all constraints, in half as many as one by one."""
    executor = SymbolicExecutor(places=places)
    return ColumnProgram(
        [[_formula(Source.of(constraint.holds), executor)] for constraint in constraints]
    )


def _formula(source: Source, executor: SymbolicExecutor) -> Node:
    owners = {"household": HouseholdArgument(), "member": MemberArgument(EACH)}
    if not owners.keys() >= set(source.parameters):
        raise LanguageError(
            f"{source.path}:{source.first_line}: {source.name} takes "
            f"{', '.join(source.parameters)}, expected a household, a member, or both. "
            "Measure something of these.",
            path=source.path,
            line=source.first_line,
        )
    return executor.execute(source, [owners[name] for name in source.parameters]).value


@dataclass(frozen=True)
class Batch:
    """Answers of programs for `n` households.

    Attributes:
        labels: Whether each household is eligible, by program, shape `(n,)`.
        traces: The lines and branches that ran, by program, shape `(n, words)`: bit `i % 64` of
            word `i // 64` stands for `elements[program][i]`.
        elements: The lines of each checker's body, then its branches.
    """

    labels: dict[str, NDArray[np.bool_]]
    traces: dict[str, NDArray[np.uint64]]
    elements: dict[str, tuple[Element, ...]]

    def trace(self, program: str, position: int) -> frozenset[Element]:
        """Return the lines and branches of a program that one household runs."""
        return self.elements_of(program, self.traces[program][position])

    def elements_of(self, program: str, words: NDArray[np.uint64]) -> frozenset[Element]:
        """Return the lines and branches that stand in a trace, shape `(words,)`."""
        return frozenset(
            element
            for bit, element in enumerate(self.elements[program])
            if int(words[bit // WORD]) >> (bit % WORD) & 1
        )


def label_and_trace(
    edition: Edition,
    households: Households,
    programs: Sequence[str] | None = None,
    chunk: int = CHUNK,
) -> Batch:
    """Return label and trace of every household in every program.

    Args:
        edition: Gives checkers and thresholds.
        households: Households that meet the constraints.
        programs: The programs to ask; all unless given.
        chunk: Households computed at once; bounds the memory besides the result.

    Raises:
        LanguageError: A checker leaves the checker language.
        CheckerFailedError: A checker would fail on one of the households.
    """
    return _reader(edition, households, programs, traces=True).read(households, chunk)


def label_households(
    edition: Edition, households: Households, programs: Sequence[str] | None = None
) -> dict[str, NDArray[np.bool_]]:
    """Return the labels alone, by program, in a fraction of the time of `label_and_trace`."""
    return _reader(edition, households, programs, traces=False).labels(households)


def _reader(
    edition: Edition, households: Households, programs: Sequence[str] | None, *, traces: bool
) -> "ProgramReader":
    names = list(edition.programs) if programs is None else list(programs)
    asked = [(name, edition.program(name)) for name in names]
    checkers = tuple((name, program.checker, program.thresholds) for name, program in asked)
    return program_reader(checkers, households.places, traces=traces)


class ProgramReader:
    """Reads programs' answers for tables of households; made once, used often.

    Args:
        checkers: Source and thresholds of each program, by name.
        places: For how many members the tables have room.
        traces: Whether traces are read, too.
    """

    def __init__(
        self,
        checkers: Mapping[str, tuple[Source, Thresholds]],
        places: int = LARGEST_HOUSEHOLD,
        *,
        traces: bool = True,
    ) -> None:
        _, executed = execute_checkers(tuple(checkers.values()), places)
        summaries = dict(zip(checkers, executed, strict=True))
        self._elements = {name: source.elements for name, (source, _) in checkers.items()}
        self._faults = {name: summary.faults for name, summary in summaries.items()}
        self._program = ColumnProgram(
            [
                [
                    summary.value,
                    *(fault.mask for fault in summary.faults),
                    *(summary.elements.values() if traces else ()),
                ]
                for summary in summaries.values()
            ]
        )

    def labels(self, households: Households) -> dict[str, NDArray[np.bool_]]:
        """Return the label of every household in every program, shape `(n,)`."""
        labels = {name: np.empty(len(households), np.bool_) for name in self._elements}
        for name, rows, label, _ in self._run(households, CHUNK):
            labels[name][rows] = label
        return labels

    def read(self, households: Households, chunk: int = CHUNK) -> Batch:
        """Return label and trace of every household in every program."""
        n = len(households)
        labels = {name: np.empty(n, np.bool_) for name in self._elements}
        traces = {
            name: np.empty((n, n_words(len(elements))), np.uint64)
            for name, elements in self._elements.items()
        }
        for name, rows, label, ran in self._run(households, chunk):
            labels[name][rows] = label
            traces[name][rows] = bit_sets(ran, rows.stop - rows.start)
        return Batch(labels, traces, dict(self._elements))

    def _run(
        self, households: Households, chunk: int
    ) -> Iterator[tuple[str, slice, Any, list[Any]]]:
        """Yield each program, some rows, their labels, and for each element which of them run it.

        Raises:
            CheckerFailedError: A checker would fail on one of the households.
        """
        names = list(self._elements)
        for group, rows, (label, *masks) in self._program.run(households, chunk):
            faults = self._faults[names[group]]
            for fault, mask in zip(faults, masks, strict=False):
                _refuse_failures(names[group], fault, mask, households, rows)
            yield names[group], rows, label, masks[len(faults) :]


def _refuse_failures(
    name: str, fault: Fault, mask: Any, households: Households, rows: slice
) -> None:
    """Refuse a checker that would fail for some of the households, as a mask of rows says."""
    if np.any(mask):
        at = rows.start + int(np.argmax(mask))
        raise CheckerFailedError(
            f"{name} would fail for household {at}: {fault}. "
            "Test for None first, or add the missing row.",
            program=name,
            position=at,
            household=households.household(at, constrained=False),
        )


@lru_cache(maxsize=16)
def program_reader(
    asked: tuple[tuple[str, Any, Thresholds], ...], places: int, *, traces: bool = True
) -> ProgramReader:
    """Return the reader of some checkers, by name; kept for the next who asks."""
    checkers = {name: (Source.of(checker), thresholds) for name, checker, thresholds in asked}
    return ProgramReader(checkers, places, traces=traces)
