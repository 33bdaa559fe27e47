"""Elements that propagation proves dead are those that Z3 proves dead, and no others."""

import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.language.dead_elements import dead_elements
from benyfits_data.language.source import Source
from benyfits_data.language.z3_backend import covered_elements, prove_elements, whole_world

GRADES = "AcceleratedStudyInAssociatePrograms"


@pytest.mark.slow
def test_an_element_that_somebody_runs_is_not_dead_and_one_that_nobody_can_is() -> None:
    edition = load_edition(2024)
    source = Source.of(edition.program(GRADES).checker)
    covered = covered_elements(edition, sample_households(3_000, edition, 1))[GRADES]
    (dead,) = set(source.elements) - covered
    assert dead_elements(edition, {GRADES: source.elements, "IDNYC": []}) == {GRADES: [dead]}


@pytest.mark.slow
@pytest.mark.parametrize("year", EDITIONS)
def test_all_that_z3_proves_dead_is_proven_by_propagation(year: int) -> None:
    edition = load_edition(year)
    asked = {name: Source.of(it.checker).elements for name, it in edition.programs.items()}
    covered = covered_elements(edition, sample_households(2_000, edition, 1))
    proven = {
        name: [
            it.element
            for it in prove_elements(edition.program(name), whole_world(), covered[name])
            if it.status == "dead"
        ]
        for name in asked
    }
    assert dead_elements(edition, asked) == {name: its for name, its in proven.items() if its}
