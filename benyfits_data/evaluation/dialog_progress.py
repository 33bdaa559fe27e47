"""How far a run is, on a terminal: dialogs that finished, and the turns of all."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_listeners: list[Callable[[bool], None]] = []


def report_turn() -> None:
    """Tell whoever listens that a question was answered."""
    for listener in _listeners:
        listener(False)


def report_dialog() -> None:
    """Tell whoever listens that a dialog finished."""
    for listener in _listeners:
        listener(True)


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
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed

    columns = (
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        *(TextColumn("dialogs, {task.fields[turns]} turns"), Elapsed()),
    )
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as bar:
        task, turns = bar.add_task(title, total=dialogs, turns=0), 0

        def advance(is_dialog: bool) -> None:
            nonlocal turns
            turns += not is_dialog
            bar.update(task, advance=int(is_dialog), turns=turns)

        with listen(advance):
            yield
