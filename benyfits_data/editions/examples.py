"""Example households of a program; values may be computed from the thresholds of the edition."""

import ast
import operator
import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from benyfits_data.editions.thresholds import SizeTable, Thresholds
from benyfits_data.editions.toml_file import check_table, malformed, read_toml
from benyfits_data.errors import ProgramFolderError
from benyfits_data.household.model import Household


@dataclass(frozen=True)
class Example:
    """One household with its right answer.

    Attributes:
        name: What it shows.
        eligible: The right answer.
        facts: The facts that matter; text starting with `=` is computed from the thresholds.
        clause: The clause that decides; empty when several do.
        since: The first edition in which it is true; 0 for the first there is.
        until: The last edition in which it is true; `None` while it goes on.
    """

    name: str
    eligible: bool
    facts: Mapping[str, Any]
    clause: str = ""
    since: int = 0
    until: int | None = None

    def household(self, thresholds: Thresholds) -> Household:
        """Return the whole household, untold facts filled in.

        Raises:
            ProgramFolderError: A value cannot be computed.
            ImpossibleHouseholdError: The facts contradict a constraint.
        """
        facts: dict[str, Any] = _computed(self.facts, thresholds, self.name)
        return _completed(pickle.dumps(facts))


@lru_cache(maxsize=8192)
def _completed(facts: bytes) -> Household:
    """Return the household of some pickled facts.

    Linter, second reading and translation ask for the same ones, and a repair takes 12 ms.
    """
    return Household.complete(**pickle.loads(facts))


def load_examples(path: Path) -> list[Example]:
    """Return the examples of a program in the order of the file.

    Raises:
        ProgramFolderError: The file is malformed.
    """
    tables = read_toml(path).items()
    return [example for name, table in tables for example in _examples(path, name, table)]


_STEPS = {"below": " - 1", "answer": "", "above": " + 1"}
_ANSWER = {"eligible": bool, "clause": str, "since": int, "until": int}
_BESIDE = {"eligible": bool, "clause": str, "name": str}


def _examples(path: Path, name: str, table: Any) -> Iterator[Example]:
    """Yield the example of a table, and those one step below and above it that it states.

    What is said of them holds as in `answer`; `+ step` in the facts is replaced for each.
    """
    where = f"example {name!r}"
    if not isinstance(table, dict):
        raise malformed(path, f'{where} is no table. Head each example with its name: ["{name}"].')
    answers = {key: row for key, row in table.items() if key in _STEPS}
    facts = {key: value for key, value in table.items() if key not in _STEPS}
    check_table(path, where, answers, dict.fromkeys(_STEPS, dict), ("answer",))
    if (len(answers) > 1) != (" + step" in str(facts)):
        raise malformed(
            path,
            f"{where}: `below` or `above` and a value with `+ step` go together. Write the step "
            'where their households differ: age = "= min_age + step".',
        )
    for key, row in answers.items():
        types, needed = (_ANSWER, ()) if key == "answer" else (_BESIDE, ("name",))
        check_table(path, f"{where}, {key}", row, types, ("eligible", *needed))
        stated = {"name": name, **answers["answer"], **row}
        yield Example(**stated, facts=_stepped(facts, _STEPS[key]))


def _stepped(value: Any, step: str) -> Any:
    if isinstance(value, dict):
        return {name: _stepped(entry, step) for name, entry in value.items()}
    if isinstance(value, list):
        return [_stepped(entry, step) for entry in value]
    return value.replace(" + step", step) if isinstance(value, str) else value


def _computed(value: Any, thresholds: Thresholds, where: str) -> Any:
    if isinstance(value, Mapping):
        return {name: _computed(entry, thresholds, where) for name, entry in value.items()}
    if isinstance(value, list):
        return [_computed(entry, thresholds, where) for entry in value]
    if isinstance(value, str) and value.startswith("="):
        try:
            return _evaluate(ast.parse(value[1:].strip(), mode="eval").body, thresholds)
        except (SyntaxError, TypeError, ValueError) as error:
            raise ProgramFolderError(
                f"Example {where!r}: {value!r} cannot be computed ({error}). Use thresholds, whole "
                "numbers and + - * //.",
                example=where,
                value=value,
            ) from error
    return value


def _evaluate(node: ast.expr, thresholds: Thresholds) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.Name):
        return getattr(thresholds, node.id)
    if isinstance(node, ast.Subscript):
        table = _evaluate(node.value, thresholds)
        if isinstance(table, SizeTable):
            return table[_evaluate(node.slice, thresholds)]
    if isinstance(node, ast.BinOp) and (combine := _OPERATORS.get(type(node.op))):
        left, right = _evaluate(node.left, thresholds), _evaluate(node.right, thresholds)
        result = combine(left, timedelta(days=right) if isinstance(left, date) else right)
        return round(result, 4) if isinstance(result, float) else result
    raise ValueError(f"{ast.unparse(node)} is not allowed")


_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}
