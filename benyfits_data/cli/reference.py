"""The reference of all commands, `docs/commands.md`, written from their help.

`python -m benyfits_data.cli.reference docs/commands.md` writes the page anew.
"""

import sys
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import click

from benyfits_data.cli.main import main

WIDTH = 100
_HEAD = """# Commands

Written from the commands' help by `python -m benyfits_data.cli.reference docs/commands.md`.
"""


def reference() -> str:
    """Return the page: the help of every command that is not a mere group of others."""
    parts = [_HEAD, f"```\n{_help(main, 'benyfits-data')}\n```\n"]
    for path, command in commands():
        parts.append(f"## {path}\n\n```\n{_help(command, path)}\n```\n")
    return "\n".join(parts)


def commands(
    group: click.Group = main, path: str = "benyfits-data"
) -> Iterator[tuple[str, click.Command]]:
    """Yield every command below a group with its whole name; groups come before what they hold."""
    context = click.Context(group, info_name=path)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None:
            continue
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


def _help(command: click.Command, path: str) -> str:
    # A command keeps the help option of its first use, which may have been under other settings.
    command = copy(command)
    command._help_option = None
    context = click.Context(command, info_name=path, terminal_width=WIDTH, max_content_width=WIDTH)
    context.help_option_names = ["-h", "--help"]
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines())


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
