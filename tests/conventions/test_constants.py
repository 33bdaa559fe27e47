"""No share, median or spread of the synthetic city stands in code: they are in sources/.

Whole numbers are not looked at: ages, counts and limits that constraints set too.
"""

import ast
from pathlib import Path

import benyfits_data

POPULATION = Path(benyfits_data.__file__).parent / "population"
COMPUTES = {0.0, 0.5, 1.0}
"""Numbers of arithmetic: nothing, middles, the whole."""
NUMERICAL = 1e-4
"""Smaller ones keep a computation from dividing by zero or say when it has converged."""
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


def test_no_float_steers_the_city_from_code() -> None:
    paths = [p for p in POPULATION.glob("*.py") if not p.name.startswith(DRAW_NOTHING)]
    assert len(paths) > 15
    found = {path.name: lines for path in paths if (lines := steering_numbers(path.read_text()))}
    assert found == {}, "move them to sources/parameters.csv, with status and note"


def test_a_planted_weight_is_found_and_a_guard_is_not() -> None:
    assert steering_numbers("weight = 0.85\nhalf = 0.5\nguard = 1e-12") == [1]
    assert steering_numbers("rank = noise + 0.9 * grown\n\nshare = {'citizenship': 0.7}") == [1, 3]
