"""The fewest pairs that possible households could do with, proven: what holds for every corpus.

A pair runs elements of its own program alone, so each program is proven by itself. Z3 proves
limits: weights of elements, and how much of them no possible household of one to six members runs
more of. Elements of which nobody runs two need a pair each; if nobody runs more than `most` of a
weight of `total`, at least `total / most` pairs are needed (a fractional packing, the dual of the
linear program of set covers). Where that leaves a gap, the elements are shared out among as many
pairs as are proven so far: either possible households run all shares, or Z3 proves another limit,
or the limits leave no way to share them out, and one pair more is proven (logic-based Benders
decomposition: Hooker and Ottosson, Mathematical Programming 96, 2003).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, identity, kron, vstack

from benyfits_data.adequacy.noticed import Solver
from benyfits_data.editions import Edition, Program, load_edition
from benyfits_data.errors import ProofError
from benyfits_data.fuzz.corpus import collect
from benyfits_data.fuzz.exact.set_cover import fewest_households
from benyfits_data.household.columns import Households
from benyfits_data.household.model import LARGEST_HOUSEHOLD, Household
from benyfits_data.language.coverage_tracer import trace, trace_many
from benyfits_data.language.ir import Node
from benyfits_data.language.source import Element, Source, named
from benyfits_data.language.symbolic_execution import FunctionSummary, HouseholdArgument
from benyfits_data.language.z3_backend import Store, World, whole_world
from benyfits_data.language.z3_backend.proofs import ADVICE
from benyfits_data.parallel import run_tasks

LARGEST_MOST = 2
"""Weights are tried up to this: with 1 alone, sharing out the elements of InfantToddlerPrograms
takes 89 s in edition 2024; with 2 it is proven in 0.3 s without."""
ROUNDS = 100
"""How often elements are shared out before a gap is left open; both editions need one round."""
_INFEASIBLE = 2
"""What `milp` calls it."""


@dataclass(frozen=True, eq=False)
class Limit:
    """Weights of elements, and a claim: no possible household runs more of them than `most`.

    Attributes:
        weights: The weight of each element of a checker, shape `(elements,)`.
        most: What a household may run.
    """

    weights: NDArray[np.int64]
    most: int

    @property
    def pairs(self) -> int:
        """How many pairs run all elements that have weight, at the least."""
        return -(-int(self.weights.sum()) // self.most)

    @property
    def key(self) -> str:
        """The claim by positions of the elements: under which its answer is kept."""
        places = np.flatnonzero(self.weights).tolist()
        return f"{self.most}: {' '.join(f'{self.weights[at]}*{at}' for at in places)}"

    @classmethod
    def of_key(cls, key: str, n_elements: int) -> "Limit":
        """Return the claim that has a key."""
        most, spelled = key.split(": ")
        weights = np.zeros(n_elements, np.int64)
        for weight, at in (one.split("*") for one in spelled.split()):
            weights[int(at)] = int(weight)
        return cls(weights, int(most))

    def broken_by(self, traces: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return who runs more, shape `(n,)`, of traces of shape `(n, elements)`."""
        return np.asarray(traces @ self.weights > self.most)


@dataclass(frozen=True)
class FewestPairs:
    """The fewest pairs of one program.

    Attributes:
        program: The program.
        pairs: How many the set has.
        possible: How few possible households are known to run the same elements.
        proven: Fewer than this are proven impossible.
        households: Those few, where the set has more pairs; confirmed by coverage.py.
    """

    program: str
    pairs: int
    possible: int
    proven: int
    households: tuple[Household, ...]

    @property
    def gap(self) -> int:
        """How many pairs the set has beyond what is proven necessary."""
        return self.pairs - self.proven


@dataclass(frozen=True)
class ProgramPairs:
    """A program of a set.

    Attributes:
        program: Its name.
        pairs: How many the set has.
        wanted: What these run together, shape `(elements,)`.
        known: Some possible households.
        traces: What each of them runs, shape `(n, elements)`.
    """

    program: str
    pairs: int
    wanted: NDArray[np.bool_]
    known: Households
    traces: NDArray[np.bool_]


def prove_fewest(
    edition: Edition,
    households: Households,
    asked: Mapping[str, Sequence[int]],
    others: Iterable[Households],
    solver: Solver,
    *,
    lines_only: bool = False,
    tick: Callable[[int], object] = lambda done: None,
) -> Iterator[FewestPairs]:
    """Yield the fewest pairs of each program that run what the pairs of a set run.

    Args:
        edition: Whose checkers.
        households: Those of the set.
        asked: Positions of the households that each program has pairs with; others are left out.
        others: Further possible households: what they run together need not be asked.
        solver: How the solver is asked.
        lines_only: Whether only lines are to be run, as in the paper.
        tick: Called with 1 whenever a program is done.

    Raises:
        ProofError: A household is too large, or readers disagree.
    """
    largest = int(households.size.max(initial=0))
    if largest > LARGEST_HOUSEHOLD:
        raise ProofError(
            f"The set has a household of {largest} members, but the fewest pairs are proven for "
            f"households of at most {LARGEST_HOUSEHOLD}. Leave larger households out.",
            size=largest,
        )
    corpus = collect(edition, [households, *others])
    tasks = []
    for part in corpus.coverage:
        with_pairs = asked.get(part.program, ())
        if len(with_pairs):
            wanted = part.of_households(with_pairs)
            if lines_only:
                wanted = wanted & [isinstance(element, int) for element in part.elements]
            first = np.unique(part.class_of, return_index=True)[1]
            kept = _maximal(part.classes & wanted)
            known = corpus.households.take(first[kept])
            tasks.append(
                ProgramPairs(part.program, len(with_pairs), wanted, known, part.classes[kept])
            )
    work = partial(_prove, edition.year, solver)
    yield from run_tasks(work, tasks, min(solver.jobs, len(tasks)) or 1, tick=tick, advice=ADVICE)


def _prove(year: int, solver: Solver, task: ProgramPairs) -> FewestPairs:
    program = load_edition(year).program(task.program)
    world, store = whole_world(), Store(solver.folder)
    return FewestProver(program, task, world, store).prove()


class FewestProver:
    """Proves the fewest pairs of one program.

    Args:
        program: The program.
        task: What is to be run, and what is known before the solver is asked.
        world: The possible households.
        store: Where answers are kept; none are looked up without it.

    Raises:
        ProofError: A kept claim is broken by a household that is known.
    """

    def __init__(
        self, program: Program, task: ProgramPairs, world: World, store: Store | None = None
    ) -> None:
        self._program, self._task, self._world, self._store = program, task, world, store
        self._source = Source.of(program.checker)
        self._households = [task.known.household(at) for at in range(len(task.known))]
        self._traces = task.traces
        self._proven: list[Limit] = []
        read = None if store is None else store.read("limits", self._source, program.thresholds)
        self._kept = read or {}
        for key, answer in self._kept.items():
            limit = Limit.of_key(key, len(task.wanted))
            broken = np.flatnonzero(limit.broken_by(self._traces)).tolist()
            if answer.household is None and broken:
                raise self._disagreement(limit, self._households[broken[0]])

    def prove(self) -> FewestPairs:
        """Return the fewest pairs known, and the number below which no selection can go.

        Raises:
            ProofError: Readers disagree.
        """
        n_kept = len(self._kept)
        proven = self._by_weights()
        for _ in range(ROUNDS):
            if proven is None or proven >= len(self._cover()):
                break
            shares = self._shared_out(proven)
            if shares is None:
                proven += 1
            elif None in [self._is_run(share) for share in shares]:
                break
        if self._store is not None and len(self._kept) > n_kept:
            self._store.write("limits", self._source, self._program.thresholds, self._kept)
        return self._told(1 if proven is None else proven)

    def _by_weights(self) -> int | None:
        """Return how many pairs some weights prove; `None` where the solver gives up."""
        while True:
            limit = self._heaviest()
            is_broken = self._is_broken(limit)
            if not is_broken:
                return None if is_broken is None else limit.pairs

    def _heaviest(self) -> Limit:
        """Return a claim that no known household breaks and that would prove most pairs."""
        wanted, few = self._task.wanted, len(self._cover())
        n_wanted, limits = int(wanted.sum()), list[Limit]()
        for most in range(1, LARGEST_MOST + 1):
            result = milp(
                np.full(n_wanted, -1),
                constraints=LinearConstraint(self._traces[:, wanted].astype(float), ub=most),
                bounds=Bounds(0, most),
                integrality=np.ones(n_wanted),
            )
            if result.x is None:
                raise ProofError(f"{self._program.name}: HiGHS found no weights: {result.message}")
            weights = np.zeros(len(wanted), np.int64)
            weights[wanted] = np.round(result.x)
            limits.append(Limit(weights, most))
            if limits[-1].pairs >= few:
                break
        return max(limits, key=lambda limit: limit.pairs)

    def _shared_out(self, pairs: int) -> list[NDArray[np.int64]] | None:
        """Return elements shared out among pairs within all proven limits; `None`: impossible."""
        wanted = np.flatnonzero(self._task.wanted)
        limits = csr_array(np.stack([limit.weights[wanted] for limit in self._proven]))
        once, allowed = np.ones(len(wanted)), [limit.most for limit in self._proven]
        rows = vstack(
            [kron(identity(len(wanted)), np.ones((1, pairs))), kron(limits, identity(pairs))]
        )
        result = milp(
            np.zeros(len(wanted) * pairs),
            constraints=LinearConstraint(
                csr_array(rows),
                np.concatenate([once, np.full(len(allowed) * pairs, -np.inf)]),
                np.concatenate([once, np.repeat(allowed, pairs)]),
            ),
            bounds=Bounds(0, 1),
            integrality=np.ones(len(wanted) * pairs),
        )
        if result.x is None:
            if result.status != _INFEASIBLE:
                raise ProofError(f"{self._program.name}: HiGHS gave up: {result.message}")
            return None
        shares = np.zeros((pairs, len(self._task.wanted)), np.int64)
        shares[:, wanted] = np.round(result.x).reshape(len(wanted), pairs).T
        return [share for share in shares if share.any()]

    def _is_run(self, share: NDArray[np.int64]) -> bool | None:
        """Return whether a possible household runs some elements; if not, why is a new limit."""

        def all_of(elements: NDArray[np.int64]) -> bool | None:
            return self._is_broken(Limit(elements, int(elements.sum()) - 1))

        is_run = all_of(share)
        if is_run is False:
            for at in np.flatnonzero(share):
                fewer = share.copy()
                fewer[at] = 0
                if all_of(fewer) is False:
                    share = fewer
        return is_run

    def _is_broken(self, limit: Limit) -> bool | None:
        """Return whether a possible household breaks a claim; `None`: the solver gave up."""
        if limit.broken_by(self._traces).any():
            return True
        answer = self._kept.get(limit.key)
        if answer is None:
            answer = self._world.find(self._breaking(limit))
            if answer.status == "unknown":
                return None
            self._kept[limit.key] = answer
        if answer.household is not None:
            self._join(limit, answer.household)
            return True
        self._proven.append(limit)
        return False

    @cached_property
    def _summary(self) -> FunctionSummary:
        arguments = [HouseholdArgument(), self._program.thresholds]
        return self._world.executor.execute(self._source, arguments)

    def _breaking(self, limit: Limit) -> Node:
        """Return who breaks a claim, as a formula."""
        builder = self._world.executor.builder
        total = builder.constant(0)
        for at in np.flatnonzero(limit.weights):
            runs = self._summary.elements[self._source.elements[at]]
            weight = builder.constant(int(limit.weights[at]))
            total = builder.plus(total, builder.choose(runs, weight, builder.constant(0)))
        return builder.less(builder.constant(limit.most), total)

    def _join(self, limit: Limit, household: Household) -> None:
        """Add a household to those known, confirmed by running it."""
        ran = trace(self._program, household).elements
        of_household = np.array([[element in ran for element in self._source.elements]])
        if not limit.broken_by(of_household).all():
            raise self._disagreement(limit, household)
        self._traces = np.concatenate([self._traces, of_household])
        self._households.append(household)

    def _cover(self) -> NDArray[np.intp]:
        """Return the fewest of the known households that run all that is wanted."""
        return fewest_households(self._traces[:, self._task.wanted].T)[0]

    def _told(self, proven: int) -> FewestPairs:
        cover, pairs = self._cover(), self._task.pairs
        few = [self._households[at] for at in cover] if len(cover) < pairs else []
        elements = [self._source.elements[at] for at in np.flatnonzero(self._task.wanted)]
        ran = set[Element]().union(*(one.elements for one in trace_many(self._program, few)))
        missed = [element for element in elements if element not in ran] if few else []
        if missed or len(cover) < proven:
            what = f"do not run {named(missed[0])}" if missed else f"are fewer than {proven}"
            raise ProofError(
                f"{self._program.checker_path}: {len(cover)} households that run all elements "
                f"{what}. Z3, NumPy and CPython disagree: report it.",
                program=self._program.name,
                households=few,
            )
        return FewestPairs(self._program.name, pairs, len(cover), proven, tuple(few))

    def _disagreement(self, limit: Limit, household: Household) -> ProofError:
        weighted_sum = " + ".join(
            f"{limit.weights[at]} x {named(self._source.elements[at])}"
            for at in np.flatnonzero(limit.weights)
        )
        return ProofError(
            f"{self._program.checker_path}: whether a household runs more than {limit.most} of "
            f"{weighted_sum} is told otherwise by Z3 (perhaps by a kept proof) than by running it. "
            "Delete the folder of proofs; if that does not help, report it with this household.",
            program=self._program.name,
            household=household,
        )


def _maximal(traces: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the positions of traces that no other contains; of equal ones the first."""
    first = np.sort(np.unique(traces, axis=0, return_index=True)[1])
    some = traces[first]
    sizes = some.sum(axis=1)
    is_kept = [not ((some & row).sum(axis=1) == row.sum())[sizes > row.sum()].any() for row in some]
    return np.asarray(first[is_kept])
