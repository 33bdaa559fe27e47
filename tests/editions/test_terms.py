"""The terms of the texts: said once, and read by named measures and facts."""

from pathlib import Path

import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.editions.terms import TERMS_PATH, define, load_terms
from benyfits_data.errors import ProgramFolderError


def test_a_definition_is_printed_in_the_form_asked_for() -> None:
    assert define("size") == "Size counts every member"
    assert define("income", "a person").startswith("Income is what a person earns")


def test_every_form_of_every_term_is_printed_by_a_text() -> None:
    texts = " ".join(
        " ".join(program.requirements().split())
        for year in EDITIONS
        for program in load_edition(year).values()
    )
    forms = [said for term in load_terms().values() for said in term.forms.values()]
    assert [said for said in forms if said not in texts] == []
    assert len(forms) == len(set(forms))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('["household_size"]', '["houshold_size"]', "size reads 'houshold_size', which is no"),
        ("says =", "say =", "has 'say'. Did you mean says"),
        ('plural = "', 'plural = 1 # "', "child in care.forms: plural is 1, expected str"),
        ('reads = ["household_size"]\n', "", "size lacks reads"),
    ],
)
def test_a_term_that_means_nothing_known_is_refused(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    text = TERMS_PATH.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "terms.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ProgramFolderError, match=r"terms\.toml") as raised:
        load_terms(path)
    assert says in str(raised.value)
