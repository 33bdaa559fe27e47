"""The reference pages of commands and library, written from help texts and docstrings.

`python -m benyfits_data.cli.reference docs` writes `commands.md` and the second half of
`library.md`.
"""

import inspect
import json
import sys
from collections import Counter
from collections.abc import Iterator, Set
from copy import copy
from pathlib import Path
from typing import Any

import click

import benyfits_data
from benyfits_data.cli.main import main
from benyfits_data.dataset.json_schema import row_schema
from benyfits_data.staged_writes import write_atomically

WIDTH = 100
OFTEN = 4
"""Commands with the same option, from which on it is explained once for all of them."""
_HEAD = """# Commands

Written from what `-h` prints, by `python -m benyfits_data.cli.reference docs`.

The shell completes commands and options after this line, in `~/.bashrc` with `bash_source`, in
`~/.zshrc` with `zsh_source`: `eval "$(_BENYFITS_DATA_COMPLETE=bash_source benyfits-data)"`.
"""

FOR_AGENTS = ("ask", "ask_fact", "ask_roster", "ask_everybody", "complete", "judge", "predict")
"""What agents ask of a conversation."""
MARK = "<!-- written by `python -m benyfits_data.cli.reference docs`; do not edit below -->\n"


def reference() -> str:
    """Return the page: options of many commands, then each command with those of its own."""
    shared = _shared_options()
    formatter = click.HelpFormatter(width=WIDTH, max_width=WIDTH)
    formatter.write_dl(sorted(shared.values()))
    parts = [_HEAD, f"```\n{_help(main, 'benyfits-data')}\n```\n"]
    parts.append(f"## Options of many commands\n\n```\n{formatter.getvalue()}```\n")
    for path, command in commands():
        if isinstance(command, click.Group):
            parts.append(f"## {path}\n\n{inspect.cleandoc(command.help or '')}\n")
            continue
        left_out = {name for name, record in _options(command) if shared.get(name) == record}
        parts.append(f"## {path}\n\n```\n{_help(command, path, left_out)}\n```\n")
        if left_out:
            parts.append(f"Also {', '.join(f'`{name}`' for name in sorted(left_out))}.\n")
    return "\n".join(parts)


def _shared_options() -> dict[str, tuple[str, str]]:
    """Return what the help says of each option that many commands have, by its name."""
    uses = Counter(named for _, command in commands() for named in _options(command))
    shared: dict[str, tuple[str, str]] = {}
    for (name, record), n in uses.most_common():
        if n >= OFTEN:
            shared.setdefault(name, record)
    return shared


def _options(command: click.Command) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the name of each option, with what the help says of it."""
    context = click.Context(command)
    for option in command.params:
        if isinstance(option, click.Option) and (record := option.get_help_record(context)):
            yield max(option.opts, key=len), record


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


def _help(command: click.Command, path: str, left_out: Set[str] = frozenset()) -> str:
    """Return the help of a command without the options of some names."""
    # A command keeps the help option of its first use, which may have been under other settings.
    command = copy(command)
    command._help_option = None
    command.params = [one for one in command.params if not left_out & {*one.opts}]
    context = click.Context(command, info_name=path, terminal_width=WIDTH, max_content_width=WIDTH)
    context.help_option_names = []
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines())


def library_page(page: str) -> str:
    """Return the page of the library with its reference written anew below the mark."""
    parts = [page[: page.index(MARK)] + MARK + "\n"]
    for name in benyfits_data.__all__:
        public = getattr(benyfits_data, name)
        parts.append(f"### {name}\n\n{_described(public, f'bd.{name}')}")
        if inspect.isclass(public):
            for method, attribute in _methods(public):
                owner = name if isinstance(attribute, classmethod) else name.lower()
                parts.append(_described(getattr(public, method), f"{owner}.{method}"))
    return "\n".join([*parts, *_agent_parts()])


def _agent_parts() -> Iterator[str]:
    """Yield what the page says of the bundled agents, and of what a dialog offers to any."""
    from benyfits_data.evaluation.agents import find_agent
    from benyfits_data.evaluation.conversation import Conversation
    from benyfits_data.evaluation.models import AGENTS

    firsts = {name: (inspect.getdoc(find_agent(name)) or "").split("\n\n")[0] for name in AGENTS}
    rows = [f"| `{name}` | {' '.join(says.split())} |\n" for name, says in firsts.items()]
    yield f"### Bundled agents\n\n| agent | what it does |\n|---|---|\n{''.join(rows)}"
    yield "### Conversation\n"
    for method in FOR_AGENTS:
        yield _described(getattr(Conversation, method), f"await conversation.{method}")


def _methods(public: type) -> Iterator[tuple[str, Any]]:
    """Yield public methods of a class: its own, then what it has from other classes of ours."""
    for owner in public.__mro__:
        if owner.__module__.startswith("benyfits_data."):
            for name, attribute in vars(owner).items():
                if not name.startswith("_") and _is_callable(attribute):
                    yield name, attribute


def _is_callable(attribute: Any) -> bool:
    return inspect.isfunction(attribute) or isinstance(attribute, classmethod)


def _described(public: Any, called: str) -> str:
    """Return signature (functions only) and docstring of something public, as a block of text."""
    signature = "" if inspect.isclass(public) else str(inspect.signature(public))
    words = f"{called}{signature}".replace("'", "").replace("benyfits_data.", "")
    return f"```text\n{words}\n\n{inspect.getdoc(public)}\n```\n"


def write_pages(folder: Path) -> None:
    """Write both pages anew."""
    write_atomically(folder / "commands.md", reference())
    schema = json.dumps(row_schema(), ensure_ascii=False, indent=2)
    write_atomically(folder / "schema.json", f"{schema}\n")
    library = folder / "library.md"
    write_atomically(library, library_page(library.read_text(encoding="utf-8")))


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
