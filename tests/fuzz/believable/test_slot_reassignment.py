"""Slots go from one household to another; none is left open."""

import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.local_search import Needs, impute_unusual
from benyfits_data.fuzz.believable.slot_reassignment import SlotReassignment
from benyfits_data.fuzz.corpus import CoverageReader, collect
from benyfits_data.fuzz.coverage import MOST_PROGRAMS
from benyfits_data.fuzz.exact.assignment import fill_from
from benyfits_data.fuzz.exact.set_cover import fewest_households, fewest_slots
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.language.numpy_backend import possible


@pytest.mark.slow
def test_slots_that_are_handed_over_are_filled_by_fewer_and_less_surprising_households(
    city: DonorCity,
) -> None:
    households = city.households
    edition = load_edition(2024)
    size = households.size
    usual = households.take(np.flatnonzero(size <= 6)[:3_000])
    corpus = collect(edition, [usual, sample_households(300, edition, 4)])
    covers = CoverageReader("branches", edition)
    coverage = covers(corpus)
    slots = fewest_slots(coverage)
    can = slots.fillers(coverage)
    assigned = fill_from(can, fewest_households(can)[0])
    assert assigned
    chosen = list(assigned.held)
    homes = corpus.households.take(np.array(chosen))
    owner = np.zeros(len(slots.slots), np.intp)
    for household, slot in assigned.pairs():
        owner[slot] = chosen.index(household)
    rng = np.random.default_rng(5)
    needs = Needs.of_slots(covers, homes, owner, slots, coverage)
    homes = impute_unusual(homes, needs, city, np.full(len(homes), 50.0), rng)

    reassignment = SlotReassignment(covers, coverage, slots, city, 50.0, enough=0)
    found, now = homes, owner.copy()
    for _ in range(3):  # A selection makes seven passes at least.
        found, now = reassignment.reassign(found, now, rng)
    assert (owner == np.arange(len(homes))[:, None]).sum(axis=1).min() > 0
    assert possible(found).all()
    fills = slots.fillers(covers(collect(edition, [found])))
    assert fills[np.arange(len(now)), now].all()
    pairs = {(home, program) for home, program in zip(now, slots.programs, strict=True)}
    assert len(pairs) == len(now)
    assert np.bincount(now).max() <= MOST_PROGRAMS
    assert np.bincount(now).min() > 0
    before, after = city.belief.percentile(homes), city.belief.percentile(found)
    assert len(found) < len(homes)
    assert after.mean() < before.mean()
