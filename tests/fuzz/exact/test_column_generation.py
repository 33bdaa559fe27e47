from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.corpus import Corpus
from benyfits_data.fuzz.coverage import MOST_PROGRAMS, Coverage, uncovered
from benyfits_data.fuzz.exact import column_generation
from benyfits_data.fuzz.exact.column_generation import Filled, select_fewest
from benyfits_data.fuzz.exact.set_cover import covering_prices
from benyfits_data.fuzz.greedy import select_greedily
from benyfits_data.fuzz.sample import sample_corpus
from benyfits_data.household.columns import Households
from benyfits_data.language.reading_labels import contested_mask
from tests.fuzz.matrices import coverage_of, random_coverage

MASK = "annual_work_income"
"""Where the households of these tests carry, as bits, which programs they serve."""


@dataclass
class Masks:
    """A corpus of households of which only the programs they serve matter."""

    households: Households
    edition: Any = None

    def __len__(self) -> int:
        return len(self.households)

    def joined_by(self, other: "Masks") -> "Masks":
        return Masks(Households.concatenate([self.households, other.households]))


def serving(masks: list[int]) -> Masks:
    table = Households.of_defaults(len(masks))
    table.member[MASK][0] = masks
    return Masks(table)


def coverage_by_mask(programs: int):
    def read(corpus: Masks) -> list[Coverage]:
        masks = corpus.households.member[MASK][0]
        return [
            coverage_of((masks >> program & 1).astype(bool)[:, None], f"P{program}")
            for program in range(programs)
        ]

    return read


@pytest.fixture(autouse=True)
def contested_households(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The households, by mask, whose labels are all contested: none unless a test adds some."""
    found: set[int] = set()
    real = column_generation.contested_mask

    def mask(edition: Any, households: Households, programs: list[str]) -> Any:
        if edition is not None:
            return real(edition, households, programs)
        is_open = np.isin(households.member[MASK][0], list(found))
        return np.tile(is_open, (len(programs), 1))

    monkeypatch.setattr(column_generation, "contested_mask", mask)
    return found


@pytest.fixture
def crossings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Children serve what the host serves, and the program taken over; tells of each crossing."""
    made: list[int] = []

    class OrCrossover:
        def __init__(self, *_: Any) -> None:
            pass

        def cross(self, hosts, donors, of, programs, rng):
            taken = 1 << programs
            assert (donors.member[MASK][0][of] & taken).all()
            hosts.member[MASK][0] |= taken.astype(np.int32)
            made.append(len(programs))
            return hosts

    monkeypatch.setattr(column_generation, "Crossover", OrCrossover)
    monkeypatch.setattr(column_generation.FeatureSampler, "of_edition", lambda *_: None)
    monkeypatch.setattr(column_generation, "collect", lambda _, tables: Masks(tables[0]))
    return made


def reached(value):
    """What a certificate says of a value that is proven to be the least."""
    return {"value": value, "bound": value, "gap": 0.0, "is_certified": True}


def test_crossing_lets_a_selection_end_at_its_bound(crossings):
    alone = serving([1 << program for program in range(14)])
    grown, pairs, certificate = select_fewest(alone, 1, coverage_by_mask(14))
    assert crossings
    assert uncovered(coverage_by_mask(14)(grown), pairs) == {}
    assert certificate["pairs"] == reached(14)
    assert certificate["households"] == reached(2)
    chosen = {household for household, _ in pairs}
    assert {one for one in chosen if one >= 14} == set(range(14, len(grown)))


def test_without_crossing_the_certificate_tells_what_the_corpus_allows(crossings):
    alone = serving([1 << program for program in range(14)])
    grown, pairs, certificate = select_fewest(alone, 1, coverage_by_mask(14), generations=0)
    assert grown is alone
    assert not crossings
    assert pairs == [(program, program) for program in range(14)]
    assert certificate["households"] == reached(14)


def test_nobody_is_crossed_where_the_corpus_is_enough(crossings):
    easy = serving([(1 << 14) - 1] * 30)
    grown, _, certificate = select_fewest(easy, 1, coverage_by_mask(14))
    assert grown is easy
    assert not crossings
    assert certificate["households"]["value"] == 2


def test_a_household_alone_with_more_than_ten_programs_keeps_them_until_it_is_relieved(crossings):
    programs = 2 * MOST_PROGRAMS + 1
    alone = serving([(1 << programs) - 1, 0])
    _, pairs, certificate = select_fewest(alone, 1, coverage_by_mask(programs), generations=0)
    assert pairs == [(0, program) for program in range(programs)]
    assert certificate["households"] == {
        "value": 1,
        "bound": 3,
        "gap": -2.0,
        "is_certified": False,
    }
    _, _, relieved = select_fewest(alone, 1, coverage_by_mask(programs))
    assert relieved["households"] == reached(3)


def test_a_corpus_whose_children_cover_more_is_chosen_from_again(crossings):
    """A child that covers two elements of a program at once lets it do with one pair."""
    programs = 12
    read = coverage_by_mask(programs)

    def two_elements(corpus: Masks) -> list[Coverage]:
        masks = corpus.households.member[MASK][0]
        both = np.stack([masks & 1, masks >> 1 & 1], axis=1).astype(bool)
        return [coverage_of(both, "both"), *read(corpus)[2:]]

    def cover_both(self, hosts, donors, of, taken, rng):
        hosts.member[MASK][0] |= donors.member[MASK][0][of]
        return hosts

    column_generation.Crossover.cross = cover_both
    alone = serving([1 << program for program in range(programs)])
    before = len(select_fewest(alone, 1, two_elements, generations=0)[1])
    grown, pairs, certificate = select_fewest(alone, 1, two_elements)
    assert before == programs
    assert len(pairs) == certificate["pairs"]["bound"] == programs - 1
    assert uncovered(two_elements(grown), pairs) == {}


@pytest.mark.parametrize("seed", range(5))
def test_exact_never_takes_more_pairs_than_greedy_and_states_its_bounds(seed, crossings):
    coverage = random_coverage(seed)
    corpus = serving([0] * 60)
    _, pairs, certificate = select_fewest(corpus, seed, lambda _: coverage, generations=0)
    assert uncovered(coverage, pairs) == {}
    assert np.bincount([household for household, _ in pairs]).max() <= MOST_PROGRAMS
    assert len(pairs) <= len(select_greedily(coverage))
    assert certificate["pairs"] == reached(len(pairs))
    assert certificate["households"]["value"] >= certificate["households"]["bound"]


def test_thousands_of_slots_are_filled_by_those_fewest_who_reach_all(monkeypatch):
    monkeypatch.setattr(column_generation, "fill", None)
    each_its_own = [coverage_of(np.eye(350, dtype=bool), f"P{program}") for program in range(3)]
    _, pairs, certificate = select_fewest(serving([0] * 350), 1, lambda _: each_its_own)
    assert len(pairs) == certificate["pairs"]["bound"] == 3 * 350
    assert uncovered(each_its_own, pairs) == {}
    assert certificate["households"] == reached(350)


def test_prices_are_the_duals_of_covering_every_slot():
    can = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1]], bool)
    prices, least = covering_prices(can)
    assert least == 2
    assert prices.sum() == pytest.approx(2)
    assert ((can * prices[:, None]).sum(axis=0) <= 1 + 1e-9).all()


@pytest.mark.slow
def test_of_all_who_are_crossed_only_the_chosen_join():
    corpus = sample_corpus(1_200, load_edition(2024), 0)
    grown, pairs, _ = select_fewest(corpus, 0, lambda some: some.coverage)
    assert isinstance(grown, Corpus)
    assert uncovered(grown.coverage, pairs) == {}
    assert grown.joined > 0
    assert len(grown) == len(corpus) + grown.joined


@pytest.mark.usefixtures("crossings")
def test_contested_labels_are_taken_only_where_nobody_else_fills_the_slot(
    contested_households: set[int],
) -> None:
    corpus = serving([0b011, 0b001, 0b010, 0b100, 0b000])
    for is_open, expected in (
        (set(), {(0, 0), (0, 1), (3, 2)}),
        ({0b011}, {(1, 0), (2, 1), (3, 2)}),
        ({0b011, 0b100}, {(1, 0), (2, 1), (3, 2)}),
    ):
        contested_households.clear()
        contested_households.update(is_open)
        _, pairs, _ = select_fewest(corpus, 0, coverage_by_mask(3), generations=0)
        # Each program is covered by one pair; who serves nobody fills no slot.
        assert set(pairs) == expected


@pytest.mark.usefixtures("crossings")
def test_a_pair_that_is_needlessly_contested_is_refused(
    contested_households: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = serving([0b011, 0b001, 0b010])
    contested_households.add(0b011)
    planted = Filled(corpus.households, [(0, 0), (2, 1)], np.arange(2))
    monkeypatch.setattr(column_generation, "fill_slots", lambda *_: (corpus, planted))
    with pytest.raises(SelectionError, match="is contested in household 0, but household 1"):
        select_fewest(corpus, 0, coverage_by_mask(2), generations=0)


@pytest.mark.usefixtures("crossings")
def test_who_joined_may_fill_the_slot_of_a_contested_pair(
    contested_households: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = serving([0b001, 0b010])
    contested_households.add(0b001)
    child = Filled(serving([0b011]).households, [(0, 0), (2, 1)], np.arange(2))
    real, calls = column_generation.fill_slots, []

    def join_at_first(*args: Any) -> Any:
        calls.append(args)
        is_first = len(calls) == 1
        return (corpus.joined_by(serving([0b011])), child) if is_first else real(*args)

    monkeypatch.setattr(column_generation, "fill_slots", join_at_first)
    _, pairs, _ = select_fewest(corpus, 0, coverage_by_mask(2))
    assert len(calls) == 2
    assert (2, 0) in pairs


@pytest.mark.slow
def test_the_edition_avoids_contested_labels_without_more_pairs() -> None:
    edition = load_edition(2024)
    corpus = sample_corpus(800, edition, 0)
    _, pairs, certificate = select_fewest(corpus, 0, lambda it: it.coverage, generations=0)
    names = [own.program for own in corpus.coverage]
    is_open = contested_mask(edition, corpus.households, names)
    chosen = sum(is_open[program, household] for household, program in pairs)
    # Drawn from all who fill a slot, as many would be contested as are in the corpus.
    assert is_open.mean() > 0.01
    assert chosen < is_open.mean() * len(pairs)
    assert certificate["pairs"]["gap"] == 0
