"""Rare facts stay only where a line needs them, and rows say which."""

from dataclasses import replace

import numpy as np
import pytest

from benyfits_data.dataset import Row
from benyfits_data.editions import load_edition
from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.local_search import Needs
from benyfits_data.fuzz.believable.rare_facts import check_needed, without_needless
from benyfits_data.fuzz.corpus import CoverageReader, collect
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import trace
from benyfits_data.language.numpy_backend import possible

EDITION = load_edition(2024)
COVERS = CoverageReader("branches", EDITION)
PLANTED = "members[1].hiv_aids"


def _home(*, hiv_aids: bool) -> Household:
    members: list[dict[str, object]] = [
        {"age": 38, "sex": "female"},
        {"relation": "child", "age": 13, "sex": "female", "hiv_aids": hiv_aids},
    ]
    return Household.complete(members=members)


def _row(home: Household, program: str) -> Row:
    labels = {program: EDITION.program(program).is_eligible(home)}
    return Row("planted-1", 2024, home, "", (program,), labels, labels)


def test_a_planted_rare_fact_that_nothing_needs_is_drawn_again(city: DonorCity) -> None:
    homes = Households.from_households([_home(hiv_aids=True)])
    corpus = collect(EDITION, [homes])
    own = next(one for one in corpus.coverage if one.program == "FairFaresNYC")
    need = (0, own.program, tuple(np.flatnonzero(own.of_household(0)).tolist()))
    needs = Needs(COVERS, homes, [need], corpus.coverage)
    found, named = without_needless(homes, needs, city, np.random.default_rng(0))
    assert possible(found).all()
    assert not found.member["hiv_aids"].any()
    assert PLANTED not in named[0]
    assert needs.met(found, np.zeros(1, np.intp)).all()


def test_a_rare_fact_that_a_line_needs_stays_and_is_named(city: DonorCity) -> None:
    home = _home(hiv_aids=True)
    homes = Households.from_households([home])
    corpus = collect(EDITION, [homes])
    own = next(one for one in corpus.coverage if one.program == "HIVAIDSServicesAdministration")
    need = (0, own.program, tuple(np.flatnonzero(own.of_household(0)).tolist()))
    needs = Needs(COVERS, homes, [need], corpus.coverage)
    found, named = without_needless(homes, needs, city, np.random.default_rng(0))
    assert found.member["hiv_aids"][1, 0]
    program, line = named[0][PLANTED]
    assert program == own.program
    assert line in trace(EDITION.program(program), home).lines
    check_needed(
        [replace(_row(found.household(0), program), needed=named[0])], EDITION, city.belief, COVERS
    )


def test_planted_rows_with_needless_rare_facts_or_false_needs_are_refused(city: DonorCity) -> None:
    homes = Households.from_households([_home(hiv_aids=False)])
    nothing = Needs(COVERS, homes, [], ())
    usual, _ = without_needless(homes, nothing, city, np.random.default_rng(0))
    plain = _row(usual.household(0), "FairFaresNYC")
    check_needed([plain], EDITION, city.belief, COVERS)
    line = min(trace(EDITION.program("FairFaresNYC"), plain.household).lines)
    false = replace(plain, needed={PLANTED: ("FairFaresNYC", line)})
    with pytest.raises(SelectionError, match="not rare"):
        check_needed([false], EDITION, city.belief, COVERS)
    usual.member["hiv_aids"][1, 0] = True
    assert possible(usual).all()
    with pytest.raises(SelectionError, match=r"members\[1\].hiv_aids, that nothing needs"):
        check_needed([_row(usual.household(0), "FairFaresNYC")], EDITION, city.belief, COVERS)
