"""Where a person who plays a role reads and types: the terminal, or a page of a study."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import anyio.to_thread
import click


class Console(Protocol):
    """Where a person reads and types."""

    def show(self, text: str) -> None:
        """Show some text."""

    def read(self, text: str) -> str:
        """Show some text and wait for what is typed after it."""


class Terminal:
    """The terminal that the command was typed in."""

    def show(self, text: str) -> None:
        """Print some text."""
        click.echo(text, err=True)

    def read(self, text: str) -> str:
        """Return the line that is typed after some text."""
        reply: str = click.prompt(text, default="", show_default=False, err=True)
        return reply


_CONSOLES: list[Console] = [Terminal()]


@contextmanager
def speaking_through(console: Console) -> Iterator[None]:
    """Let whoever plays a role read and type at another place while the block runs."""
    _CONSOLES.append(console)
    try:
        yield
    finally:
        _CONSOLES.pop()


def show(text: str) -> None:
    """Show some text to the person."""
    _CONSOLES[-1].show(text)


async def read_line(text: str) -> str:
    """Return what the person types after some text."""
    console = _CONSOLES[-1]
    return (await anyio.to_thread.run_sync(console.read, text, abandon_on_cancel=True)).strip()
