"""Every command has help with an example, and the reference page is up to date."""

from pathlib import Path

import click

from benyfits_data.cli.main import SECTIONS
from benyfits_data.cli.reference import commands, reference

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
ALL = dict(commands())


def unhelpful(path: str, command: click.Command) -> list[str]:
    """Return what the help of a command lacks."""
    text = command.help or ""
    examples = f"{text}\n{command.epilog or ''}"
    found = []
    if not text.split("\n")[0].strip().endswith("."):
        found.append("a first sentence")
    if path not in examples or "Example" not in examples:
        found.append("an example")
    for option in command.params:
        # Options whose name says it all, such as --trials, need no help where a range is given.
        if isinstance(option, click.Option) and not (option.help or option.show_default):
            found.append(f"help for --{option.name}")
    return found


def test_commands_have_help_and_an_example() -> None:
    assert {path: found for path in ALL if (found := unhelpful(path, ALL[path]))} == {}


def test_a_command_without_help_is_caught() -> None:
    @click.command(help="Do something")
    @click.option("--what")
    def planted() -> None:
        pass

    assert unhelpful("benyfits-data planted", planted) == [
        "a first sentence",
        "an example",
        "help for --what",
    ]


def test_the_table_of_commands_says_each_in_a_sentence_of_its_own() -> None:
    said = [place.says for places in SECTIONS.values() for place in places.values()]
    assert all(words.endswith(".") for words in said)
    assert len(set(said)) == len(said)


def test_every_command_stands_apart_that_only_developers_need() -> None:
    assert set(SECTIONS["For developers of the benchmark"]) == {
        *("mutants", "par", "planner", "prove"),
    }


def test_the_reference_page_is_up_to_date() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == reference(), (
        "docs/commands.md is stale: python -m benyfits_data.cli.reference docs"
    )


def test_the_reference_page_documents_every_command() -> None:
    page = reference()
    assert [path for path in ALL if f"\n## {path}\n" not in page] == []
