"""Where generated programs run: a `pydantic-monty` worker, stopped at each fact it lacks.

Nothing generated is ever executed in our own process. A program is marked line by line and its
subscripts are routed through three functions of a prelude; when it reads a key nobody knows, it
waits in its worker for the answer. Where too many wait, the state of further ones is dumped, and
loaded again with the answer. Time, memory, recursion and the number of questions are limited.
"""

import ast
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import TracebackType
from typing import Any, Literal, Self

from benyfits_data.errors import EvaluationError, MissingExtraError
from benyfits_data.evaluation import lint

Value = int | float | str | bool | None
Key = tuple[int | None, str]
"""A member's number, or nothing for the household, and the name of the fact."""

FailureKind = Literal["crashed", "looped", "not_boolean"]

TURN_SECONDS = 2.0
RUN_SECONDS = 10.0
MEMORY_BYTES = 48 * 1024 * 1024
RECURSION_DEPTH = 120
PRINT_BYTES = 64 * 1024
QUESTIONS_PER_RUN = 4000
"""Reads of the household, known or not, before a run counts as a loop."""
HELD_RUNS = 64
"""Runs that may wait in workers of their own, some 6 MB each; to dump and load takes 25 times as
long as to answer."""
MAX_MEMBER = 30
"""Members are numbered from 0; a program that asks about the thirtieth has lost its way."""

_PRELUDE = f"""
__seen__ = {{}}
__here__ = [0]
class __Record__:
    def __init__(self, member):
        self.member = member
        self.known = {{}}
        self.people = {{}}
def __key__(x, key, line):
    if isinstance(x, __Record__):
        if key not in x.known:
            x.known[key] = __ask__(x.member, key, line)
        return x.known[key]
    return x[key]
def __at__(x, index):
    if isinstance(x, __Record__):
        if isinstance(index, bool) or not isinstance(index, int):
            raise TypeError('hh takes a literal key or a whole number, not ' + repr(index))
        if x.member is not None:
            raise TypeError('a member has no numbered members')
        if index < 0 or index >= {MAX_MEMBER}:
            raise IndexError('no household has a member number ' + str(index))
        if index not in x.people:
            x.people[index] = __Record__(index)
        return x.people[index]
    return x[index]
"""


class GeneratedCodeError(EvaluationError):
    """A generated program breaks the rules or uses Python that the sandbox does not know."""


@dataclass(frozen=True)
class Program:
    """A generated program, ready to run: its own text and the marked one."""

    source: str
    marked: str


@dataclass
class Held:
    """A run that waits in a worker, until it is taken up again."""

    session: Any
    snapshot: Any
    is_taken: bool = False


@dataclass(frozen=True)
class Missing:
    """A run that waits for a fact: whose, which, the line that reads it, where or as what it waits.

    It goes on, or is given up, once.
    """

    key: Key
    line: int
    state: Held | bytes


@dataclass(frozen=True)
class Finished:
    """A run that ended in a verdict, and the lines it executed, in order of first execution."""

    verdict: bool
    trace: tuple[int, ...]


@dataclass(frozen=True)
class Failed:
    """A run that ended without a verdict: the kind, what happened, the last line, the trace."""

    kind: FailureKind
    message: str
    line: int | None
    trace: tuple[int, ...]


Step = Missing | Finished | Failed


def build_program(source: str) -> Program:
    """Return a generated program ready to run.

    Args:
        source: What the code model wrote, without code fences.

    Raises:
        GeneratedCodeError: The program breaks a rule; the message lists every line at fault.
    """
    problems = lint.check(source)
    if problems:
        listing = "\n".join(map(str, problems))
        raise GeneratedCodeError(f"The program breaks these rules:\n{listing}", problems=problems)
    return mark(source)


def mark(source: str) -> Program:
    """Return the program with every line marked and every subscript routed, unchecked by rules.

    Args:
        source: Python text that parses.
    """
    tree = _Marker().visit(ast.parse(source))
    return Program(source, ast.unparse(tree))


class Sandbox:
    """A pool of workers for generated programs; use it as a context manager.

    Args:
        workers: How many programs run at the same moment, besides those that are held.
        held: How many waiting programs keep their worker.
        turn_seconds: How long a program may run between two questions.
    """

    def __init__(
        self, workers: int = 2, *, held: int = HELD_RUNS, turn_seconds: float = TURN_SECONDS
    ) -> None:
        self.turn_seconds = turn_seconds
        self._free = held
        self._lock = threading.Lock()
        monty = _import_monty()
        self._monty = monty
        self._pool = monty.Monty(
            min_processes=1, max_processes=workers + held, request_timeout=RUN_SECONDS + 5
        )

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._pool.__exit__(kind, error, traceback)

    def check(self, program: Program) -> None:
        """Return nothing if the worker can read the program.

        Raises:
            GeneratedCodeError: The program uses Python that the sandbox does not support.
        """
        with self._checkout() as session:
            try:
                session.feed_run(_PRELUDE + program.marked, print_callback=self._silence())
            except self._monty.MontyError as error:
                text = _text(error)
                raise GeneratedCodeError(
                    f"The sandbox cannot read the program: {text}. Write it more simply.",
                    problems=[lint.Problem(1, text)],
                ) from error

    def start(self, program: Program, known: Mapping[Key, Value]) -> Step:
        """Return where a run from the beginning stops: a missing fact, a verdict or a failure.

        Args:
            program: The program.
            known: What the dialog has found out so far.
        """
        session = self._checkout().__enter__()
        code = f"{_PRELUDE}{program.marked}\n{lint.ENTRY_POINT}(__Record__(None))"

        def begin() -> Any:
            return session.feed_start(code, print_callback=self._silence())

        return self._drive(session, begin, known)

    def resume(self, step: Missing, value: Value, known: Mapping[Key, Value]) -> Step:
        """Return where a waiting run stops next, once it has been told the missing fact.

        Args:
            step: The waiting run.
            value: The fact.
            known: What the dialog has found out so far.

        Raises:
            EvaluationError: The run went on before, or was given up.
        """
        state = step.state
        if isinstance(state, Held):
            if not self._take(state):
                raise EvaluationError("This run went on before, or was given up: start it again.")
            session, snapshot = state.session, state.snapshot
        else:
            session, snapshot = self._checkout().__enter__(), None

        def answer() -> Any:
            waiting = snapshot or session.load_snapshot(state, print_callback=self._silence())
            return waiting.resume({"return_value": value})

        return self._drive(session, answer, known)

    def give_up(self, step: Missing) -> None:
        """Return the worker of a waiting run that nobody will answer.

        Args:
            step: The waiting run; nothing happens if it went on.
        """
        if isinstance(step.state, Held) and self._take(step.state):
            step.state.session.__exit__(None, None, None)

    def _hold(self, session: Any, snapshot: Any) -> Held | bytes:
        with self._lock:
            if self._free:
                self._free -= 1
                return Held(session, snapshot)
        state: bytes = snapshot.dump()
        return state

    def _take(self, held: Held) -> bool:
        with self._lock:
            was_taken, held.is_taken = held.is_taken, True
            self._free += not was_taken
        return not was_taken

    def _silence(self) -> Any:
        return self._monty.CollectString(max_bytes=PRINT_BYTES)

    def _checkout(self) -> Any:
        return self._pool.checkout(
            limits={
                "max_turn_duration_secs": self.turn_seconds,
                "max_feed_duration_secs": RUN_SECONDS,
                "max_memory": MEMORY_BYTES,
                "max_recursion_depth": RECURSION_DEPTH,
                "max_suspensions": QUESTIONS_PER_RUN,
            },
            os_policy={"sleep": "zero"},
        )

    def _drive(self, session: Any, advance: Any, known: Mapping[Key, Value]) -> Step:
        step: Step | None = None
        try:
            step = self._go_on(session, advance, known)
            return step
        finally:
            if not (isinstance(step, Missing) and isinstance(step.state, Held)):
                session.__exit__(None, None, None)

    def _go_on(self, session: Any, advance: Any, known: Mapping[Key, Value]) -> Step:
        monty = self._monty
        try:
            snapshot = advance()
            while not isinstance(snapshot, monty.MontyComplete):
                if isinstance(snapshot, monty.NameLookupSnapshot):
                    snapshot = snapshot.resume()
                elif isinstance(snapshot, monty.FunctionSnapshot) and snapshot.is_os_function:
                    snapshot = snapshot.resume(
                        {"exception": PermissionError("a generated program has no system")}
                    )
                elif (
                    isinstance(snapshot, monty.FunctionSnapshot)
                    and snapshot.function_name == "__ask__"
                ):
                    member, name, line = snapshot.args
                    if (member, name) not in known:
                        return Missing((member, name), line, self._hold(session, snapshot))
                    snapshot = snapshot.resume({"return_value": known[member, name]})
                else:
                    # Answered with an error, so that the line that called is known.
                    name = getattr(snapshot, "function_name", "something")
                    error = NameError(f"{name} is not available to a generated program")
                    snapshot = snapshot.resume({"exception": error})
        except monty.MontyCrashedError as stopped:
            return Failed("looped", f"the worker was stopped: {stopped}", None, ())
        except monty.MontyError as failure:
            return self._explain(session, failure)
        if not isinstance(snapshot.output, bool):
            line, trace = self._marks(session)
            found = repr(snapshot.output)[:80]
            return Failed("not_boolean", f"returned {found}, not True or False", line, trace)
        return Finished(snapshot.output, self._marks(session)[1])

    def _explain(self, session: Any, error: Any) -> Failed:
        text = _text(error)
        exhausted = (
            isinstance(error.exception(), TimeoutError | MemoryError | RecursionError)
            or "suspension" in text
        )
        if isinstance(error.exception(), TimeoutError):
            # A run stopped by the clock leaves its memory in no defined state: no trace.
            return Failed("looped", text, None, ())
        line, trace = self._marks(session)
        return Failed("looped" if exhausted else "crashed", text, line, trace)

    def _marks(self, session: Any) -> tuple[int | None, tuple[int, ...]]:
        try:
            here, seen = session.feed_run("(__here__[0], list(__seen__))")
        except self._monty.MontyError:
            return None, ()
        lines = tuple(line for line in seen if isinstance(line, int))
        return (here if isinstance(here, int) and here else None), lines


class _Marker(ast.NodeTransformer):
    """Puts a mark before each statement of a function and routes its subscripts."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            argument.annotation = None
        self.generic_visit(node)
        node.body = self._marked(node.body)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        return self._block(node)

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._block(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._block(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        line = node.lineno
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice):
            return node
        is_key = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
        name = "__key__" if is_key else "__at__"
        extra = [ast.Constant(line)] if is_key else []
        return ast.copy_location(
            ast.Call(ast.Name(name, ast.Load()), [node.value, node.slice, *extra], []), node
        )

    def _block(self, node: ast.If | ast.For | ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body = self._marked(node.body)
        node.orelse = self._marked(node.orelse)
        return node

    @staticmethod
    def _marked(body: list[ast.stmt]) -> list[ast.stmt]:
        marked: list[ast.stmt] = []
        for statement in body:
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if not is_text and not isinstance(statement, ast.FunctionDef | ast.Nonlocal):
                marked.extend(_marks(statement.lineno))
            marked.append(statement)
        return marked


@lru_cache(maxsize=1024)
def _marks(line: int) -> list[ast.stmt]:
    return ast.parse(f"__seen__[{line}] = True\n__here__[0] = {line}").body


def _import_monty() -> Any:
    try:
        import pydantic_monty
    except ImportError as error:
        raise MissingExtraError(
            "Generated programs run in pydantic-monty, which is not installed. "
            "Install it with: pip install 'benyfits-data[eval]'",
            package="pydantic-monty",
        ) from error
    return pydantic_monty


def _text(error: Any) -> str:
    display = getattr(error, "display", None)
    text = display(format="type-msg") if display else str(error)
    return text.strip().splitlines()[0][:300] if text.strip() else type(error).__name__
