"""How far a run is, on a terminal: dialogs that finished, and the turns of all."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_listeners: list[Callable[[bool], None]] = []


def report(*, is_dialog: bool) -> None:
    """Tell whoever listens that a question was answered, or that a dialog finished."""
    for listener in _listeners:
        listener(is_dialog)


@contextmanager
def listen(listener: Callable[[bool], None]) -> Iterator[None]:
    """Call a function while the context is open: with each turn, and, `True`, each dialog."""
    _listeners.append(listener)
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
    from rich.progress import BarColumn, Progress, TimeElapsedColumn

    told = "{task.completed} of {task.total} dialogs, {task.fields[turns]} turns"
    columns = ("{task.description}", BarColumn(), told, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task, turns = bar.add_task(title, total=dialogs, turns=0), 0

        def advance(is_dialog: bool) -> None:
            nonlocal turns
            turns += not is_dialog
            bar.update(task, advance=int(is_dialog), turns=turns)

        with listen(advance):
            yield
