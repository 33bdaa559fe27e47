"""Where generated programs run: a `pydantic-monty` worker, stopped at each fact it lacks.

Nothing generated is ever executed in our own process. A program is marked line by line and its
subscripts are routed through two functions of a prelude; when it reads a key nobody knows, its
state is dumped, and loaded again with the answer. Time, memory, recursion and the number of
questions are limited.
"""

import ast
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple, Self

from benyfits_data.errors import EvaluationError, MissingExtraError
from benyfits_data.evaluation.codegen import code_rules
from benyfits_data.evaluation.keys import Key, Value
from benyfits_data.evaluation.replies import LARGEST

FailureKind = Literal["crashed", "looped", "not_boolean"]

TURN_SECONDS = 2.0
RUN_SECONDS = 10.0
MEMORY_BYTES = 48 * 1024 * 1024
RECURSION_DEPTH = 120
PRINT_BYTES = 64 * 1024
QUESTIONS_PER_RUN = 4000
"""Reads of the household, known or not, before a run counts as a loop."""
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


_EACH = """
def __each__(given):
    found = []
    for household in given:
        try:
            verdict = FUNCTION(household)
            if verdict is True or verdict is False:
                found.append((verdict, ''))
            else:
                found.append((None, 'returned no truth value'))
        except Exception as error:
            found.append((None, str(type(error)) + ': ' + str(error)[:100]))
    return found
"""


class GeneratedCodeError(EvaluationError):
    """A generated program breaks the rules or uses Python that the sandbox does not know."""


class GeneratedProgram(NamedTuple):
    """A generated program, ready to run: its own text and the marked one."""

    source: str
    marked: str


class Missing(NamedTuple):
    """A run that waits for a fact: whose, which, the line that reads it, the dumped state."""

    key: Key
    line: int
    state: bytes


class Finished(NamedTuple):
    """A run that ended in a verdict, and the lines it executed, in order of first execution."""

    verdict: bool
    trace: tuple[int, ...]


class Failed(NamedTuple):
    """A run that ended without a verdict: the kind, what happened, the last line, the trace."""

    kind: FailureKind
    message: str
    line: int | None = None
    trace: tuple[int, ...] = ()


Step = Missing | Finished | Failed


def build_program(source: str) -> GeneratedProgram:
    """Return a generated program ready to run.

    Args:
        source: What the code model wrote, without code fences.

    Raises:
        GeneratedCodeError: The program breaks a rule; the message lists every line at fault.
    """
    problems = code_rules.check(source)
    if problems:
        listing = "\n".join(map(str, problems))
        raise GeneratedCodeError(f"The program breaks these rules:\n{listing}", problems=problems)
    return mark(source)


def mark(source: str) -> GeneratedProgram:
    """Return the program with every line marked and every subscript routed, unchecked by rules."""
    tree = _Marker().visit(ast.parse(source))
    return GeneratedProgram(source, ast.unparse(tree))


class Sandbox:
    """A pool of workers for generated programs; use it as a context manager.

    Args:
        workers: How many programs run at the same moment.
        turn_seconds: How long a program may run between two questions.
    """

    def __init__(self, workers: int = 2, *, turn_seconds: float = TURN_SECONDS) -> None:
        self.turn_seconds = turn_seconds
        self._workers = workers

    def __enter__(self) -> Self:
        try:
            import pydantic_monty

            self._monty: Any = pydantic_monty
            self._pool = self._monty.Monty(
                min_processes=1, max_processes=self._workers, request_timeout=RUN_SECONDS + 5
            )
            self._pool.__enter__()
        except (ImportError, OSError, RuntimeError) as error:
            raise MissingExtraError(
                f"Generated programs run in pydantic-monty, which does not start: {error}. "
                "Install benyfits-data anew, with what it needs.",
                package="pydantic-monty",
            ) from error
        return self

    def __exit__(self, *raised: Any) -> None:
        self._pool.__exit__(*raised)

    def check(self, program: GeneratedProgram) -> None:
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
                    problems=[code_rules.CodeProblem(1, text)],
                ) from error

    def start(self, program: GeneratedProgram, known: Mapping[Key, Value]) -> Step:
        """Return where a run from the beginning stops: a missing fact, a verdict or a failure."""
        code = f"{_PRELUDE}{program.marked}\n{code_rules.ENTRY_POINT}(__Record__(None))"
        with self._checkout() as session:
            begin = partial(session.feed_start, code, print_callback=self._silence())
            return self._go_on(session, begin, known)

    def resume(self, step: Missing, value: Value, known: Mapping[Key, Value]) -> Step:
        """Give a waiting run the missing fact, and return where it stops next.

        Args:
            step: The waiting run.
            value: The fact.
            known: What the dialog has found out so far.
        """
        with self._checkout() as session:

            def answer() -> Any:
                waiting = session.load_snapshot(step.state, print_callback=self._silence())
                return waiting.resume({"return_value": value})

            return self._go_on(session, answer, known)

    def run_group(
        self, source: str, function: str, given: Sequence[Mapping[str, Any]]
    ) -> list[tuple[bool | None, str]]:
        """Return a function's verdict on each of some values, or why it gave none.

        Args:
            source: A program that defines the function.
            function: Its name.
            given: What it is called with.
        """
        code = f"{source}\n{_EACH.replace('FUNCTION', function)}\n__each__({[*map(dict, given)]!r})"
        with self._checkout() as session:
            try:
                outcomes = session.feed_run(code, print_callback=self._silence())
            except (self._monty.MontyError, RuntimeError) as error:
                if len(given) > 1:
                    # One of them may use up the time of all.
                    half = len(given) // 2
                    halves = given[:half], given[half:]
                    return [
                        row for part in halves for row in self.run_group(source, function, part)
                    ]
                return [(None, _text(error))]
        return [(verdict if isinstance(verdict, bool) else None, why) for verdict, why in outcomes]

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

    def _go_on(self, session: Any, advance: Any, known: Mapping[Key, Value]) -> Step:
        monty = self._monty
        try:
            snapshot = advance()
            while not isinstance(snapshot, monty.MontyComplete):
                if isinstance(snapshot, monty.NameLookupSnapshot):
                    snapshot = snapshot.resume()
                    continue
                is_call = isinstance(snapshot, monty.FunctionSnapshot)
                # Answered with an error, so that the line that called is known.
                name = getattr(snapshot, "function_name", "something")
                error: Exception = NameError(f"{name} is not available to a generated program")
                if is_call and snapshot.is_os_function:
                    error = PermissionError("a generated program has no system")
                elif is_call and name == "__ask__":
                    member, key, line = snapshot.args
                    if (member, key) not in known:
                        return Missing((member, key), line, snapshot.dump())
                    snapshot = snapshot.resume({"return_value": known[member, key]})
                    continue
                snapshot = snapshot.resume({"exception": error})
        except (monty.MontyCrashedError, monty.MontyDisconnectError) as stopped:
            return Failed("looped", f"the worker was stopped: {stopped}")
        except monty.MontyError as failure:
            return self._explain(session, failure)
        except (RuntimeError, ValueError, TypeError, OverflowError, MemoryError) as failure:
            # What a worker sends may be nothing that Python can hold.
            return Failed("crashed", f"{type(failure).__name__}: {str(failure)[:200]}")
        line, trace = self._marks(session)
        if not isinstance(snapshot.output, bool):
            output = _shown(snapshot.output)
            return Failed("not_boolean", f"returned {output}, not True or False", line, trace)
        return Finished(snapshot.output, trace)

    def _explain(self, session: Any, error: Any) -> Failed:
        text, raised = _text(error), error.exception()
        if isinstance(raised, TimeoutError):
            # A run stopped by the clock leaves its memory in no defined state: no trace.
            return Failed("looped", text)
        is_exhausted = isinstance(raised, MemoryError | RecursionError) or "suspension" in text
        return Failed("looped" if is_exhausted else "crashed", text, *self._marks(session))

    def _marks(self, session: Any) -> tuple[int | None, tuple[int, ...]]:
        try:
            here, seen = session.feed_run("(__here__[0], list(__seen__))")
        except (self._monty.MontyError, RuntimeError):
            # The worker still waits for an answer it could not be given, or is gone.
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

    def visit_block(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        node.body = self._marked(node.body)
        node.orelse = self._marked(node.orelse)
        return node  # type: ignore[no-any-return]

    visit_If = visit_For = visit_While = visit_block

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


def _shown(output: Any) -> str:
    """A result in few letters: text may be long, and huge numbers cannot be written at all."""
    if isinstance(output, str):
        return repr(output[:60])
    is_short = output is None or (isinstance(output, int | float) and abs(output) <= LARGEST)
    return repr(output) if is_short else f"a value of type {type(output).__name__}"


def _text(error: Any) -> str:
    display = getattr(error, "display", None)
    text = display(format="type-msg") if display else str(error)
    return text.strip().splitlines()[0][:300] if text.strip() else type(error).__name__
