"""Every command that prints a table: JSON when asked, 80 columns, no colours, tabs in a pipe."""

import json

import click
import pytest
from click.testing import CliRunner, Result

from benyfits_data import Household, label, load
from benyfits_data.cli.frame import Listing, Report, print_report, verb
from benyfits_data.cli.reference import commands
from benyfits_data.dataset import Row, write_rows
from benyfits_data.errors import BenyfitsError
from benyfits_data.progress import progress
from tests.commands import invoke
from tests.upkeep import city_sample

ELSEWHERE = {
    "par": "tests/cli/test_par",
    "study answers": "tests/evaluation/test_studies",
    "study user": "tests/evaluation/test_studies",
    "study reader": "tests/evaluation/test_reading_bank",
    "eval": "tests/evaluation/test_results",
    "results": "tests/evaluation/test_results",
    "judge": "tests/evaluation/rules/test_judging",
    "population check": "tests/population/test_commands",
    "population eligibility": "tests/population/test_program_share",
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


def test_a_command_takes_json_where_it_returns_something() -> None:
    @verb("listed")
    def listed() -> Listing:
        return Listing(("a",), [(1,)])

    @verb("written")
    def written() -> None:
        pass

    assert [takes_json(command) for command in (listed, written)] == [True, False]
    assert CliRunner().invoke(listed).stdout == "a\n1\n"
    assert json.loads(CliRunner().invoke(listed, "--json").stdout) == [{"a": 1}]

    def silent() -> Listing | None:
        return None

    with pytest.raises(AssertionError, match="silent: --json would print nothing"):
        verb("silent")(silent)


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
    few = ["--households", "50", "--workers", "1"]
    return {
        "audit": [str(path)],
        "editions compare": [str(city), "--edition", "2026"],
        "editions list": [],
        "editions amounts": ["2026"],
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
    "editions amounts",
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


def test_numbers_are_read_by_people_in_text_and_by_machines_in_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    row = [(2024, 1_234_567, 0.12345, None, True, ["a", "b"])]
    header = ("year", "n", "share", "none", "flag", "many")
    print_report(Listing(header, row), as_json=False)
    assert capsys.readouterr().out.splitlines()[1] == "2024\t1,234,567\t0.123\t\tyes\ta, b"
    print_report(Listing(header, row), as_json=True)
    (told,) = json.loads(capsys.readouterr().out)
    assert list(told.values()) == [2024, 1_234_567, 0.12345, None, True, ["a", "b"]]


def test_a_report_that_failed_is_printed_before_the_command_ends_with_1() -> None:
    def failing(failed: bool | BenyfitsError) -> Result:
        @verb("check")
        def check() -> Report:
            return Report(["wrong"], ["wrong"], ["1 problem"], failed=failed)

        return CliRunner().invoke(check)

    for failed in (True, BenyfitsError("Mend it.")):
        result = failing(failed)
        assert (result.exit_code, result.stdout, result.stderr) == (1, "wrong\n", "1 problem\n")
        assert isinstance(result.exception, SystemExit if failed is True else BenyfitsError)
    assert failing(False).exit_code == 0


def test_without_a_terminal_a_line_is_printed_every_thirty_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter((0.0, 10.0, 31.0, 31.0, 40.0, 62.0, 62.0))
    monkeypatch.setattr("benyfits_data.progress.monotonic", lambda: next(clock))
    with progress("tracing", 2_000) as tick:
        for _ in range(4):
            tick(1)
    assert capsys.readouterr().err == "tracing: 2 of 2,000\ntracing: 4 of 2,000\n"
