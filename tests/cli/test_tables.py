"""Every command that prints a table: JSON when asked, 80 columns, no colours, tabs in a pipe."""

import json

import click
import pytest
from click.testing import Result

from benyfits_data import Household, label, load
from benyfits_data.cli.reference import commands
from benyfits_data.cli.tables import print_table
from benyfits_data.dataset import Row, write_rows
from tests.commands import invoke
from tests.upkeep import city_sample

WRITERS = {
    "diverse": "writes a dataset",
    "representative": "writes a dataset",
    "representative-25": "writes a dataset",
    "thorough": "writes a dataset",
    "screen": "talks with a person",
    "runs bundle": "writes a file",
    "households sample": "writes households",
    "label": "writes a JSON line a household",
    "site": "writes pages",
    "vectors": "writes test cases",
    "study people": "waits for a person",
    "publish": "writes a release",
    "init": "makes a folder",
    "editions new": "prepares a year",
    "editions export": "writes CSV",
    "editions import": "writes values",
    "editions reviewed": "notes a day",
    "editions publish": "fixes a digest",
    "editions correct": "notes a reason",
    "programs new": "makes a folder",
    "programs edit": "copies a folder",
    "population eligibility": "writes CSV",
    "population draw": "writes households",
}
"""Commands that write and print no table, so that they need no --json."""

ELSEWHERE = {
    "par": "tests/cli/test_par",
    "planner": "tests/cli/test_par",
    "programs draft": "tests/evaluation/rules/test_draft",
    "prove fewest": "tests/cli/test_prove",
    "prove readers": "tests/cli/test_prove",
    "study answers": "tests/evaluation/test_studies",
    "study user": "tests/evaluation/test_studies",
    "study agreement": "tests/evaluation/test_studies",
    "study reader": "tests/evaluation/test_reading_banks",
    "eval": "tests/evaluation/test_results",
    "results": "tests/evaluation/test_results",
    "runs check": "tests/evaluation/test_submission",
    "runs diff": "tests/evaluation/test_results",
    "population check": "tests/population/test_commands",
    "population sensitivity": "tests/population/test_sensitivity",
    "programs lint": "tests/cli/test_programs",
    "programs diff": "tests/upkeep/test_edition_diff",
    "programs readings": "tests/cli",
}
"""Commands whose JSON other tests read."""


def leaves() -> dict[str, click.Command]:
    """Every command that holds no others, by its name."""
    return {
        path.removeprefix("benyfits-data "): command
        for path, command in commands()
        if not isinstance(command, click.Group)
    }


def takes_json(command: click.Command) -> bool:
    return any("--json" in parameter.opts for parameter in command.params)


def without_json(found: dict[str, click.Command]) -> set[str]:
    return {name for name, command in found.items() if not takes_json(command)}


def test_every_command_takes_json_or_is_known_to_print_no_table() -> None:
    assert without_json(leaves()) <= WRITERS.keys()


def test_a_command_that_prints_a_table_without_json_is_found() -> None:
    @click.command()
    def planted() -> None:
        print_table(("a",), [(1,)])

    assert without_json({"planted": planted, "features list": leaves()["features list"]}) == {
        "planted"
    }


@pytest.fixture(scope="module")
def arguments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What to ask each command, so that it answers in seconds."""
    folder = tmp_path_factory.mktemp("tables")
    home = Household.complete(members=[{"name": "Ana", "age": 30}])
    labels = {name: bool(it[0]) for name, it in label(load(2024), [home]).items()}
    path = folder / "rows.jsonl"
    write_rows(path, [Row("one", 2024, home, "", ("IDNYC",), {"IDNYC": labels["IDNYC"]}, labels)])
    city = folder / "city.csv"
    city.write_text(city_sample.as_csv(), encoding="utf-8")
    few = ["--households", "50", "--workers", "1", "--cache", str(folder / "kept")]
    return {
        "audit": [str(path)],
        "editions compare": [str(city), "--edition", "2026"],
        "editions list": [],
        "editions status": ["2026"],
        "editions verify": [],
        "explain": [str(path), "one", "IDNYC", "Fair Fares NYC"],
        "features list": [],
        "features show": ["Weeks pregnant"],
        "households plausibility": [str(path)],
        "mutants": [str(path), "--program", "IDNYC", *few],
        "programs list": [],
        "programs show": ["fair fares nyc"],
        "prove checkers": ["IDNYC", *few],
        "sources assumptions": [],
        "sources check": [],
        "sources list": [],
        "sources show": ["receives SNAP"],
    }


def run(name: str, *arguments: str, **environment: str) -> Result:
    result = invoke(*name.split(), *arguments, env=environment)
    # 1 is the verdict of a check.
    assert result.exit_code in (0, 1), result.output
    return result


def test_every_command_with_json_is_tried(arguments: dict[str, list[str]]) -> None:
    tried = arguments.keys() | ELSEWHERE.keys()
    assert {name for name, command in leaves().items() if takes_json(command)} <= tried


@pytest.mark.slow
def test_json_is_json(arguments: dict[str, list[str]]) -> None:
    for name, asked in arguments.items():
        assert isinstance(json.loads(run(name, *asked, "--json").stdout), list | dict), name


TABLES = (
    "editions compare",
    "editions list",
    "editions status",
    "features list",
    "mutants",
    "programs list",
    "sources list",
)


@pytest.mark.slow
def test_tables_fit_a_terminal_of_80_columns_without_colours(
    arguments: dict[str, list[str]],
) -> None:
    terminal = {"FORCE_COLOR": "1", "NO_COLOR": "1", "COLUMNS": "80"}
    for name in TABLES:
        lines = run(name, *arguments[name], **terminal).stdout.splitlines()
        assert max(map(len, lines)) <= 80, name
        assert "\x1b" not in "".join(lines), name


@pytest.mark.slow
def test_tables_are_tabs_in_a_pipe(arguments: dict[str, list[str]]) -> None:
    for name in TABLES:
        lines = [it for it in run(name, *arguments[name]).stdout.splitlines() if "\t" in it]
        assert len({line.count("\t") for line in lines}) == 1, name


@pytest.fixture
def wide(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("wide")
def test_long_words_are_folded_and_markup_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("name", "says"), [("x" * 200, "[bold]not bold[/bold]"), ("y", "z " * 100)])
    told = capsys.readouterr().out
    assert max(map(len, told.splitlines())) <= 80
    assert told.count("x") == 200
    assert "[bold]" in told


def test_numbers_are_read_by_people_in_text_and_by_machines_in_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    row = [(2024, 1_234_567, 0.12345, None, True, ["a", "b"])]
    header = ("year", "n", "share", "none", "flag", "many")
    print_table(header, row)
    assert capsys.readouterr().out.splitlines()[1] == "2024\t1,234,567\t0.123\t\tyes\ta, b"
    print_table(header, row, form="json")
    (told,) = json.loads(capsys.readouterr().out)
    assert list(told.values()) == [2024, 1_234_567, 0.12345, None, True, ["a", "b"]]
