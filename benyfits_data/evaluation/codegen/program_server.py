"""What a guest executes: it runs ProADA's programs, each from its start, and judged ones.

Its text is sent into the sandbox. It imports nothing but what CPython holds itself.
"""

from __future__ import annotations

import binascii
import marshal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType, FrameType
    from typing import Any

NAME = "program"
"""The module that a program is, and the file that its lines are of."""
MAX_MEMBER = 30
"""Members are numbered from 0; a program that asks about the thirtieth has lost its way."""
LARGEST = 1e15
"""Beyond it a number is told by its type alone: some have more digits than fit into a line."""


class MissingFactError(BaseException):
    """Ends a run at a fact that nobody knows yet.

    A program that catches it ends with that fact all the same: see `ProgramRun.missing`.
    """


class UnknownNumber(float):
    """A number that nobody knows: no comparison with it holds, and it counts nothing."""

    def __index__(self) -> int:
        return 0


class ProgramRun:
    """One run of a program: what is known, where it is, what it lacks.

    Attributes:
        lines: Lines of the program that were executed, in order of first execution.
        line: The last of them.
        missing: The first fact that it read and nobody knows: whose, which, and the line.
    """

    def __init__(self, keys: Iterable[str], known: Iterable[tuple[int | None, str, Any]]) -> None:
        self.keys = frozenset(keys)
        self.known = {
            (member, key): UnknownNumber("nan") if value != value else value
            for member, key, value in known
        }
        self.lines: dict[int, None] = {}
        self.line: int | None = None
        self.missing: tuple[int | None, str, int] | None = None

    def read(self, member: int | None, key: str) -> Any:
        """Return a fact, or end the run if nobody knows it."""
        if key not in self.keys:
            raise TypeError(f"hh takes a literal key or a whole number, not {key!r}")
        if self.missing is None and (member, key) in self.known:
            return self.known[member, key]
        if self.missing is None:
            self.missing = (member, key, _line_in(sys._getframe()) or self.line or 1)
        raise MissingFactError(key)


class Facts:
    """The household, or one of its members: what is read in it is known or asked for."""

    __slots__ = ("_member", "_people", "_run")
    __iter__ = __contains__ = None

    def __init__(self, run: ProgramRun, member: int | None = None) -> None:
        self._run, self._member = run, member
        self._people: dict[int, Facts] = {}

    def __getitem__(self, key: object) -> Any:
        if isinstance(key, str):
            return self._run.read(self._member, key)
        if isinstance(key, bool) or not isinstance(key, int):
            raise TypeError(f"hh takes a literal key or a whole number, not {key!r}")
        if self._member is not None:
            raise TypeError("a member has no numbered members")
        if not 0 <= key < MAX_MEMBER:
            raise IndexError(f"no household has a member number {key}")
        return self._people.setdefault(key, Facts(self._run, key))


_compiled: dict[str, CodeType] = {}
_run: ProgramRun | None = None
_space: dict[str, Any] = {}
_defaults: list[dict[str, Any]] = [{}, {}]
_monitoring: Any = getattr(sys, "monitoring", None)
_TOOL = 4


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return how a run ended, or what keeps a program from being compiled."""
    global _run
    if "households" in request:
        return _run_on_all(request["households"], request["trace"])
    source = request["source"]
    if source not in _compiled:
        try:
            _compiled[source] = compile(source, NAME, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return {"unreadable": _text_of(error), "line": getattr(error, "lineno", None) or 1}
    if "defaults" in request:
        return _load(_compiled[source], request["defaults"])
    if "known" not in request:
        return {}
    run = _run = ProgramRun(request["keys"], request["known"])
    module: Any = type(sys)(NAME)
    sys.modules[NAME] = module
    try:
        exec(_compiled[source], module.__dict__)
        verdict = module.check_eligibility(Facts(run))
        end = _judge(run, verdict)
    except BaseException as error:
        kind = "looped" if isinstance(error, MemoryError | RecursionError) else "crashed"
        end = {"failed": kind, "message": _text_of(error), "line": _line_raising(error)}
    if run.missing is not None:
        return {"missing": run.missing}
    return end | {"trace": [*run.lines]}


def _judge(run: ProgramRun, verdict: object) -> dict[str, Any]:
    if verdict is True or verdict is False:
        return {"verdict": verdict}
    says = f"returned {_shown(verdict)}, not True or False"
    return {"failed": "not_boolean", "message": says, "line": run.line}


def _load(code: CodeType, defaults: list[dict[str, Any]]) -> dict[str, Any]:
    """Return whether a program that is judged fails while it is loaded, or has no `check`."""
    global _defaults
    _defaults = defaults
    _space.clear()
    _space["__name__"] = NAME
    try:
        exec(code, _space)
    except BaseException as error:
        return {"failure": "while it is loaded, " + _said(error)}
    return {} if "check" in _space else {"no_program": "it defines no `check`"}


def _run_on_all(households: str, trace: bool) -> dict[str, Any]:
    """Return an answer a household (T, F, or X for none) and why there is none.

    Args:
        households: Packed, of each the facts that are no defaults, and those of each member.
        trace: Whether the last line that each ran is told.
    """
    global _run
    shared, member = _defaults
    answers: list[str] = []
    failures, lines = {}, []
    for place, (facts, members) in enumerate(marshal.loads(binascii.a2b_base64(households))):
        given = {**shared, **facts, "members": [{**member, **entry} for entry in members]}
        run = _run = ProgramRun((), ()) if trace else None
        try:
            returned = _space["check"](given)
        except BaseException as error:
            answers.append("X")
            failures[place] = _said(error)
        else:
            answers.append("T" if returned is True else "F" if returned is False else "X")
            if answers[-1] == "X":
                failures[place] = f"returned {_shown(returned)}, not True or False"
        lines.append(run.line if run else None)
    return {"answers": "".join(answers), "failures": failures, "lines": lines}


def _note(code: CodeType, line: int) -> Any:
    """Remember a line; those of other modules are not told again."""
    if code.co_filename != NAME or _run is None:
        return _monitoring.DISABLE
    _run.lines[line] = None
    _run.line = line
    return None


def _line_in(frame: FrameType | None) -> int | None:
    """Return the line at which a program called, through whatever lies between."""
    while frame is not None and frame.f_code.co_filename != NAME:
        frame = frame.f_back
    return frame.f_lineno if frame else None


def _line_raising(error: BaseException) -> int | None:
    line, traceback = None, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == NAME:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def _shown(value: object) -> str:
    if isinstance(value, str):
        return repr(value[:60])
    is_short = value is None or (isinstance(value, int | float) and abs(value) <= LARGEST)
    return repr(value) if is_short else f"a value of type {type(value).__name__[:60]}"


def _text_of(error: BaseException) -> str:
    try:
        text = f"{type(error).__name__}: {error}".strip().splitlines()[0]
    except Exception:
        text = type(error).__name__
    return text[:300]


def _said(error: BaseException) -> str:
    line = _line_raising(error)
    return _text_of(error) + (f" (line {line})" if line else "")


if __name__ == "__main__":
    _monitoring.use_tool_id(_TOOL, NAME)
    _monitoring.register_callback(_TOOL, _monitoring.events.LINE, _note)
    _monitoring.set_events(_TOOL, _monitoring.events.LINE)
