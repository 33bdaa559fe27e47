"""One vocabulary: a term means the same measures and facts, or the source says why not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.editions.program import load_program
from benyfits_data.editions.terms import load_terms
from benyfits_data.lint.vocabulary_rules import check_vocabulary

Lint = Callable[[str, str, str], list[str]]
USED = "1. The yearly income of the whole household of a student"


@pytest.mark.parametrize("year", EDITIONS)
def test_every_program_uses_the_terms_alike_or_says_why(year: int) -> None:
    for program in load_edition(year).values():
        assert list(check_vocabulary(program)) == []


def test_a_term_that_the_checker_does_not_read_is_found(lint_changed: Lint) -> None:
    found = lint_changed("requirements.md", "1. The yearly income of the whole household", USED)
    assert any("'student', but the checker reads none of attends_school" in it for it in found)


def declare(folder: Path, term: str, phrase: str) -> None:
    with (folder / "sources.toml").open("a", encoding="utf-8") as file:
        for year in EDITIONS:
            file.write(f'\n[[{year}.term]]\nterm = "{term}"\nmeans = "x"\nphrase = "{phrase}"\n')


@pytest.mark.parametrize(
    ("term", "phrase", "says"),
    [
        ("student", "any student at all", ""),
        ("student", "", "has an empty phrase"),
        ("students", "any student", "is no term"),
    ],
)
def test_a_deviation_needs_a_phrase_of_the_source(
    folder: Path, lint_changed: Lint, term: str, phrase: str, says: str
) -> None:
    declare(folder, term, phrase)
    found = lint_changed("requirements.md", "1. The yearly income of the whole household", USED)
    assert any(says in it for it in found) if says else found == []


SIZE = '{{ define("size") }}.'
BY_HAND = "defined by hand"


def test_a_definition_written_by_hand_is_found_where_it_stands(
    folder: Path, lint_changed: Lint
) -> None:
    found = lint_changed("requirements.md", SIZE, "Size counts\nevery member.")
    text = (folder / "requirements.md").read_text(encoding="utf-8")
    line = text.partition("Size counts")[0].count("\n") + 1
    assert [it for it in found if f"requirements.md:{line}:" in it and BY_HAND in it]
    assert any('Write {{ define("size") }}.' in it for it in found)


@pytest.mark.parametrize(
    ("term", "form"), [(it.name, form) for it in load_terms().values() for form in it.forms]
)
def test_every_form_of_every_term_is_found_by_hand_and_by_itself(
    folder: Path, term: str, form: str
) -> None:
    path = folder / "requirements.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\nSo, {load_terms()[term].forms[form]}.\n", encoding="utf-8")
    found = [it for it in check_vocabulary(load_program(folder, 2024)) if BY_HAND in it.what]
    assert [repr(term) in it.what for it in found] == [True]
    call = f'"{term}", "{form}"' if form else f'"{term}"'
    assert found[0].write_instead == f"Write {{{{ define({call}) }}}}."


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ('define("sise")', "'sise' is no term of editions/terms.toml. Did you mean size"),
        ('define("size", "short")', "The term 'size' has no form 'short'; it has none"),
        ('define("guardian")', "The term 'guardian' has no form ''"),
    ],
)
def test_a_definition_of_no_term_is_found(lint_changed: Lint, call: str, says: str) -> None:
    found = lint_changed("requirements.md", SIZE, f"{{{{ {call} }}}}.")
    assert any(says in it for it in found)


@pytest.mark.parametrize("call", ['define("sise")', "define(edition)"])
def test_a_definition_of_no_term_is_found_where_no_edition_prints_it(
    lint_changed: Lint, call: str
) -> None:
    planted = f"{SIZE}{{% if edition == 1 %}}{{{{ {call} }}}}{{% endif %}}"
    assert any("no such term" in it for it in lint_changed("requirements.md", SIZE, planted))


def test_a_definition_that_the_checker_does_not_read_is_found(lint_changed: Lint) -> None:
    found = lint_changed("requirements.md", SIZE, f'{SIZE} {{{{ define("own child") }}}}.')
    assert any("the checker reads none of is_own_child" in it for it in found)


CLAUSE_WORDS = {
    "child in care": "a child in the applicant's care",
    "single": "is single",
    "homeless or temporary housing": "is homeless",
    "size": "the amount for its size",
    "household income": "the income of the whole household",
    "family income": "the income of the family",
    "parents' family": "the income of the parents' family",
    "former foster youth": "is no former foster youth",
    "Medicaid family": "the income of the member's Medicaid family",
}


@pytest.mark.parametrize("term", [name for name, it in load_terms().items() if it.words])
def test_every_term_is_found_in_words(term: str) -> None:
    words = load_terms()[term].words
    assert words is not None
    assert words.search(CLAUSE_WORDS.get(term, term))
