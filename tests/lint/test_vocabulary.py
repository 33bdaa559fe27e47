"""One vocabulary: a term means the same measures and facts, or the source says why not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.lint.vocabulary import TERMS, check_vocabulary

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
        ("student", "one two three four five six", "has the phrase"),
        ("student", "", "has the phrase"),
        ("students", "any student", "is no term"),
    ],
)
def test_a_deviation_needs_a_phrase_of_the_source(
    folder: Path, lint_changed: Lint, term: str, phrase: str, says: str
) -> None:
    declare(folder, term, phrase)
    found = lint_changed("requirements.md", "1. The yearly income of the whole household", USED)
    assert any(says in it for it in found) if says else found == []


@pytest.mark.parametrize("term", TERMS)
def test_every_term_is_found_in_words(term: str) -> None:
    import re

    words, _ = TERMS[term]
    text = {"child in somebody's care": "a child in the applicant's care", "single": "is single"}
    assert re.search(words, text.get(term, term))
