"""Commands: documented, each option with one meaning."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import click

from benyfits_data.cli.reference import commands, reference

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
ALL = dict(commands())
KINDS = {"float": "integer", "directory": "file"}
"""Types of options that are of one kind."""


def unhelpful(some: Mapping[str, click.Command]) -> list[str]:
    """Return what the help of commands lacks: a first sentence, an example, an option's help."""
    lacking = []
    for path, command in some.items():
        text = command.help or ""
        examples = f"{text}\n{command.epilog or ''}"
        if not text.split("\n")[0].strip().endswith("."):
            lacking.append(f"{path}: a first sentence")
        if path not in examples or "Example" not in examples:
            lacking.append(f"{path}: an example")
        for option in command.params:
            # Options whose name says it all, such as --trials, need no help where a range is given.
            if isinstance(option, click.Option) and not (option.help or option.show_default):
                lacking.append(f"{path}: help of {option.name}")
    return lacking


def several_meanings(some: Mapping[str, click.Command]) -> list[str]:
    """Return options that take different kinds of values in different commands."""
    kinds: dict[str, set[str]] = defaultdict(set)
    for command in some.values():
        for option in command.params:
            if isinstance(option, click.Option):
                kind = option.type.name.removesuffix(" range")
                kinds[option.opts[0]].add("flag" if option.is_flag else KINDS.get(kind, kind))
    return [name for name, meanings in kinds.items() if len(meanings) > 1]


def test_commands_keep_to_one_grammar_and_a_planted_violation_is_caught() -> None:
    planted = click.Command(
        "planted", params=[click.Option(["--what"]), click.Option(["--households"])]
    )
    assert unhelpful(ALL) == several_meanings(ALL) == []
    assert unhelpful({"planted": planted}) == [
        *("planted: a first sentence", "planted: an example"),
        *("planted: help of what", "planted: help of households"),
    ]
    assert several_meanings(ALL | {"planted": planted}) == ["--households"]


def test_the_reference_page_is_up_to_date() -> None:
    stale = "docs/commands.md is stale: python -m benyfits_data.cli.reference docs"
    assert PAGE.read_text(encoding="utf-8") == reference(), stale
