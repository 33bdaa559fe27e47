"""The comparisons of a checker with thresholds, and the smallest step of their sides."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benyfits_data.household.constants import MONTHS_PER_YEAR
from benyfits_data.household.features import FEATURES
from benyfits_data.household.schema import Feature
from benyfits_data.language.source import Source

_FIXED = 0.0
_Kept = Mapping[str, list[ast.expr]]
"""What is assigned to each local name, anywhere in the function."""


@dataclass(frozen=True)
class ThresholdComparison:
    """One comparison of facts with a threshold.

    Attributes:
        line: Line of the file.
        text: The condition as written.
        names: The thresholds it reads, through locals too.
        step: The smallest difference of its sides: 1, 0.1 for a GPA, 12 for a yearly rent.
        feature: The feature that stands alone on one side; `None` for sums.
        bound: The value on the other side, if it is one threshold without size.
        is_turned: Whether the feature stands on the right.
    """

    line: int
    text: str
    names: frozenset[str]
    step: float
    feature: Feature | None
    bound: Any
    is_turned: bool

    def is_possible(self, side: int) -> bool:
        """Return whether the feature's domain has a value below (-1), at (0) or above (1)."""
        if self.feature is None or not isinstance(self.bound, int | float):
            return True
        place = self.bound + (-side if self.is_turned else side) * self.step
        minimum, maximum = self.feature.minimum, self.feature.maximum
        return minimum is None or maximum is None or minimum <= place <= maximum


def threshold_comparisons(source: Source, thresholds: Any) -> list[ThresholdComparison]:
    """Return a checker's comparisons with thresholds, in order of their lines."""
    kept: dict[str, list[ast.expr]] = {}
    for node in ast.walk(source.node):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            kept.setdefault(node.targets[0].id, []).append(node.value)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            counted = ast.Name("?") if isinstance(node.value, ast.Constant) else node.value
            kept.setdefault(node.target.id, []).append(counted)
    comparisons = []
    for node in ast.walk(source.node):
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Compare)):
            continue
        left, right = node.test.left, node.test.comparators[0]
        of_left, of_right = (
            {part.attr for part in thresholds_in(_parts(side, kept))} for side in (left, right)
        )
        if not of_left | of_right:
            continue
        fact, limit = (right, left) if of_left else (left, right)
        comparisons.append(
            ThresholdComparison(
                line=node.lineno,
                text=ast.unparse(node.test),
                names=frozenset(of_left | of_right),
                step=_least(_step(side, kept, thresholds) for side in (left, right)) or 1.0,
                feature=FEATURES.get(fact.attr) if isinstance(fact, ast.Attribute) else None,
                bound=_plain_value(limit, thresholds),
                is_turned=bool(of_left),
            )
        )
    return sorted(comparisons, key=lambda comparison: comparison.line)


def thresholds_in(nodes: Iterable[ast.AST]) -> list[ast.Attribute]:
    """Return those nodes that read a threshold."""
    return [
        node
        for node in nodes
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "thresholds"
    ]


def _parts(node: ast.AST, kept: _Kept, seen: frozenset[str] = frozenset()) -> Iterator[ast.AST]:
    """Yield the parts of an expression, and those of what its locals stand for."""
    for part in ast.walk(node):
        yield part
        if isinstance(part, ast.Name) and part.id not in seen:
            for value in kept.get(part.id, ()):
                yield from _parts(value, kept, seen | {part.id})


def _least(steps: Iterable[float]) -> float:
    """Return the smallest step of those that are not fixed."""
    return min((step for step in steps if step), default=_FIXED)


def _step(node: ast.expr, kept: _Kept, thresholds: Any) -> float:
    """Return the smallest change of an expression; 0 when it is fixed."""
    match node:
        case ast.Constant() | ast.Attribute(value=ast.Name(id="thresholds")) | ast.Subscript():
            return _FIXED
        case ast.Attribute(attr=name):
            return 0.1 if name in FEATURES and FEATURES[name].kind == "decimal" else 1.0
        case ast.Name(id=name) if name in kept:
            return _least(_step(value, kept, thresholds) for value in kept[name])
        case ast.Call(func=ast.Name(id="yearly"), args=[amount]):
            return MONTHS_PER_YEAR * _step(amount, kept, thresholds)
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            first, second = (_step(side, kept, thresholds) for side in (left, right))
            if first and second:
                return min(first, second)
            factor = _plain_value(right if first else left, thresholds)
            return (first or second) * (factor if isinstance(factor, int | float) else 1)
        case ast.BinOp(left=left, right=right):
            return _least(_step(side, kept, thresholds) for side in (left, right))
    return 1.0


def _plain_value(node: ast.expr, thresholds: Any) -> Any:
    """Return the value of a threshold without size, or of a constant; else `None`."""
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "thresholds":
        return getattr(thresholds, node.attr)
    return node.value if isinstance(node, ast.Constant) else None
