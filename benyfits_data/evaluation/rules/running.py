"""Programs run on single households: in Python where they were read, in the sandbox elsewhere.

A program that `read_function` read holds nothing but what that reader knows, so that Python itself
can run it, with no other names than those. All others run in the sandbox, in groups.
"""

import ast
import builtins
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

from benyfits_data.evaluation.rules.builtin_calls import BUILTINS

GROUP = 200
"""Households of one call of the sandbox: its limits of time and memory hold for each call."""
_SAFE = {name: getattr(builtins, name) for name in BUILTINS if hasattr(builtins, name)} | {
    name: getattr(builtins, name)
    for name in ("ValueError", "KeyError", "TypeError", "Exception", "AssertionError")
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
    tree.body = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    names: dict[str, Any] = {"__builtins__": _SAFE, "math": math}
    names |= {"ceil": math.ceil, "floor": math.floor}
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


def run_in_sandbox(source: str, given: Sequence[Mapping[str, Any]]) -> list[ProgramOutcome]:
    """Return what a program makes of households, run where it can reach nothing.

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
    if not functions:
        return [ProgramOutcome(None, "the program defines no function")] * len(given)
    outcomes: list[ProgramOutcome] = []
    with Sandbox(workers=1) as sandbox:
        for start in range(0, len(given), GROUP):
            group = [_needed(source, household) for household in given[start : start + GROUP]]
            outcomes += [
                ProgramOutcome(verdict, failure)
                for verdict, failure in sandbox.run_group(source, functions[-1], group)
            ]
    return outcomes


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
