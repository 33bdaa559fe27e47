"""Households bred from those that run rare lines: a few facts of a copy are drawn anew.

Conditions that must meet in one household (a joint return, a paid caregiver, two jobs outside the
home) hardly ever meet by chance. Copies of households that got as far as a rare line get further.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.composition import RELATIONS, YOUNGEST_APPLICANT
from benyfits_data.fuzz.covers import unpack
from benyfits_data.fuzz.draws import DRAWING_ORDER, Draws
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.declaration import Feature
from benyfits_data.household.features import FEATURES
from benyfits_data.language.batch import Batch
from benyfits_data.language.facts import features_read
from benyfits_data.language.settling import KEPT, settle_within
from benyfits_data.language.source import Source
from benyfits_data.streams import stream

MOST_FACTS = 4
"""Facts of a copy that are drawn anew, at most."""
_SETTLED = [RELATIONS.index(name) for name in ("self", "spouse", "domestic partner")]
_NEWCOMERS = [
    RELATIONS.index(name)
    for name in ("child", "adopted child", "foster child", "grandchild", "sibling", "friend")
]
_LEADS_SHARE = 0.7
"""Share of copies made of households that stand just before a line that nobody ran."""
_WHOLE = 0.1
_PASSES = 4
"""Copies that are not possible after so many passes give way to the household they copy."""
_COMMON = 60
"""A line run by so many households needs no more of them."""


def _one_of_each(traces: NDArray[np.uint64], households: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return one household of each trace, the last drawn: rare ways through count like common."""
    _, last = np.unique(traces[households][::-1], axis=0, return_index=True)
    return households[::-1][last]


def _partners(name: str) -> list[str]:
    """Return the members' numbers that a number gives way to: pay hangs on days of work."""
    read = {
        other
        for constraint in CONSTRAINTS.values()
        if name in constraint.settles and FEATURES[name].kind == "number"
        for other in features_read(constraint.holds)
    }
    return [
        other
        for other in DRAWING_ORDER
        if other in read - KEPT - {name}
        and FEATURES[other].kind == "number"
        and FEATURES[other].level == FEATURES[name].level == "member"
    ]


class Breeder:
    """Copies households of one chunk that run rare lines.

    Args:
        edition: Whose checkers' lines count.
        draws: Draws facts anew.
    """

    def __init__(self, edition: Edition, draws: Draws) -> None:
        self.draws = draws
        self.programs = list(edition.programs)
        self.branches = [
            Source.of(program.checker).branches for program in edition.programs.values()
        ]
        self.partners = {name: _partners(name) for name in FEATURES}
        self.facts = [
            sorted(features_read(program.checker)) or ["place_of_residence"]
            for program in edition.programs.values()
        ]
        # The same as a table of codes, one row a program, so that facts are chosen all at once.
        self.fact_names = sorted({name for facts in self.facts for name in facts})
        self.fact_codes = np.zeros((len(self.facts), max(map(len, self.facts))), np.intp)
        for row, facts in zip(self.fact_codes, self.facts, strict=True):
            row[: len(facts)] = [self.fact_names.index(name) for name in facts]

    def breed(
        self, households: Households, answers: Batch, n: int, seed: int, *names: str | int
    ) -> Households:
        """Return `n` possible households, each a changed copy of one that runs a rare line.

        Args:
            households: Possible households to copy.
            answers: Their labels and traces.
            n: How many to breed.
            seed: The seed of the build.
            names: Name the stream to draw from.
        """
        rng = stream(seed, *names)
        parents, focus = self._choose(answers, n, rng)
        children = households.take(parents)
        moods = self.draws.moods
        draws = self.draws.of_others(moods[parents % len(moods)])
        changed = self._vary(children, focus, draws, rng)
        hopeless = settle_within(children, draws, rng, sorted(changed), _PASSES)
        settled = np.ones(n, np.bool_)
        settled[hopeless] = False
        originals = households.take(parents[~settled])
        return Households.concatenate([children.take(settled), originals])

    def _choose(
        self, answers: Batch, n: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return parents, and the program for whose rare line each was chosen."""
        runners: list[NDArray[np.intp]] = []
        programs: list[int] = []
        weights: list[float] = []
        leads: list[int] = []
        for position, name in enumerate(self.programs):
            # A row for each line: whoever runs one lies side by side.
            ran = np.ascontiguousarray(unpack(answers.traces[name], len(answers.lines[name])).T)
            counts = ran.sum(axis=1)
            for lead in self._leads(position, answers.lines[name], counts):
                leads.append(len(runners))
                runners.append(_one_of_each(answers.traces[name], np.flatnonzero(ran[lead])))
                programs.append(position)
                weights.append(0.0)
            for line in np.flatnonzero((counts > 0) & (counts < _COMMON)):
                runners.append(np.flatnonzero(ran[line]))
                programs.append(position)
                weights.append(1 / np.sqrt(counts[line]))
            # Whoever is eligible, or not, came through the whole checker.
            for label in (answers.labels[name], ~answers.labels[name]):
                if label.any():
                    runners.append(np.flatnonzero(label))
                    programs.append(position)
                    weights.append(_WHOLE)
        share = np.array(weights) / sum(weights)
        if leads:
            share *= 1 - _LEADS_SHARE
            share[leads] = _LEADS_SHARE / len(leads)
        drawn = rng.choice(len(runners), n, p=share)
        place = rng.random(n)
        lengths = np.array([len(there) for there in runners])
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        picked = starts[drawn] + (place * lengths[drawn]).astype(np.intp)
        return np.concatenate(runners)[picked], np.array(programs, np.intp)[drawn]

    def _leads(self, program: int, lines: Sequence[int], counts: NDArray[np.int64]) -> list[int]:
        """Return positions of the run branches that stand just before lines nobody ran."""
        branches = [lines.index(line) for line in self.branches[program]]
        found = set()
        for missing in np.flatnonzero(counts == 0):
            before = [place for place in branches if place < missing and counts[place]]
            found.update(before[-1:])
        return sorted(found)

    def _vary(
        self,
        children: Households,
        focus: NDArray[np.intp],
        draws: Draws,
        rng: np.random.Generator,
    ) -> set[str]:
        """Return the features that were drawn anew, a few of each child."""
        n = len(children)
        counts = rng.integers(1, MOST_FACTS + 1, n)
        with_partners = rng.random(n) < 0.5
        lanes: dict[str, NDArray[np.bool_]] = {}

        def add(name: str, columns: NDArray[np.intp]) -> None:
            if len(columns):
                lanes.setdefault(name, np.zeros(n, np.bool_))[columns] = True

        lengths = np.array([len(facts) for facts in self.facts])
        for turn in range(MOST_FACTS):
            place = (rng.random(n) * lengths[focus]).astype(np.intp)
            columns = np.flatnonzero(counts > turn)
            chosen = self.fact_codes[focus[columns], place[columns]]
            for code in np.unique(chosen):
                name = self.fact_names[code]
                here = columns[chosen == code]
                add(name, here)
                for partner in self.partners[name]:
                    add(partner, here[with_partners[here]])
        # Most rules of two are about the applicant and the spouse.
        among = np.where(rng.random(n) < 0.5, np.minimum(children.size, 2), children.size)
        rows = (rng.random(n) * among).astype(np.intp)
        for name in (name for name in DRAWING_ORDER if name in lanes):
            columns = np.flatnonzero(lanes[name])
            if name == "age":
                # The others' ages hang on the applicant's.
                columns = columns[rows[columns] > 0]
            if name == "relation":
                _move_in(children, rows[columns], columns, draws, rng)
            else:
                _redraw(FEATURES[name], children, rows[columns], columns, draws, rng)
        return {*lanes, "age"}


def _redraw(
    feature: Feature,
    children: Households,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    draws: Draws,
    rng: np.random.Generator,
) -> None:
    """Draw a fact of some members, or of their households, anew; a flag turns over."""
    if feature.level == "household":
        table = children.shared[feature.name]
        if feature.kind == "flag":
            table[columns] = ~table[columns]
        else:
            table[columns] = draws(feature, children, None, columns, rng)
        return
    table = children.member[feature.name]
    if feature.kind == "flag":
        table[rows, columns] = ~table[rows, columns]
    else:
        table[rows, columns] = draws(feature, children, rows, columns, rng)


def _move_in(
    children: Households,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    draws: Draws,
    rng: np.random.Generator,
) -> None:
    """Give members other than the applicant and a partner another relation, and an age.

    Where the applicant is too young for the new relation, nothing changes.
    """
    relation = children.member["relation"]
    drawn = np.array(_NEWCOMERS)[rng.integers(0, len(_NEWCOMERS), len(columns))]
    moved = ~np.isin(relation[rows, columns], _SETTLED)
    moved &= children.member["age"][0, columns] >= YOUNGEST_APPLICANT[drawn]
    rows, columns = rows[moved], columns[moved]
    relation[rows, columns] = drawn[moved]
    _redraw(FEATURES["age"], children, rows, columns, draws, rng)
