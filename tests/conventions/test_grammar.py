"""One grammar for commands: an option means one thing, and a mode is a command of its own."""

import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping

import click
import pytest

from benyfits_data.cli.reference import commands

ALL = {path.removeprefix("benyfits-data "): command for path, command in commands()}
GONE = {
    "--jobs": "--workers",
    "--save": "--output",
    "--folder": "--output",
    "--diff": "a command",
    "--fewest": "a command",
    "--simulate": "a command",
    "--planner": "a command",
    "--design": "a command",
    "--models": "--model",
    "--questions": "--track",
}
"""Names that stood for what another name says."""
SEVERAL_KINDS = {
    "--objective": "the builds cover traces too",
}
"""Options whose values differ between commands, and why."""
READ = {"--dataset", "--judgments", "--logs", "--prompts", "--changelog", "--text"}
"""Options that name what is read, where no argument does; they never write anew."""


def options_of(command: click.Command) -> list[click.Option]:
    return [it for it in command.params if isinstance(it, click.Option)]


def kind_of(option: click.Option) -> str:
    """Return what an option takes, apart from bounds: a flag, a number, a path, a choice."""
    if option.is_flag:
        return "flag"
    if isinstance(option.type, click.Choice):
        return f"choice {sorted(map(str, option.type.choices))}"
    if isinstance(option.type, click.Path):
        return "path"
    number = click.types.IntParamType, click.types.FloatParamType
    return "number" if isinstance(option.type, number) else "text"


def several_meanings(found: Mapping[str, click.Command]) -> dict[str, set[str]]:
    """Return options that take different kinds of values in different commands."""
    kinds: dict[str, set[str]] = defaultdict(set)
    for command in found.values():
        for option in options_of(command):
            kinds[option.opts[0]].add(kind_of(option))
    return {name: its for name, its in kinds.items() if len(its) > 1}


def old_names(found: Mapping[str, click.Command]) -> list[str]:
    return [
        f"{path} {name}: {GONE[name]}"
        for path, command in found.items()
        for option in options_of(command)
        for name in option.opts
        if name in GONE
    ]


def read_through_output(found: Mapping[str, click.Command]) -> list[str]:
    """Return commands whose --output must be there before, so that it is read."""
    return [
        path
        for path, command in found.items()
        for option in options_of(command)
        if "--output" in option.opts
        and (not isinstance(option.type, click.Path) or option.type.exists)
    ]


def read_paths(found: Mapping[str, click.Command]) -> set[str]:
    """Return options that name something that is read."""
    return {
        option.opts[0]
        for command in found.values()
        for option in options_of(command)
        if isinstance(option.type, click.Path) and option.type.exists
    }


def two_ways_of_tables(found: Mapping[str, click.Command]) -> list[str]:
    """Return commands that print CSV but no JSON, or choose a form of tables otherwise."""
    return [
        path
        for path, command in found.items()
        for names in [{name for option in options_of(command) for name in option.opts}]
        if ("--csv" in names and "--json" not in names) or "--as" in names
    ]


def test_an_option_means_one_thing() -> None:
    assert several_meanings(ALL).keys() == SEVERAL_KINDS.keys()


def test_no_option_has_a_second_name() -> None:
    assert old_names(ALL) == []


def test_output_is_only_ever_written() -> None:
    assert read_through_output(ALL) == []
    assert read_paths(ALL) <= READ


def test_tables_are_asked_for_in_one_way() -> None:
    assert two_ways_of_tables(ALL) == []
    for path in ("programs list", "sources assumptions", "results"):
        assert {"--csv", "--json"} <= {name for it in options_of(ALL[path]) for name in it.opts}


def test_no_flag_turns_a_command_into_another() -> None:
    """What only one mode of a command takes says so in brackets or words: none does."""
    for path, command in ALL.items():
        for option in options_of(command):
            says = option.help or ""
            assert "Instead" not in says, f"{path} {option.opts[0]} is a mode: make it a command"


@pytest.mark.parametrize(
    ("planted", "scan"),
    [
        (click.Option(["--households"], type=click.Path()), several_meanings),
        (click.Option(["--jobs"], type=int), old_names),
        (click.Option(["--output"], type=click.Path(exists=True)), read_through_output),
        (click.Option(["--csv"], is_flag=True), two_ways_of_tables),
    ],
)
def test_a_planted_violation_is_caught(planted: click.Option, scan) -> None:  # type: ignore[no-untyped-def]
    before = scan(ALL)
    after = scan(ALL | {"planted": click.Command("planted", params=[planted])})
    assert len(after) == len(before) + 1


def test_help_of_a_command_imports_nothing_heavy() -> None:
    """So that each answers `--help` in 0.3 s: no clock decides, but what is imported."""
    code = (
        "import importlib, sys\n"
        "from benyfits_data.cli.main import SECTIONS\n"
        "for places in SECTIONS.values():\n"
        "    for place in places.values():\n"
        "        importlib.import_module(f'benyfits_data.cli.cmd_{place.module}')\n"
        "parts = ('cli', 'errors', 'version')\n"
        "print([name for name in sys.modules if name.startswith('benyfits_data.')\n"
        "       and name.split('.')[1] not in parts])\n"
        "print([name for name in ('numpy', 'jinja2', 'rich', 'z3') if name in sys.modules])\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n[]\n"
