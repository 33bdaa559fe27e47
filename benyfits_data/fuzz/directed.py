"""Directed search for the last lines and branches that nobody runs, and mutants nobody detects.

Conditions that must meet in one household (a joint return, a paid caregiver, two jobs outside the
home) hardly ever meet by chance. So households that stand just before such an element are mutated:
a few facts of a copy are drawn anew. Copies of copies get further; whoever runs a missing element
joins the corpus. For mutants, and conditions that decide alone, sums of money are moved to limits
too.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.corpus import Corpus, CoverageReader, collect
from benyfits_data.fuzz.coverage import unpack
from benyfits_data.fuzz.inputs.draws import DRAWING_ORDER, FeatureSampler
from benyfits_data.fuzz.inputs.families import RELATIONS, YOUNGEST_APPLICANT
from benyfits_data.fuzz.inputs.limits import Balance, boundaries
from benyfits_data.fuzz.inputs.sums import INCOMES, move_to_limits
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.features import FEATURES
from benyfits_data.household.repair import KEPT, repair_within
from benyfits_data.household.schema import Feature
from benyfits_data.language.dead_elements import dead_elements
from benyfits_data.language.numpy_backend import violators
from benyfits_data.language.source import Element, Source, features_read, place
from benyfits_data.rng import stream

ROUNDS = 40
"""Six corpora of 10,000 (two editions, three seeds) miss 21 lines before the search, and none after
it; with 20 rounds and one fact it was 1. Without it 16 lines and branches more are missed."""
CHILDREN = 500
"""Copies of a round: with 100, two elements more are missed in both editions."""
THOROUGH_CHILDREN = 6_000
MOVED_SHARE = 0.5
"""Share of copies whose sums are moved to a limit, for mutants."""
MOST_FACTS = 2
"""Facts of a copy that are drawn anew, at most; with one, 7,562 mutants of 7,564 are detected."""
_COUPLE = [RELATIONS.index(name) for name in ("self", "spouse", "domestic partner")]
_NEWCOMERS = [RELATIONS.index(name) for name in ("child", "foster child", "grandchild", "sibling")]
Leads = list[tuple[list[str], NDArray[np.intp]]]
"""Facts that a program asks for, and who stands just before what nobody runs of it."""


def search_missing(corpus: Corpus, seed: int) -> Corpus:
    """Return the corpus, joined by mutated households that run what nobody ran.

    Args:
        corpus: What was sampled.
        seed: The seed of the build.
    """
    dead = dead_elements(corpus.edition, corpus.missing())
    missing = corpus.missing(dead)
    if not missing:
        return corpus
    coverage_of = CoverageReader("branches", corpus.edition)
    return _search(corpus, missing, coverage_of, partial(stream, seed, "directed search"), CHILDREN)


def search_thoroughly(
    corpus: Corpus,
    seed: int,
    coverage_of: CoverageReader,
    tick: Callable[[int], object] = lambda done: None,
) -> Corpus:
    """Return the corpus, joined by mutated households that cover what nobody covered.

    Args:
        corpus: What was sampled.
        seed: The seed of the build.
        coverage_of: Tells what households cover.
        tick: Called with 1 after each of the rounds.
    """
    missing = {own.program: own.named(~own.reached) for own in coverage_of(corpus)}
    return _search(
        corpus,
        missing,
        coverage_of,
        partial(stream, seed, "thorough search"),
        THOROUGH_CHILDREN,
        boundaries(corpus.edition).balances,
        tick,
    )


def _search(
    corpus: Corpus,
    missing: Mapping[str, Sequence[Element]],
    coverage_of: CoverageReader,
    rng_of: Callable[[str | int], np.random.Generator],
    n: int,
    balances: Sequence[Balance] = (),
    tick: Callable[[int], object] = lambda done: None,
) -> Corpus:
    """Return the corpus, joined by mutated households that cover what was missing.

    Args:
        corpus: What was sampled.
        missing: What nobody covers, by program.
        coverage_of: Tells what households cover.
        rng_of: The random numbers of the patterns, and of each round.
        n: How many copies a round.
        balances: Limits to which sums of money are moved.
        tick: Called with 1 after each of the rounds.
    """
    draws = FeatureSampler.of_edition(corpus.edition, rng_of("patterns"))
    everybody = corpus
    for turn in range(ROUNDS):
        missing = {name: elements for name, elements in missing.items() if elements}
        if not missing:
            break
        rng = rng_of(turn)
        leads = _leads(everybody, missing, coverage_of)
        born = _mutated(everybody.households, leads, draws, rng, n, balances)
        children = collect(corpus.edition, [born])
        finders = set()
        for own in coverage_of(children):
            reached = {*own.named(own.reached)}
            asked = missing.get(own.program, ())
            for element in reached.intersection(asked):
                at = own.elements.index(element)
                finders.add(int(np.argmax(own.classes[own.class_of, at])))
            missing[own.program] = [one for one in asked if one not in reached]
        if finders:
            corpus = corpus.joined_by(children.take(sorted(finders)))
        everybody = everybody.joined_by(children)
        tick(1)
    return corpus


def _leads(
    corpus: Corpus,
    missing: Mapping[str, Sequence[Element]],
    coverage_of: CoverageReader,
) -> Leads:
    """Return the households that run what comes just before each missing element.

    Args:
        corpus: Everybody.
        missing: Elements by program.
        coverage_of: Tells the line of an element of a program.
    """
    found = {}
    for name, elements in missing.items():
        checker = corpus.edition.program(name).checker
        own = corpus.answers.elements[name]
        ran = unpack(corpus.answers.traces[name], len(own))
        conditions = [own.index(line) for line in Source.of(checker).decisions]
        facts = sorted(features_read(checker)) or ["place_of_residence"]
        for element in elements:
            # The last condition before it that somebody runs; everybody runs the first line.
            is_line = isinstance(element, int) and element > 0
            line = coverage_of.line_of(name, element) + (not is_line)
            before = [at for at in conditions if place(own[at])[0] < line and ran[:, at].any()]
            lead = max(before, default=0)
            found[name, lead] = facts, np.flatnonzero(ran[:, lead])
    return list(found.values())


def _mutated(
    households: Households,
    leads: Leads,
    draws: FeatureSampler,
    rng: np.random.Generator,
    n: int,
    balances: Sequence[Balance] = (),
) -> Households:
    """Return mutated copies of households that stand at the leads; impossible ones are left out.

    Args:
        households: Everybody.
        leads: Facts that a program asks for, and who stands before what is missing of it.
        draws: Draws facts.
        rng: Draws parents and what is mutated.
        n: How many copies.
        balances: Limits to which sums of money are moved.
    """
    focus = rng.integers(0, len(leads), n)
    parents = np.array([rng.choice(leads[lead][1]) for lead in focus])
    children = households.take(parents)
    draws = draws.like(parents)
    redrawn: dict[str, set[int]] = defaultdict(set)
    for child, lead in enumerate(focus):
        for name in rng.choice(leads[lead][0], rng.integers(1, MOST_FACTS + 1)).tolist():
            for fact in PARTNERS[name]:
                redrawn[fact].add(child)
    # Most rules of two are about the applicant and the spouse.
    among = np.where(rng.random(n) < 0.5, np.minimum(children.size, 2), children.size)
    rows = (rng.random(n) * among).astype(np.intp)
    for name in (name for name in DRAWING_ORDER if name in redrawn):
        columns = np.array(sorted(redrawn[name]))
        if name == "age":
            # The others' ages hang on the applicant's.
            columns = columns[rows[columns] > 0]
        if name == "relation":
            columns = _given_relation(children, rows, columns, rng)
            _redraw(FEATURES["age"], children, rows[columns], columns, draws, rng)
            continue
        _redraw(FEATURES[name], children, rows[columns], columns, draws, rng)
    moved = move_to_limits(children, balances, MOVED_SHARE, rng, INCOMES[::-1])
    changed = sorted({*redrawn, *moved, "age"})
    return children.take(repair_within(children, violators, draws, rng, changed, passes=1))


def _given_relation(
    children: Households,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    rng: np.random.Generator,
) -> NDArray[np.intp]:
    """Give members beside the couple another relation where the applicant is old enough; say where.

    The sampler draws families as a whole, and leaves a relation as it is.
    """
    relation = children.member["relation"]
    drawn = rng.choice(_NEWCOMERS, len(columns))
    given = ~np.isin(relation[rows[columns], columns], _COUPLE)
    given &= children.member["age"][0, columns] >= YOUNGEST_APPLICANT[drawn]
    columns = columns[given]
    relation[rows[columns], columns] = drawn[given]
    return columns


def _redraw(
    feature: Feature,
    children: Households,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    draws: FeatureSampler,
    rng: np.random.Generator,
) -> None:
    """Draw a fact of some members, or of their households, anew; a flag turns over."""
    who = rows if feature.level == "member" else None
    table = children.shared[feature.name] if who is None else children.member[feature.name]
    where = columns if who is None else (who, columns)
    if feature.kind == "flag":
        table[where] = ~table[where]
    else:
        table[where] = draws(feature, children, who, columns, rng)


def _partners(name: str) -> list[str]:
    """Return a fact and the members' numbers that it hangs on: pay on work days, days on weeks."""
    found = [name]
    for number in found if FEATURES[name].level == "member" else ():
        for constraint in CONSTRAINTS.values():
            if number in constraint.repaired_by and FEATURES[number].kind == "number":
                found += sorted(constraint.reads - KEPT - set(found))
    return [
        one
        for one in found
        if one == name or (FEATURES[one].kind, FEATURES[one].level) == ("number", "member")
    ]


PARTNERS = {name: _partners(name) for name in FEATURES}
