"""No number steers the synthetic city from code: shares are in sources/, whole numbers have a name.

A whole number that is no unit is a constant of its module with a docstring that says what it is,
or one of `household/constants.py`.
"""

import ast
from itertools import pairwise
from pathlib import Path

import benyfits_data

POPULATION = Path(benyfits_data.__file__).parent / "population"
COMPUTES = {0.0, 0.5, 1.0}
"""Numbers of arithmetic: nothing, middles, the whole."""
NUMERICAL = 1e-4
"""Smaller ones keep a computation from dividing by zero or say when it has converged."""
UNITS = frozenset({*range(13), 31, 100, 1_000, 4096, 10**6})
"""Small counts, positions, months, percent, thousands; bits of a number, and a cache."""
DRAW_NOTHING = (
    "check",
    "cross_tabulations",
    "eligibility",
    "equal_repeats",
    "representative",
    "sample_design",
    "source_checks",
)
"""How modules begin that compare, draw samples of the city or paint it: no fact comes from them."""


def steering_numbers(text: str) -> list[int]:
    """Return the lines with a float that is not one of arithmetic."""
    return sorted(
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, float)
        and node.value not in COMPUTES
        and node.value > NUMERICAL
    )


def unexplained_numbers(text: str) -> list[int]:
    """Return the lines with a whole number that is neither a unit nor an explained constant."""
    tree = ast.parse(text)
    explained: set[int] = set()
    for statement, following in pairwise(tree.body):
        is_docstring = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
        if isinstance(statement, ast.Assign | ast.AnnAssign) and is_docstring:
            explained.update(id(node) for node in ast.walk(statement))
    return sorted(
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and type(node.value) is int
        and node.value not in UNITS
        and id(node) not in explained
    )


def test_no_whole_number_steers_the_city_without_a_name() -> None:
    paths = [p for p in POPULATION.glob("*.py") if not p.name.startswith(DRAW_NOTHING)]
    found = {p.name: lines for p in paths if (lines := unexplained_numbers(p.read_text()))}
    assert found == {}, "name them, and say in a docstring below what they are"


def test_a_planted_whole_number_is_found_and_an_explained_one_is_not() -> None:
    assert unexplained_numbers('HOMES = 20_000\nYOUNG = 23\n"""Age."""\nx = 12\n') == [1]
    assert unexplained_numbers("def draw():\n    return 38 * 100\n") == [2]


def test_no_float_steers_the_city_from_code() -> None:
    paths = [p for p in POPULATION.glob("*.py") if not p.name.startswith(DRAW_NOTHING)]
    assert len(paths) > 15
    found = {path.name: lines for path in paths if (lines := steering_numbers(path.read_text()))}
    assert found == {}, "move them to sources/parameters.csv, with status and note"


def test_a_planted_weight_is_found_and_a_guard_is_not() -> None:
    assert steering_numbers("weight = 0.85\nhalf = 0.5\nguard = 1e-12") == [1]
    assert steering_numbers("rank = noise + 0.9 * grown\n\nshare = {'citizenship': 0.7}") == [1, 3]
