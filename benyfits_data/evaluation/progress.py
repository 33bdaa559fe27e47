"""How far a run is, on a terminal: one step per finished dialog."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from benyfits_data.evaluation.dialog import Dialog

_listeners: list[Callable[[Dialog], None]] = []


def report_dialog(dialog: Dialog) -> None:
    """Return nothing; whoever listens hears of a finished dialog.

    Args:
        dialog: The dialog.
    """
    for listener in _listeners:
        listener(dialog)


def add_listener(listener: Callable[[Dialog], None]) -> None:
    """Call a function with every dialog that finishes in this process from now on.

    Args:
        listener: The function.
    """
    _listeners.append(listener)


@contextmanager
def listen(listener: Callable[[Dialog], None]) -> Iterator[None]:
    """Call a function with every dialog that finishes while the context is open.

    Args:
        listener: The function.
    """
    add_listener(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def show_progress(title: str, dialogs: int) -> Iterator[None]:
    """Show a progress bar on standard error; silent when that is no terminal.

    Args:
        title: What is being played.
        dialogs: How many dialogs there are.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Elapsed(),
        console=Console(file=sys.stderr),
        disable=not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task(title, total=dialogs)
        with listen(lambda _: bar.advance(task)):
            yield
