"""Runs Python blocks of a page, one after the other, as a reader would: names stay.

Reads a JSON string a line, the code of a block; writes a JSON object a line: what the block printed
and what is wrong with it. Needs the standard library alone, so that any environment can run it.
"""

import ast
import doctest
import io
import json
import sys
import traceback
from contextlib import redirect_stdout
from typing import Any


def run(code: str, names: dict[str, Any]) -> str:
    """Return what is wrong with a block: an error, or a value that is not the printed one."""
    if code.lstrip().startswith(">>>"):
        said: list[str] = []
        test = doctest.DocTestParser().get_doctest(code, names, "block", "block", 0)
        test.globs = names
        doctest.DocTestRunner(verbose=False).run(test, out=said.append, clear_globs=False)
        return "".join(said)
    try:
        for statement in ast.parse(code).body:
            if isinstance(statement, ast.Expr):
                value = eval(compile(ast.Expression(statement.value), "block", "eval"), names)
                printed = remark(code, statement)
                if printed is not None and printed != value:
                    return f"{ast.unparse(statement)} is {value!r}, printed is {printed!r}"
            else:
                exec(compile(ast.Module([statement], []), "block", "exec"), names)
    except Exception:
        return traceback.format_exc()
    return ""


def remark(code: str, statement: ast.Expr) -> Any:
    """Return the value that the remark after an expression gives; `None` if it gives none."""
    line = code.splitlines()[(statement.end_lineno or 1) - 1]
    _, mark, words = line.rpartition("  # ")
    try:
        return ast.literal_eval(words) if mark else None
    except (ValueError, SyntaxError):
        return None


def main() -> None:
    """Run the blocks that come in."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for line in sys.stdin:
        printed = io.StringIO()
        with redirect_stdout(printed):
            problem = run(json.loads(line), names)
        sys.__stdout__.write(json.dumps({"printed": printed.getvalue(), "problem": problem}) + "\n")
        sys.__stdout__.flush()


if __name__ == "__main__":
    main()
