"""Runs in progress: how far they are, and when they stop since an agent breaks dialogs off."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import StackSummary, TracebackException

import anyio

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.replies import clean_text

FIRST_DIALOGS = 3
"""Dialogs that have to break off alike: one or two may be of a household that the agent's author
did not think of, and every dialog more may cost calls of a model."""
LONGEST_TRACEBACK = 5000
"""Characters of a traceback that are kept: its end, which says what went wrong."""

NOT_PLAYED = "not played: the agent broke off the first dialogs"


class RemoteAgentError(EvaluationError):
    """An agent in another process raised an error.

    Attributes:
        kind: The name of its exception.
        traceback: Its traceback there.
    """

    kind: str
    traceback: str


class NotPlayedError(EvaluationError):
    """A dialog is left unscored because its run was stopped."""


def format_traceback(error: BaseException, agent_path: Path | None) -> str:
    """Return the traceback of an error, from the first line of the agent's own file on.

    Args:
        error: What was raised in a dialog.
        agent_path: The file of the agent; `None` where it has none.
    """
    if isinstance(error, RemoteAgentError):
        return error.traceback
    report = TracebackException.from_exception(error)
    places = [n for n, frame in enumerate(report.stack) if Path(frame.filename) == agent_path]
    if places:
        report.stack = StackSummary.from_list(report.stack[places[0] :])
    elif isinstance(error, EvaluationError):
        # An error of ours says itself what is wrong; our own lines would tell nobody more.
        report.stack = StackSummary()
    return clean_text("".join(report.format()))[-LONGEST_TRACEBACK:].strip()


def describe_exception(error: BaseException) -> str:
    """Return an exception in one line."""
    text = clean_text(" ".join(str(error).split()), 300)
    return f"{type(error).__name__}: {text}"


def kind_of(error: BaseException) -> str:
    """Return the name of an exception, wherever it was raised."""
    return error.kind if isinstance(error, RemoteAgentError) else type(error).__name__


class BreakOffs:
    """Stops a run whose first dialogs all break off with the same exception.

    Args:
        patience: After how many dialogs; never if 0.
        show: Called with `False` at each turn, and with `True` at the end of each dialog.
    """

    def __init__(
        self, patience: int = 0, show: Callable[[bool], object] = lambda is_dialog: None
    ) -> None:
        self.show = show
        self._is_stopped = False
        self._patience = patience
        self._ends: list[str] = []
        self._scopes: set[anyio.CancelScope] = set()

    @contextmanager
    def dialog(self) -> Iterator[None]:
        """Play a dialog in this context.

        Raises:
            NotPlayedError: The run was stopped, before or meanwhile.
        """
        scope = anyio.CancelScope()
        if self._is_stopped:
            raise NotPlayedError(NOT_PLAYED)
        self._scopes.add(scope)
        try:
            with scope:
                yield
        finally:
            self._scopes.remove(scope)
        if scope.cancelled_caught:
            raise NotPlayedError(NOT_PLAYED)

    def note(self, kind: str) -> None:
        """Note with which exception a dialog broke off; empty if it did not."""
        self.show(True)
        self._ends.append(kind)
        is_time = len(self._ends) == self._patience
        if is_time and self._ends[0] and len(set(self._ends)) == 1:
            self._is_stopped = True
            for scope in self._scopes:
                scope.cancel()


_RUNS = [BreakOffs()]


def current_run() -> BreakOffs:
    """Return what watches over the run in progress; one without patience elsewhere."""
    return _RUNS[-1]


@contextmanager
def watch_run(dialogs: int, show: Callable[[bool], object]) -> Iterator[None]:
    """Watch over a run.

    Args:
        dialogs: How many are planned; 0 to play on whatever happens.
        show: Called with `False` at each turn, and with `True` at the end of each dialog.
    """
    _RUNS.append(BreakOffs(min(FIRST_DIALOGS, dialogs), show))
    try:
        yield
    finally:
        _RUNS.pop()
