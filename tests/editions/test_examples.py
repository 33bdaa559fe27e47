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
until = 2024
household = {}

[[example]]
name = "second rule"
eligible = true
since = 2026
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
def test_an_example_holds_from_since_to_until(tmp_path: Path, year: int, names: list[str]) -> None:
    path = tmp_path / "examples.toml"
    path.write_text(FOLDER, encoding="utf-8")
    assert [it.name for it in examples_in_force(load_examples(path), year)] == names
