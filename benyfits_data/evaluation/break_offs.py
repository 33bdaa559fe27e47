"""Dialogs that break off: what is told of them, and runs that stop since nothing comes of any."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import StackSummary, TracebackException

import anyio

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.replies import clean_text

FIRST_DIALOGS = 3
"""Dialogs that have to fail alike: one or two may be of a household that the agent's author did not
think of, and every dialog more may cost calls of a model."""
AT_ONCE = "NothingAskedError"
"""Of what one dialog is enough: it has tried several times already."""
LONGEST_TRACEBACK = 5000
"""Characters of a traceback that are kept: its end, which says what went wrong."""

NOT_PLAYED = "not played: the first dialogs failed alike: "


class NotPlayedError(EvaluationError):
    """A dialog is left unscored because its run was stopped."""


def format_traceback(error: BaseException, agent_path: Path | None) -> str:
    """Return the traceback of an error, from the first line of the agent's own file on.

    Args:
        error: What was raised in a dialog.
        agent_path: The file of the agent; `None` where it has none.
    """
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


class BreakOffs:
    """Stops a run whose first dialogs all fail alike.

    Args:
        dialogs: How many are planned; 0 to play on whatever happens.
        show: Is told how many dialogs have ended more: 0 at each turn, 1 at the end of each.
    """

    def __init__(self, dialogs: int = 0, show: Callable[[int], object] = lambda n: None) -> None:
        self.show = show
        self._reason = ""
        self._patience = min(FIRST_DIALOGS, dialogs)
        self._ends: list[str] = []
        self._scopes: set[anyio.CancelScope] = set()

    @contextmanager
    def dialog(self) -> Iterator[None]:
        """Play a dialog in this context.

        Raises:
            NotPlayedError: The run was stopped, before or meanwhile.
        """
        scope = anyio.CancelScope()
        if self._reason:
            raise NotPlayedError(self._reason)
        self._scopes.add(scope)
        try:
            with scope:
                yield
        finally:
            self._scopes.remove(scope)
        if scope.cancelled_caught:
            raise NotPlayedError(self._reason)

    def note(self, kind: str, reason: str = "") -> None:
        """Note how a dialog failed, and why; the kind is empty if it did not."""
        self.show(1)
        self._ends.append(kind)
        needed = min(self._patience, 1) if kind == AT_ONCE else self._patience
        if kind and needed and self._ends == [kind] * needed:
            self._reason = NOT_PLAYED + reason.rstrip(".")
            for scope in self._scopes:
                scope.cancel()
