"""Parts of an evaluation, each in a process of its own: a processor holds some 250 calls a second.

A process ends with the one that started it, however that ends, so that a run which was killed can
be continued at once.
"""

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import Any, TypeVar

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.dialog import Dialog
from benyfits_data.evaluation.progress import add_listener, report_dialog

_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_LOADED_ONCE = [
    "benyfits_data.evaluation.task",
    "benyfits_data.evaluation.compatible",
    "benyfits_data.evaluation.agents.proada",
    # Inspect loads these when it begins to play, whichever model plays. They are its own affair: a
    # name that is gone is left out, and the process loads what it needs.
    "inspect_ai.agent._acp.server",
    "inspect_ai.hooks._startup",
    "inspect_ai.model._openai_responses",
]
"""Loaded by the server of processes, from which all start; inspect takes seconds to load."""

PartT = TypeVar("PartT")
PlayedT = TypeVar("PlayedT")


def play_apart(play: Callable[[PartT], PlayedT], parts: Sequence[PartT]) -> list[PlayedT]:
    """Return what playing each part gave; finished dialogs are reported in this process.

    Args:
        play: A function of a module; it plays one part.
        parts: The parts; they are sent to the processes.

    Raises:
        EvaluationError: A process was killed; or what a part raised.
    """
    context = multiprocessing.get_context(_METHOD)
    if _METHOD == "forkserver":
        context.set_forkserver_preload(_LOADED_ONCE)
    finished = context.SimpleQueue()
    reporter = threading.Thread(target=_report, args=(finished,))
    reporter.start()
    try:
        with ProcessPoolExecutor(
            len(parts), mp_context=context, initializer=_begin, initargs=(finished,)
        ) as pool:
            return list(pool.map(play, parts))
    except BrokenProcessPool as error:
        raise EvaluationError(
            "A process of this run was killed, perhaps for want of memory. Finished dialogs are "
            "kept; run the same command to continue, with fewer --processes if it happens again."
        ) from error
    finally:
        finished.put(None)
        reporter.join()


def _report(finished: Any) -> None:
    while (dialog := finished.get()) is not None:
        report_dialog(dialog)


def _begin(finished: Any) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def tell(dialog: Dialog) -> None:
        finished.put(dialog)

    add_listener(tell)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
