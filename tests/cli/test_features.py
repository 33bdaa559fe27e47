"""`benyfits-data features`: list and show."""

from benyfits_data.household.features import FEATURES
from tests.commands import invoke


def test_list_prints_one_feature_a_line() -> None:
    result = invoke("features", "list")
    assert [line.split("\t")[0] for line in result.output.splitlines()] == ["feature", *FEATURES]


def test_show_prints_values_wording_and_published_name() -> None:
    lines = invoke("features", "show", "weeks_pregnant").output.splitlines()
    assert "values:    a whole number from 4 to 42 or null" in lines
    assert "published: not in the published data" in lines


def test_an_unknown_feature_suggests_those_of_like_name() -> None:
    result = invoke("features", "show", "weeks")
    assert result.exit_code == 1
    assert "weeks_pregnant" in result.stderr
