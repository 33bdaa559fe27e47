"""How far work is, on stderr: a bar on a terminal, elsewhere a line now and then."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import monotonic

Progress = Callable[[str, int | None], AbstractContextManager[Callable[[int], None]]]
"""Shows that a step of so many parts runs, and gives what is told how many more are done."""
SECONDS_BETWEEN_LINES = 30
"""Where there is no terminal: seldom enough for the log of a job."""


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show on stderr that the block runs; give the function that says how much more is done.

    On a terminal a bar moves, elsewhere a line is printed every 30 seconds.

    Args:
        label: What is done.
        total: How many there are to do; `None` where nobody counts.
    """
    if not sys.stderr.isatty():
        yield progress_lines(label, total)
        return
    from rich.console import Console
    from rich.progress import Progress, TimeElapsedColumn

    columns = (*Progress.get_default_columns(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=total is None) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.advance(task, done)


def progress_lines(label: str, total: int | None = None) -> Callable[[int], None]:
    """Return a function that counts what is done, and says so when it has been quiet for long."""
    count, last = 0, monotonic()

    def tick(done: int) -> None:
        nonlocal count, last
        count += done
        if monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = monotonic()
            sys.stderr.write(f"{label}: {count:,}" + (f" of {total:,}\n" if total else "\n"))

    return tick
