"""Formulas in the solver's terms: one variable for each fact of a household."""

import math
import operator
from fractions import Fraction
from types import ModuleType
from typing import Any

from benyfits_data.household.feature_arrays import CODED_MEMBER_FEATURES
from benyfits_data.household.features import HOUSEHOLD_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.household.schema import NONE_CODE, Feature
from benyfits_data.language.ir import Node, walk

_CONNECTIVES = {"not": "Not", "and": "And", "or": "Or", "choose": "If"}
_CALCULATIONS = {
    "equal": operator.eq,
    "plus": operator.add,
    "minus": operator.sub,
    "times": operator.mul,
}
TENTHS = 10
"""Decimal features have one decimal: their variable counts tenths."""


class Translation:
    """The variables of a household and formulas over them.

    Args:
        places: The most members that a household may have.

    Attributes:
        z3: The solver's module.
        context: Where terms live: apart from those of others, so that what the solver finds does
            not hang on what the process asked before.
    """

    def __init__(self, places: int = LARGEST_HOUSEHOLD) -> None:
        # Imported late: nothing but proofs waits for it.
        import z3

        self.z3: ModuleType = z3
        self.context = self.z3.Context()
        self._variables: dict[tuple[str, int | None], Any] = {}
        self._terms: dict[Node, Any] = {}
        self._present = [self.z3.Bool(f"present {row}", self.context) for row in range(places)]

    def domains(self) -> list[Any]:
        """Return what the domains demand of every variable, and of who is present."""
        demands = [self._present[0]]
        for row in range(1, len(self._present)):
            demands.append(self.z3.Implies(self._present[row], self._present[row - 1]))
        for name, feature in HOUSEHOLD_FEATURES.items():
            demands += self._domain(feature, self.variable(name, None))
        for name, feature in CODED_MEMBER_FEATURES.items():
            for row in range(len(self._present)):
                demands += self._domain(feature, self.variable(name, row))
        return demands

    def variable(self, name: str, position: int | None) -> Any:
        """Return the variable of a fact: of the member at a position, or of the household."""
        key = (name, position)
        if key not in self._variables:
            features = HOUSEHOLD_FEATURES if position is None else CODED_MEMBER_FEATURES
            sort = self.z3.Bool if features[name].kind == "flag" else self.z3.Int
            text = f"{name} {'' if position is None else position}".strip()
            self._variables[key] = sort(text, self.context)
        return self._variables[key]

    def term(self, node: Node) -> Any:
        """Return a formula in the solver's terms."""
        for part in walk([node]):
            if part not in self._terms:
                self._terms[part] = self._translate(part)
        return self._terms[node]

    def facts(self, model: Any) -> dict[str, Any]:
        """Return the household of a model as plain facts; free variables get their defaults."""
        size = sum(
            self.z3.is_true(model.eval(present, model_completion=True)) for present in self._present
        )
        facts: dict[str, Any] = {
            name: self._value(model, name, None, feature)
            for name, feature in HOUSEHOLD_FEATURES.items()
        }
        facts["members"] = [
            {"name": f"Member {row + 1}"}
            | {
                name: self._value(model, name, row, feature)
                for name, feature in CODED_MEMBER_FEATURES.items()
            }
            for row in range(size)
        ]
        return facts

    def _value(self, model: Any, name: str, position: int | None, feature: Feature) -> Any:
        value = model.eval(self.variable(name, position), model_completion=False)
        if feature.kind == "flag":
            if self.z3.is_true(value) or self.z3.is_false(value):
                return bool(self.z3.is_true(value))
            return feature.default
        if not self.z3.is_int_value(value):
            return feature.default
        code = value.as_long()
        if feature.kind == "decimal":
            return None if code == NONE_CODE * TENTHS else code / TENTHS
        return feature.decode(code)

    def _domain(self, feature: Feature, variable: Any) -> list[Any]:
        if feature.kind == "flag":
            return []
        scale = TENTHS if feature.kind == "decimal" else 1
        if feature.kind == "choice":
            low, high = 0, len(feature.choices) - 1
        else:
            assert feature.minimum is not None
            assert feature.maximum is not None
            low, high = round(feature.minimum * scale), round(feature.maximum * scale)
        none = NONE_CODE * scale
        if feature.optional and none == low - 1:
            low = none
        elif feature.optional:
            within = self.z3.And(variable >= low, variable <= high)
            return [self.z3.Or(variable == none, within), variable >= none, variable <= high]
        return [variable >= low, variable <= high]

    def _translate(self, node: Node) -> Any:
        z3 = self.z3
        operands = [self._terms[operand] for operand in node.operands]
        match node.operation:
            case "constant" if node.is_flag:
                return z3.BoolVal(node.fact, self.context)
            case "constant":
                return self._number(node.fact, is_whole=node.is_whole)
            case "feature":
                name, position = node.fact
                variable = self.variable(name, position)
                return variable if node.is_whole else z3.ToReal(variable) / TENTHS
            case "present":
                return self._present[node.fact]
            case "not" | "and" | "or" | "choose" as operation:
                return getattr(z3, _CONNECTIVES[operation])(*operands)
            case "equal" | "plus" | "minus" | "times" as operation:
                return _CALCULATIONS[operation](*operands)
            case "less":
                return self._less(node, *operands)
            case "row":
                return self._row(node, operands[0], lambda amount: amount)

    def _less(self, node: Node, left: Any, right: Any) -> Any:
        # A whole number is below a fraction exactly if it is below the next whole number; so
        # amounts printed in cents need no arithmetic of fractions.
        first, second = node.operands
        if first.is_whole and not second.is_whole:
            right = self._rounded(second, right, math.ceil)
        elif second.is_whole and not first.is_whole:
            left = self._rounded(first, left, math.floor)
        return left < right

    def _rounded(self, node: Node, term: Any, direction: Any) -> Any:
        if node.operation == "constant":
            return self._number(direction(node.fact), is_whole=True)
        if node.operation == "row":
            return self._row(node, self._terms[node.operands[0]], direction)
        return term

    def _row(self, node: Node, size: Any, rounded: Any) -> Any:
        amounts = [rounded(amount) for amount in node.fact]
        is_whole = all(amount == int(amount) for amount in amounts)
        term = self._number(amounts[-1], is_whole=is_whole)
        for offset, amount in reversed(list(enumerate(amounts[:-1]))):
            term = self.z3.If(
                size == int(node.operands[0].low) + offset,
                self._number(amount, is_whole=is_whole),
                term,
            )
        return term

    def _number(self, number: float, *, is_whole: bool) -> Any:
        if is_whole:
            return self.z3.IntVal(number, self.context)
        exact = Fraction(number)
        return self.z3.RealVal(f"{exact.numerator}/{exact.denominator}", self.context)
