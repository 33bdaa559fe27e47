"""Mutation of households that run rare lines: a few facts of a copy are drawn anew.

Conditions that must meet in one household (a joint return, a paid caregiver, two jobs outside the
home) hardly ever meet by chance. Copies of households that got as far as a rare line get further.
"""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.coverage import unpack
from benyfits_data.fuzz.families import RELATIONS, YOUNGEST_APPLICANT
from benyfits_data.fuzz.feature_draws import DRAWING_ORDER, FeatureSampler
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.features import FEATURES
from benyfits_data.household.repair import KEPT, repair_within
from benyfits_data.household.schema import Feature
from benyfits_data.language.numpy_backend import Batch, violators
from benyfits_data.language.source import Source, features_read

MOST_FACTS = 4
"""Facts of a copy that are drawn anew, at most: six corpora of 10,000 (two editions, three seeds)
missed 3 lines; with 1, 2 and 8 facts they missed 17, 9 and 2."""
_SETTLED = [RELATIONS.index(name) for name in ("self", "spouse", "domestic partner")]
_NEWCOMERS = [
    RELATIONS.index(name)
    for name in ("child", "adopted child", "foster child", "grandchild", "sibling", "friend")
]
LEADS_SHARE = 0.7
"""Share of copies made of households that stand just before a line that nobody ran: without them
the six corpora missed 26 lines instead of 3, with a share of 0.3 it was 12, with 0.95 again 3."""
_WHOLE = 0.1
"""Weight of all who are eligible, and of all who are not, beside 1 for a line that one household
runs: there is somebody to copy where no line is rare. With next to none as many lines were run."""
_PASSES = 4
"""Copies that are not possible after so many passes are given up for the household they copy: with
1 the six corpora missed 15 lines instead of 3, with 20 it was 2 in a quarter more time."""
_COMMON = 60
"""A line run by so many households needs no more of them; 20 and 1,000 reach as many lines."""


def _one_of_each(traces: NDArray[np.uint64], households: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return one household of each trace, the last drawn: rare ways through count like common."""
    _, last = np.unique(traces[households][::-1], axis=0, return_index=True)
    return households[::-1][last]


def _partners(name: str) -> list[str]:
    """Return the members' numbers that a number hangs on: pay on days of work, days on weeks."""
    found = [name]
    for number in found:
        for constraint in CONSTRAINTS.values():
            if number in constraint.repaired_by and FEATURES[number].kind == "number":
                found += sorted(constraint.reads - KEPT - set(found))
    return [
        other
        for other in DRAWING_ORDER
        if other in found[1:]
        and FEATURES[other].kind == "number"
        and FEATURES[other].level == FEATURES[name].level == "member"
    ]


class Mutator:
    """Mutates households of one chunk that run rare lines.

    Args:
        edition: Whose checkers' lines count.
        draws: FeatureSampler facts anew.
    """

    def __init__(self, edition: Edition, draws: FeatureSampler) -> None:
        self.draws = draws
        self.programs = list(edition.programs)
        self.branches = [
            Source.of(program.checker).branches for program in edition.programs.values()
        ]
        self.partners = {name: _partners(name) for name in FEATURES}
        facts = [
            sorted(features_read(program.checker)) or ["place_of_residence"]
            for program in edition.programs.values()
        ]
        self.n_facts = np.array(list(map(len, facts)))
        width = self.n_facts.max()
        self.facts = np.array([[*own, *[""] * (width - len(own))] for own in facts])

    def mutate(
        self,
        households: Households,
        answers: Batch,
        n: int,
        rng: np.random.Generator,
        programs: Collection[str] = (),
    ) -> Households:
        """Return `n` possible households, each a changed copy of one that runs a rare line.

        Args:
            households: Possible households to copy.
            answers: Their labels and traces.
            n: How many to make.
            rng: The stream to draw from.
            programs: Whose rare lines count; those of all programs unless given.
        """
        parents, focus = self._choose(answers, n, rng, programs or self.programs)
        children = households.take(parents)
        draws = self.draws.like(parents)
        changed = self._vary(children, focus, draws, rng)
        hopeless = repair_within(children, violators, draws, rng, sorted(changed), _PASSES)
        possible = np.ones(n, np.bool_)
        possible[hopeless] = False
        originals = households.take(parents[~possible])
        return Households.concatenate([children.take(possible), originals])

    def _choose(
        self, answers: Batch, n: int, rng: np.random.Generator, among: Collection[str]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return parents, and the program for whose rare line each was chosen."""
        runners: list[NDArray[np.intp]] = []
        programs: list[int] = []
        weights: list[float] = []
        leads: list[int] = []
        for position, name in enumerate(self.programs):
            if name not in among:
                continue
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
            share *= 1 - LEADS_SHARE
            share[leads] = LEADS_SHARE / len(leads)
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
        draws: FeatureSampler,
        rng: np.random.Generator,
    ) -> set[str]:
        """Return the features that were drawn anew, a few of each child."""
        n = len(children)
        counts = rng.integers(1, MOST_FACTS + 1, n)
        with_partners = rng.random(n) < 0.5
        redrawn: dict[str, NDArray[np.bool_]] = {}

        def add(name: str, columns: NDArray[np.intp]) -> None:
            if len(columns):
                redrawn.setdefault(name, np.zeros(n, np.bool_))[columns] = True

        for turn in range(MOST_FACTS):
            place = (rng.random(n) * self.n_facts[focus]).astype(np.intp)
            columns = np.flatnonzero(counts > turn)
            chosen = self.facts[focus[columns], place[columns]]
            for name in np.unique(chosen).tolist():
                here = columns[chosen == name]
                add(name, here)
                for partner in self.partners[name]:
                    add(partner, here[with_partners[here]])
        # Most rules of two are about the applicant and the spouse.
        among = np.where(rng.random(n) < 0.5, np.minimum(children.size, 2), children.size)
        rows = (rng.random(n) * among).astype(np.intp)
        for name in (name for name in DRAWING_ORDER if name in redrawn):
            columns = np.flatnonzero(redrawn[name])
            if name == "age":
                # The others' ages hang on the applicant's.
                columns = columns[rows[columns] > 0]
            if name == "relation":
                _move_in(children, rows[columns], columns, draws, rng)
            else:
                _redraw(FEATURES[name], children, rows[columns], columns, draws, rng)
        return {*redrawn, "age"}


def _redraw(
    feature: Feature,
    children: Households,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    draws: FeatureSampler,
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
    draws: FeatureSampler,
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
