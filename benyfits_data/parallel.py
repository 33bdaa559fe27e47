"""One process pool for every kind of work.

Processes are always spawned: forking a process with threads (NumPy, Z3, asyncio) is not safe, and
elsewhere not possible. Results come in the order of the tasks, whichever process is done first.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import connection
from time import monotonic, sleep
from typing import Any, TypeVar

from benyfits_data.errors import WorkerDiedError

TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")

_FEWER = "Use fewer with --workers."
_REAPED_WITHIN = 10
"""Seconds in which the pool's own thread has noted how a process ended."""

_work: Callable[[Any], Any]


def run_tasks(
    work: Callable[[TaskT], ResultT],
    tasks: Iterable[TaskT],
    workers: int | None = None,
    *,
    ahead: int | None = None,
    tick: Callable[[int], object] = lambda done: None,
    advice: str = _FEWER,
) -> Iterator[ResultT]:
    """Yield what `work` returns for each task, in the order of the tasks.

    Args:
        work: A function of a module, perhaps with arguments bound by `functools.partial`; it is
            sent to each process once.
        tasks: What to call it with; sent one by one.
        workers: Number of processes; 1 works in this one; as many as processors unless given.
        ahead: How many tasks may be given out before the first of them is yielded, so that results
            that wait for their turn stay few; any number unless given.
        tick: Called in this thread with 1 whenever a task is done.
        advice: What to do when a process was killed for want of memory.

    Raises:
        WorkerDiedError: A process died; the message says how.
    """
    count = workers or os.cpu_count() or 1
    if count == 1:
        for task in tasks:
            result = work(task)
            tick(1)
            yield result
        return
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin, (work,))
    try:
        yield from _in_order(pool, iter(tasks), ahead, tick)
    except BrokenProcessPool as error:
        raise _died(pool, count, advice) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _died(pool: ProcessPoolExecutor, count: int, advice: str = _FEWER) -> WorkerDiedError:
    """Return the error that says how a process of a pool ended."""
    ended = [*(pool._processes or {}).values()]
    deadline = monotonic() + _REAPED_WITHIN
    for process in ended:
        process.join()
        # The pool's own thread may have reaped it and be about to note how it ended.
        while process.exitcode is None and monotonic() < deadline:
            sleep(0.01)
    # The others are asked to end by the pool itself.
    codes = {process.exitcode or 0 for process in ended} - {0, -signal.SIGTERM}
    code = min(codes, default=0)
    if code == -signal.SIGKILL:
        how = f"was killed, most likely for want of memory. {advice}"
    elif code < 0:
        how = (
            f"was ended by {signal.Signals(-code).name}. What it was at stands above, if anything."
        )
    else:
        how = (
            f"ended with status {code}; its error stands above, if it wrote any. In a script, work "
            'that starts processes belongs below `if __name__ == "__main__":`.'
        )
    return WorkerDiedError(f"One of {count} processes {how}", workers=count, status=code)


def _in_order(
    pool: ProcessPoolExecutor,
    tasks: Iterator[Any],
    ahead: int | None,
    tick: Callable[[int], object],
) -> Iterator[Any]:
    given: deque[Future[Any]] = deque()
    running: set[Future[Any]] = set()
    while True:
        for task in islice(tasks, None if ahead is None else max(ahead - len(given), 0)):
            future = pool.submit(_do, task)
            given.append(future)
            running.add(future)
        if not given:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()  # What a task raises is raised at once.
            tick(1)
        while given and given[0].done():
            yield given.popleft().result()


def _begin(work: Callable[[Any], Any]) -> None:
    """Prepare a process: keep the work, and end with the process that started this one."""
    global _work
    _work = work
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _do(task: Any) -> Any:
    return _work(task)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)
