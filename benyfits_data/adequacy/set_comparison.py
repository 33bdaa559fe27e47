"""What datasets notice, side by side: counts by kind, and the wrong checkers that each misses."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benyfits_data.adequacy.noticed import (
    Known,
    Noticeable,
    ThoroughObjective,
    covered_by,
    items,
    judge_all,
)
from benyfits_data.dataset import PartialRow
from benyfits_data.editions import DEFAULT_EDITION, Edition
from benyfits_data.errors import DatasetFormatError
from benyfits_data.fuzz.corpus import collect
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.columns import Households
from benyfits_data.language.source import Element
from benyfits_data.progress import Progress

ELEMENTS = ("branches", "independence pairs", "lines")
"""Kinds of what is no mutant."""
ALL = "all mutants"
Covered = Mapping[str, Set[Element]]
"""What a dataset covers, by program."""


@dataclass(frozen=True)
class SetComparison:
    """What datasets notice.

    Attributes:
        year: The edition whose checkers are meant.
        listed: All that can be noticed.
        known: What of it is possible.
        pairs: How many pairs each dataset has.
        covered: What each dataset covers.
    """

    year: int
    listed: Sequence[Noticeable]
    known: Known
    pairs: Mapping[str, int]
    covered: Mapping[str, Covered]

    def counts(self, dataset: str | None = None) -> dict[str, Counter[str]]:
        """Return by kind how many are `covered`, `shown` to be possible, `impossible`, `unknown`.

        Args:
            dataset: Whose; that of nobody, which covers nothing, unless given.
        """
        covered = self.covered[dataset] if dataset else {}
        counts: dict[str, Counter[str]] = {}
        for item in self.listed:
            status = item.status(covered.get(item.program, set()), self.known)
            counts.setdefault(item.kind, Counter())[status] += 1
        order = sorted(counts, key=lambda kind: (kind not in ELEMENTS, kind))
        mutants = (counts[kind] for kind in order if kind not in ELEMENTS)
        return {kind: counts[kind] for kind in order} | {ALL: sum(mutants, Counter())}

    def table(self) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        """Return header and rows: elements, mutants by mistake, all mutants."""
        columns = [self.counts(dataset) for dataset in self.covered]
        rows = [
            (kind, n.total(), n["impossible"], *(_share(column[kind]) for column in columns))
            for kind, n in self.counts().items()
        ]
        return ("what", "made", "impossible", *self.covered), rows

    def missed(self) -> Iterator[tuple[str, str, str, str, str]]:
        """Yield the wrong checkers that each dataset does not detect.

        Each is a dataset, a program, the place of a mistake, its kind and the change.
        """
        for dataset, covered in self.covered.items():
            for item in self.listed:
                mutant = item.mutant
                if mutant and item.status(covered[item.program], self.known) == "shown":
                    where = "thresholds" if mutant.line is None else f"line {mutant.line}"
                    yield dataset, mutant.program, where, mutant.kind, mutant.change

    def as_json(self) -> dict[str, Any]:
        """Return all counts for machines."""
        return {
            "edition": self.year,
            "made": {
                kind: {
                    "made": n.total(),
                    "possible": n["shown"],
                    "impossible": n["impossible"],
                    "unknown": n["unknown"],
                }
                for kind, n in self.counts().items()
            },
            "datasets": {
                dataset: {
                    "pairs": self.pairs[dataset],
                    "covered": {kind: n["covered"] for kind, n in self.counts(dataset).items()},
                }
                for dataset in self.covered
            },
        }


def edition_of_all(sets: Mapping[str, Sequence[PartialRow]]) -> int:
    """Return the edition of all rows of some files, the newest where none says any.

    Raises:
        DatasetFormatError: They are of several editions.
    """
    files = {row.edition or DEFAULT_EDITION: path for path, rows in sets.items() for row in rows}
    if len(files) > 1:
        places = ", ".join(f"{year} in {files[year]}" for year in sorted(files))
        raise DatasetFormatError(
            f"The rows are of several editions: {places}. Expected one. Give files of one edition, "
            "or say with --edition by whose rules all are to be measured."
        )
    return next(iter(files), DEFAULT_EDITION)


def compare_sets(
    sets: Mapping[str, Sequence[PartialRow]],
    edition: Edition,
    programs: Sequence[str],
    *,
    households: int,
    workers: int,
    progress: Progress,
) -> SetComparison:
    """Return what datasets notice of the checkers of an edition.

    Args:
        sets: The rows of each dataset.
        edition: Whose checkers.
        programs: Which of them; all unless any are named.
        households: How many are sampled, so that fewer questions are left to the solver.
        workers: Processes that ask it.
        progress: Shows how far a step is.
    """
    rules = edition
    if programs:
        named = [edition.program(name) for name in programs]
        rules = replace(edition, programs={program.name: program for program in named})
    objective = ThoroughObjective(rules)
    tables = {
        name: Households.from_households([row.household() for row in rows])
        for name, rows in sets.items()
    }
    with progress("sampling households", None):
        # With the files' own households, what any of them shows counts as possible for all.
        shown = [table for table in tables.values() if len(table)]
        sampled = sample_households(max(households, 1), edition, seed=0)
        corpus = collect(rules, [sampled, *shown])
    with progress("judging mutants", len(rules.programs)) as tick:
        known = judge_all(corpus, objective, workers, tick)
    pairs, covered = {}, {}
    with progress("comparing datasets", None):
        for name, rows in sets.items():
            asked = _asked(rows, rules)
            pairs[name] = sum(int(which.sum()) for which in asked.values())
            covered[name] = covered_by(objective, tables[name], asked)
    return SetComparison(rules.year, items(objective), known, pairs, covered)


def _asked(rows: Sequence[PartialRow], rules: Edition) -> dict[str, np.ndarray[Any, Any]]:
    """Return which rows are asked about each program."""
    asked = {name: np.zeros(len(rows), np.bool_) for name in rules.programs}
    for place, row in enumerate(rows):
        for name in row.labels if row.programs is None else row.programs:
            if name in asked:
                asked[name][place] = True
    return asked


def _share(counts: Counter[str]) -> str:
    possible = counts["covered"] + counts["shown"]
    if not possible:
        return ""
    return f"{counts['covered']} of {possible}, {counts['covered'] / possible:.1%}"
