"""Programs run on single households: in Python where they were read, in the sandbox elsewhere.

A program that `read_function` read holds nothing but what that reader knows, so that Python itself
can run it, with no other names and imports than those. All others run in the sandbox, in groups.
"""

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import FrameType
from typing import Any

from benyfits_data.evaluation.rules.builtin_calls import BUILTINS
from benyfits_data.evaluation.rules.expression_reader import MODULES

GROUP = 200
"""Households of one call of the sandbox: its limits of time and memory hold for each call."""
_SAFE = {name: getattr(builtins, name) for name in BUILTINS if hasattr(builtins, name)} | {
    name: getattr(builtins, name)
    for name in (
        "str",
        "object",
        "ValueError",
        "KeyError",
        "TypeError",
        "Exception",
        "AssertionError",
    )
}


@dataclass(frozen=True)
class ProgramOutcome:
    """What a program made of one household.

    Attributes:
        verdict: Its answer; `None` where it gave none.
        failure: Why it gave none; empty elsewhere.
        line: The last line it ran; `None` where that is not known.
    """

    verdict: bool | None
    failure: str = ""
    line: int | None = None


def run_read_program(source: str, given: Mapping[str, Any]) -> ProgramOutcome:
    """Return what Python makes of a program that was read, for one household.

    Args:
        source: Its text; `read_function` has read it.
        given: The household, as the program is given it.
    """
    tree = ast.parse(source)
    name = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)][-1]
    names: dict[str, Any] = {"__builtins__": {**_SAFE, "__import__": _import}}
    last = [0]

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != "<program>":
            return None
        last[0] = frame.f_lineno
        return trace

    before = sys.gettrace()
    try:
        exec(compile(tree, "<program>", "exec"), names)
        sys.settrace(trace)
        found = names[name](given)
    except Exception as error:
        return ProgramOutcome(None, f"{type(error).__name__}: {error}", last[0])
    finally:
        sys.settrace(before)
    if not isinstance(found, bool):
        return ProgramOutcome(None, f"returned {found!r}, no truth value"[:120], last[0])
    return ProgramOutcome(found, "", last[0])


def _import(name: str, *rest: Any) -> Any:
    if name not in MODULES:
        raise ImportError(f"a program may not import {name}")
    return __import__(name, *rest)


def run_in_sandbox(source: str, given: Iterable[Mapping[str, Any]]) -> Iterator[ProgramOutcome]:
    """Yield what a program makes of households, run where it can reach nothing.

    Whoever asks for no more ends the run: a program that loops takes its time for each household.

    Args:
        source: Its text.
        given: The households, as the program is given them.

    Raises:
        MissingExtraError: The sandbox does not start.
    """
    from benyfits_data.evaluation.codegen.sandbox import Sandbox

    functions = [
        line.split("(")[0][4:].strip() for line in source.splitlines() if line[:4] == "def "
    ]
    rest, size = iter(given), 1
    with Sandbox(workers=1) as sandbox:
        while group := [_needed(source, household) for household in islice(rest, size)]:
            if functions:
                outcomes = sandbox.run_group(source, functions[-1], group)
            else:
                outcomes = [(None, "the program defines no function")] * len(group)
            yield from (ProgramOutcome(verdict, failure) for verdict, failure in outcomes)
            size = min(size * 10, GROUP)


def _needed(source: str, household: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that a program could name: to hand over all takes ten times as long."""
    if any(f".{method}()" in source for method in ("items", "keys", "values")):
        return dict(household)
    facts = {name: value for name, value in household.items() if name in source}
    if "members" in household:
        facts["members"] = [
            {name: value for name, value in member.items() if name in source}
            for member in household["members"]
        ]
    return facts
