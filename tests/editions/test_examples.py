"""Which examples hold in which edition."""

from pathlib import Path

import pytest

from benyfits_data.editions.examples import examples_in_force, load_examples

FOLDER = """
[[example]]
name = "always"
eligible = true
household = {}

[[example]]
name = "first rule"
eligible = true
editions = [2024]
household = {}

[[example]]
name = "second rule"
eligible = true
editions = [2026]
household = {}

[[example]]
name = "closed"
eligible = true
until = 2026
household = {}

[[example]]
name = "opened"
eligible = true
since = 2027
household = {}
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
def test_a_later_year_inherits_the_examples_of_the_last_one_named(
    tmp_path: Path, year: int, names: list[str]
) -> None:
    path = tmp_path / "examples.toml"
    path.write_text(FOLDER, encoding="utf-8")
    assert [it.name for it in examples_in_force(load_examples(path), year)] == names
