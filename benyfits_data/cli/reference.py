"""The page of commands: what `-h` prints.

`python -m benyfits_data.cli.reference docs` writes `commands.md` and the second half of
`library.md`.
"""

import sys
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

import click

import benyfits_data
from benyfits_data.cli.main import main
from benyfits_data.site.library_reference import library_page
from benyfits_data.staged_writes import write_atomically

HEAD = """# Commands

Written from what `-h` prints, by `python -m benyfits_data.cli.reference docs`.

The shell completes commands and options after this line, in `~/.bashrc` with `bash_source`, in
`~/.zshrc` with `zsh_source`: `eval "$(_BENYFITS_DATA_COMPLETE=bash_source benyfits-data)"`.
"""


def commands(
    group: click.Group = main, path: str = "benyfits-data"
) -> Iterator[tuple[str, click.Command]]:
    """Yield every command below a group with its whole name; groups come before what they hold."""
    context = click.Context(group, info_name=path)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


def reference() -> str:
    """Return the page of commands: the help of each."""
    settings: dict[str, Any] = {"terminal_width": 100, "max_content_width": 100}
    settings["help_option_names"] = main.context_settings["help_option_names"]
    parts = [HEAD]
    for path, command in (("benyfits-data", main), *commands()):
        # A command keeps the help option of its first use, which tests have under other names.
        command = copy(command)
        command._help_option = None
        text = command.get_help(click.Context(command, info_name=path, **settings))
        parts.append(f"## {path}\n\n```\n{text}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    library = Path(sys.argv[1]) / "library.md"
    write_atomically(library.with_name("commands.md"), reference())
    write_atomically(library, library_page(library.read_text(encoding="utf-8"), benyfits_data))
