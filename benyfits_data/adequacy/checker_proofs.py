"""What can run of checkers, what follows of constraints, and what editions decide otherwise."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benyfits_data.editions import Edition, load_edition
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.language.source import named, place
from benyfits_data.language.z3_backend import (
    ConstraintVerdict,
    Task,
    Verdict,
    World,
    covered_elements,
    program_difference,
    prove_constraints,
    prove_many,
)
from benyfits_data.progress import Progress
from benyfits_data.wording import count_of


@dataclass(frozen=True)
class EditionChanges:
    """Which programs decide some household otherwise in a later edition.

    Attributes:
        years: The two editions.
        same: How many programs are proven to decide alike.
        changed: Whether a household `gains` or `loses`, by program.
    """

    years: tuple[int, int]
    same: int
    changed: dict[str, str]

    def __str__(self) -> str:
        names = ", ".join(f"{name} ({way})" for name, way in self.changed.items())
        same = count_of(self.same, "program")
        return (
            f"{self.years[0]} to {self.years[1]}: {same} proven the same, "
            f"{len(self.changed)} decide a household otherwise{': ' if names else ''}{names}"
        )


@dataclass(frozen=True)
class CheckerProofs:
    """What was proven.

    Attributes:
        verdicts: On every line and branch, by edition, program and place.
        constraints: Whether each constraint follows from the others; none where nobody asked.
        changes: From each edition to the next.
    """

    verdicts: Sequence[Verdict]
    constraints: Sequence[ConstraintVerdict]
    changes: Sequence[EditionChanges]

    @property
    def is_sound(self) -> bool:
        """Whether every line can run and nothing is unknown; branches may be dead."""
        return not any(
            verdict.status == "unknown"
            or (verdict.status == "dead" and isinstance(verdict.element, int))
            for verdict in self.verdicts
        )

    def lines(self) -> Iterator[str]:
        """Yield what was proven in words: what is dead or unknown by name, the rest counted."""
        for verdict in self.verdicts:
            if verdict.status in ("dead", "unknown"):
                path = load_edition(verdict.edition).program(verdict.program).checker_path
                line = place(verdict.element)[0]
                text = path.read_text(encoding="utf-8").splitlines()[line - 1].strip()
                summary = f"{named(verdict.element)}: {text} ({verdict.seconds:.1f} s)"
                yield f"{verdict.status} in {verdict.edition}: {path}:{line}: {summary}"
        for year, its in itertools.groupby(self.verdicts, key=lambda verdict: verdict.edition):
            proven = list(its)
            for kind, words in ((int, "lines"), (tuple, "branches")):
                of_kind = [each.status for each in proven if isinstance(each.element, kind)]
                counts = _counted(("covered", "reachable", "dead", "unknown"), of_kind)
                yield f"{year}: {len(of_kind)} {words}: {counts}"
        for constraint in self.constraints:
            if constraint.status != "needed":
                yield f"constraint {constraint.name}: {constraint.status} by the others"
        if self.constraints:
            counts = _counted(
                ("needed", "implied", "unknown"), [each.status for each in self.constraints]
            )
            yield f"{len(self.constraints)} constraints hold together: {counts}"
        yield from map(str, self.changes)

    def as_json(self) -> dict[str, Any]:
        """Return every verdict with its household, for machines."""
        return {
            "elements": [
                {
                    "program": verdict.program,
                    "edition": verdict.edition,
                    "element": verdict.element,
                    "status": verdict.status,
                    "seconds": round(verdict.seconds, 3),
                    "household": None if verdict.household is None else verdict.household.facts(),
                }
                for verdict in self.verdicts
            ],
            "constraints": {verdict.name: verdict.status for verdict in self.constraints},
            "changes": [
                {
                    "from": change.years[0],
                    "to": change.years[1],
                    "same": change.same,
                    "changed": change.changed,
                }
                for change in self.changes
            ],
        }


def prove_checkers(
    years: Sequence[int],
    programs: Sequence[str],
    *,
    households: int,
    workers: int,
    progress: Progress,
) -> CheckerProofs:
    """Return a verdict on every line and branch of the checkers of some editions.

    Args:
        years: The editions; from each to the next programs are compared.
        programs: Which programs; without any all, and the constraints.
        households: How many are sampled: what they run needs no proof.
        workers: Processes that ask the solver.
        progress: Shows how far a step is.

    Raises:
        ProofError: Readers disagree, or the solver gave up on a comparison.
    """
    editions = [load_edition(year) for year in years]
    tasks = []
    for edition in editions:
        names = _asked(edition, programs)
        covered = {}
        if households:
            covered = covered_elements(edition, sample_households(households, edition, seed=0))
        tasks += [Task(edition.year, name, covered.get(name, frozenset())) for name in names]
    with progress("proving", len(tasks)) as tick:
        proven = itertools.chain.from_iterable(prove_many(tasks, workers, tick))
        verdicts = sorted(proven, key=_by_place)
    with progress("proving constraints", None):
        constraints = [] if programs else prove_constraints(World())
    with progress("comparing editions", None):
        changes = [_compare(*pair, programs) for pair in itertools.pairwise(editions)]
    return CheckerProofs(verdicts, constraints, changes)


def _by_place(verdict: Verdict) -> tuple[Any, ...]:
    return verdict.edition, verdict.program, place(verdict.element)


def _asked(edition: Edition, programs: Sequence[str]) -> list[str]:
    return [edition.program(name).name for name in programs] or list(edition.programs)


def _compare(before: Edition, after: Edition, programs: Sequence[str]) -> EditionChanges:
    names = [name for name in _asked(before, programs) if name in after.programs]
    changed = {}
    for name in names:
        household = program_difference(before.programs[name], after.programs[name])
        if household is not None:
            is_lost = before.programs[name].is_eligible(household)
            changed[name] = "loses" if is_lost else "gains"
    return EditionChanges((before.year, after.year), len(names) - len(changed), changed)


def _counted(names: Sequence[str], statuses: Iterable[str]) -> str:
    counts = Counter(statuses)
    return ", ".join(f"{counts[name]} {name}" for name in names)
