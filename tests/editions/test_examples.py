"""Which examples hold in which edition."""

from pathlib import Path

import pytest

from benyfits_data.editions.examples import load_examples
from benyfits_data.editions.toml_file import is_in_force
from benyfits_data.errors import ProgramFolderError

FOLDER = """
["always"]
answer = { eligible = true }

["first rule"]
answer = { eligible = true, until = 2024 }

["second rule"]
answer = { eligible = true, since = 2026 }

["closed"]
answer = { eligible = true, until = 2026 }

["opened"]
answer = { eligible = true, since = 2027 }
"""


@pytest.mark.parametrize(
    ("year", "names"),
    [
        (2024, ["always", "first rule", "closed"]),
        (2026, ["always", "second rule", "closed"]),
        (2027, ["always", "second rule", "opened"]),
        (2031, ["always", "second rule", "opened"]),
    ],
)
def test_an_example_holds_from_since_to_until(tmp_path: Path, year: int, names: list[str]) -> None:
    path = tmp_path / "examples.toml"
    path.write_text(FOLDER, encoding="utf-8")
    examples = load_examples(path)
    assert [it.name for it in examples if is_in_force(it.since, it.until, year)] == names


LIMIT = """
["at the age"]
answer = { eligible = true, clause = "2", since = 2026 }
below = { eligible = false, name = "younger" }
above = { eligible = true, clause = "2a", name = "older" }
members = [{ age = "= min_age + step", gpa = "= min_gpa" }, { relation = "child" }]
"""


def test_a_limit_is_stepped_around(tmp_path: Path) -> None:
    path = tmp_path / "examples.toml"
    path.write_text(LIMIT, encoding="utf-8")
    at, below, above = load_examples(path)
    assert (at.name, at.eligible, at.clause, at.since) == ("at the age", True, "2", 2026)
    assert (below.name, below.eligible, below.clause, below.since) == ("younger", False, "2", 2026)
    assert (above.name, above.eligible, above.clause, above.since) == ("older", True, "2a", 2026)
    child = {"relation": "child"}
    assert at.facts["members"] == [{"age": "= min_age", "gpa": "= min_gpa"}, child]
    assert below.facts["members"] == [{"age": "= min_age - 1", "gpa": "= min_gpa"}, child]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (" + step", "", r"`below` or `above` and a value with `\+ step` go together"),
        (
            "answer = { eligible = true, ",
            "answer = { ",
            "example 'at the age', answer lacks eligib",
        ),
        ('clause = "2"', 'clauses = "2"', "Did you mean clause"),
        ("eligible = false", "eligible = false, until = 2024", "below has 'until'"),
        (', name = "younger"', "", "example 'at the age', below lacks name"),
        ("answer", "answers", "example 'at the age' lacks answer"),
        ('["at the age"]', '[["at the age"]]', r"Head each example with its name: \[\"at the"),
    ],
)
def test_a_fault_around_a_limit_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = tmp_path / "examples.toml"
    assert old in LIMIT
    path.write_text(LIMIT.replace(old, new), encoding="utf-8")
    with pytest.raises(ProgramFolderError, match=says):
        load_examples(path)


def test_a_file_that_cannot_be_read_says_why_in_words(tmp_path: Path) -> None:
    with pytest.raises(ProgramFolderError, match=r"read: No such file or directory\. Give a file"):
        load_examples(tmp_path / "examples.toml")
