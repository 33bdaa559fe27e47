"""CPython in a cell of its own: the one place where code that models wrote is executed.

The public build of CPython 3.12 for WebAssembly is run by wasmtime. A guest has no files but the
standard library inside the build, no network, no processes, no threads, no environment, a clock
that stands still and random bytes that are all zero: the same requests to a new guest get the same
answers everywhere. Its memory, its output and the instructions it executes are limited. Not seconds
are counted: a program that takes too long on a busy machine also takes too long on an idle one.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self

from benyfits_data.errors import EvaluationError, MissingExtraError

if TYPE_CHECKING:
    from benyfits_data.evaluation.codegen.cpython_wasm import Instance, StopKind


MOST_GUESTS = 64
"""At the same time, some 10 MB each; what an idle one knew is lost when it ends."""


class GuestStoppedError(EvaluationError):
    """A request that ended without an answer.

    Attributes:
        kind: `timed_out`: it used up its instructions; `out_of_memory`; `too_much_output`;
            `exited`: it ended its Python, as `sys.exit` and `os._exit` do; `crashed`: Python itself
            fell over, or what came was no answer; `raised`: `answer` raised an exception.
        says: What happened, in a line.
    """

    kind: "StopKind"
    says: str


@dataclass(frozen=True)
class Limits:
    """What one guest may use.

    Attributes:
        instructions: Of WebAssembly, for each request; 5 to 10 billion take a second.
        memory: Bytes of the whole guest; CPython alone needs 10 million.
        output: Bytes of each answer and of what is printed meanwhile, together.
    """

    instructions: int = 10_000_000_000
    memory: int = 128 * 1024 * 1024
    output: int = 1024 * 1024


class Guest:
    """A CPython that answers requests, each within its limits; use it as a context manager.

    It starts with its first request, which takes some 0.05 seconds; from then on a request takes
    some 0.4 milliseconds beside what the program takes. One that has died is started anew for the
    next request, and so is one that was ended because `MOST_GUESTS` others were used since.
    Requests of several threads are answered one after the other.

    What runs inside shares one interpreter: whoever reaches into it may spoil what it answers from
    then on, to any request. So programs that must not meet have guests of their own, what a program
    may not know (the right answers) never enters its guest, and an answer is read as warily as any
    other reply of a model.

    Example:
        >>> server = '''
        ... def answer(request):
        ...     space = {}
        ...     exec(request["source"], space)
        ...     return [space["check"](facts) for facts in request["given"]]
        ... '''
        >>> with Guest(server) as guest:
        ...     guest.ask({"source": "check = lambda facts: facts['a'] > 1", "given": [{"a": 2}]})
        [True]

    Args:
        server: Python that the guest executes once, when it starts. It defines `answer`, which is
            called with each request; requests and answers are what JSON can hold. What `answer`
            raises ends the request, not the guest. Whatever is printed is counted and dropped.
        limits: What each request may use.
    """

    def __init__(self, server: str, limits: Limits | None = None) -> None:
        self.server = server
        self.limits = limits or Limits()
        self._instance: Instance | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def ask(self, request: Any, *, instructions: int | None = None) -> Any:
        """Return what the guest answers.

        Args:
            request: What `answer` is called with.
            instructions: How many this request may execute; those of the limits unless given.

        Raises:
            GuestStoppedError: It ended without an answer; its `kind` says how.
            MissingExtraError: No guest can be started here.
        """
        with self._lock:
            try:
                with _explained():
                    if self._instance is None or not self._instance.is_alive():
                        self._instance = _cpython().Instance(
                            self.server, self.limits.memory, self.limits.output
                        )
                    _note_use(self)
                    outcome = self._instance.ask(request, instructions or self.limits.instructions)
            except BaseException:
                # Interrupted: an answer that comes late must not become the next one's.
                self._end()
                raise
        if outcome.kind:
            raise GuestStoppedError(
                f"A program ended without an answer ({outcome.kind}): {outcome.says}",
                kind=outcome.kind,
                says=outcome.says,
            )
        return outcome.answer

    def close(self) -> None:
        """End the guest and free its memory, once it is done; a request would start it anew."""
        with self._lock:
            self._end()

    def close_if_idle(self) -> None:
        """End the guest unless it is at a request."""
        if self._lock.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._lock.release()

    def _end(self) -> None:
        instance, self._instance = self._instance, None
        _OPEN.pop(self, None)
        if instance is not None:
            instance.close()


def prepare() -> None:
    """Load what guests run on, which takes seconds where it must be compiled first.

    Raises:
        MissingExtraError: No guest can be started here.
    """
    with _explained():
        _cpython().load_engine()


_OPEN: dict[Guest, None] = {}
"""Guests that have started, least recently used first."""


def _note_use(guest: Guest) -> None:
    """Note that a guest is used; where there are many, those end that are idle for longest."""
    _OPEN.pop(guest, None)
    _OPEN[guest] = None
    for other in [*_OPEN][:-MOST_GUESTS]:
        other.close_if_idle()


def _cpython() -> ModuleType:
    # Not above: where wasmtime cannot be loaded, all that runs no programs works.
    from benyfits_data.evaluation.codegen import cpython_wasm

    return cpython_wasm


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except (ImportError, OSError, RuntimeError) as error:
        raise MissingExtraError(
            f"Generated programs run in wasmtime, which does not start: {error}. "
            "Install benyfits-data anew, with what it needs.",
            package="wasmtime",
        ) from error
