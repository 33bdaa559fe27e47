"""A condition of a checker in words, true for the values it met."""

import ast
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from benyfits_data.editions import Thresholds
from benyfits_data.editions.program import day, dollars, grade
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.household.schema import Feature, Verb
from benyfits_data.language.source import Source
from benyfits_data.language.step_tracer import Decision

_YES: dict[Verb, str] = {
    "is": "is",
    "has": "has",
    "receives": "receives",
    "can": "can",
    "does": "",
    "has done": "has",
    "was": "was",
}
_NO: dict[Verb, str] = {
    "is": "is not",
    "has": "does not have",
    "receives": "does not receive",
    "can": "cannot",
    "does": "does not",
    "has done": "has not",
    "was": "was not",
}
_ABBREVIATIONS = {"gpa": "GPA", "ac": "AC", "heap": "HEAP", "covid": "COVID-19"}
_SIGNS = {ast.Add: "plus", ast.Sub: "minus", ast.Mult: "times"}


@dataclass(frozen=True)
class ConditionWriter:
    """Puts the conditions of one checker into words.

    Attributes:
        source: The checker.
        thresholds: Its thresholds, for their units.
        household: The household, for its size.
        names: What loop names and `household.applicant` are called where the condition stands.
    """

    source: Source
    thresholds: Thresholds
    household: Household
    names: Mapping[str, str]

    def say(self, test: ast.expr, met: Decision) -> str:
        """Return a sentence, without full stop, that is true for the values a condition met."""
        if isinstance(test, ast.Compare):
            return self._say_comparison(test.left, test.comparators[0], met)
        flag = test.operand if isinstance(test, ast.UnaryOp) else test
        if isinstance(flag, ast.Attribute):
            return self._say_flag(flag, bool(met.left))
        answer = "yes" if met.left else "no"
        if isinstance(flag, ast.Call) and isinstance(flag.func, ast.Name):
            meaning = inspect.getdoc(self.source.resolve(flag.func.id)) or flag.func.id
            first = meaning.split("\n")[0].rstrip(".").removeprefix("Whether ")
            members = [self._name(one) for one in flag.args if ast.unparse(one) != "household"]
            who = members[0] if members else "the household"
            return f"{first.replace('the member', who, 1)}: {answer}"
        return f"{self._name(flag)}: {answer}"

    def _say_flag(self, flag: ast.Attribute, value: bool) -> str:
        feature = FEATURES[flag.attr]
        verb = feature.verb or "is"
        phrase = feature.phrase.format(
            s="s" if value else "",
            ies="ies" if value else "y",
            possessive="its" if feature.level == "household" else "their own",
            reflexive="itself" if feature.level == "household" else "themself",
        ).replace("their own own", "their own")
        words = (self._name(flag.value), (_YES if value else _NO)[verb], phrase)
        return " ".join(word for word in words if word)

    def _say_comparison(self, left: ast.expr, right: ast.expr, met: Decision) -> str:
        one = self._name(left)
        if isinstance(right, ast.Constant) and right.value is None:
            unit = self._unit(left)
            return f"{one} " + (
                "does not apply" if met.left is None else f"is {_value(met.left, unit)}"
            )
        if isinstance(met.left, str) or isinstance(met.right, str):
            if isinstance(right, ast.Constant):
                other = "" if met.left == met.right else f", not {_value(met.right, '')}"
                return f"{one} is {_value(met.left, '')}{other}"
            actual, wanted = (_value(value, "") for value in (met.left, met.right))
            return f"{one} is {actual}, {self._name(right)} is {wanted}"
        unit = self._unit(left) or self._unit(right)
        if isinstance(met.left, bool):
            return f"{one}: {_value(met.left, '')}; {self._name(right)}: {_value(met.right, '')}"
        relation = "exactly"
        if met.left != met.right:
            relation = "more than" if met.left > met.right else "less than"
            if isinstance(met.left, date):
                relation = "after" if met.left > met.right else "before"
        limit = _value(met.right, unit)
        if not isinstance(right, ast.Constant):
            limit = f"{self._name(right)} ({limit})"
        return f"{one} ({_value(met.left, unit)}) is {relation} {limit}"

    def _name(self, node: ast.expr) -> str:
        match node:
            case ast.Attribute(value=ast.Name(id="thresholds"), attr=name):
                return f"the {_words(name)}"
            case ast.Attribute(value=ast.Name(id="household"), attr="applicant"):
                return self.names["applicant"]
            case ast.Attribute(value=ast.Name(id="household"), attr=name):
                return f"the household's {_words(name)}"
            case ast.Attribute(value=owner, attr=name):
                return f"{self._name(owner)}'s {_words(name)}"
            case ast.Subscript(value=table, slice=size):
                return f"{self._name(table)} for {self._size(size)}"
            case ast.Call(func=ast.Name(id="yearly"), args=[amount]):
                return f"twelve times {self._name(amount)}"
            case ast.Call(func=ast.Name(id=name), args=arguments):
                members = [self._name(one) for one in arguments if ast.unparse(one) != "household"]
                return f"{members[0]}'s {_words(name)}" if members else f"the {_words(name)}"
            case ast.BinOp(left=left, op=sign, right=right):
                return f"{self._name(left)} {_SIGNS[type(sign)]} {self._name(right)}"
            case ast.Name(id="household"):
                return "the household"
            case ast.Name(id=name) if name not in self.names and (stands_for := self._local(name)):
                return self._name(stands_for)
            case ast.Name(id=name):
                return self.names.get(name, _words(name))
            case ast.Constant(value=value):
                return str(value)
        return ast.unparse(node)

    def _local(self, name: str) -> ast.expr | None:
        """Return what a local stands for that is computed once, such as `size`; flags have none."""
        stores = [
            node
            for node in ast.walk(self.source.node)
            if isinstance(node, ast.Assign | ast.AugAssign)
            and name in (ast.unparse(target) for target in _targets(node))
        ]
        if len(stores) != 1 or not isinstance(stores[0], ast.Assign):
            return None
        value = stores[0].value
        return value if isinstance(value, ast.Call | ast.Subscript | ast.BinOp) else None

    def _size(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            node = self._local(node.id) or node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            size = self.source.resolve(node.func.id)(self.household)
            return f"a {_words(node.func.id)} of {size}"
        return self._name(node)

    def _unit(self, node: ast.expr) -> str:
        """Return the unit of the first thing in an expression that has one, such as `dollars`."""
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute):
                if ast.unparse(part.value) == "thresholds":
                    if part.attr in self.thresholds.of_readings():
                        continue
                    return self.thresholds.entry(part.attr).unit.split()[0]
                feature: Feature | None = FEATURES.get(part.attr)
                if feature is not None and feature.unit == "dollar":
                    return "dollars"
            if isinstance(part, ast.Name) and "income" in part.id:
                return "dollars"
        return ""


def _targets(node: ast.Assign | ast.AugAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _words(name: str) -> str:
    words = name.removeprefix("n_").split("_")
    plain = " ".join(_ABBREVIATIONS.get(word, word) for word in words)
    for short, long in (("min ", "lowest "), ("max ", "highest ")):
        plain = long + plain.removeprefix(short) if plain.startswith(short) else plain
    return plain


def _value(value: Any, unit: str) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, date):
        return day(value)
    if isinstance(value, str):
        return value.replace("_", " ")
    if unit == "dollars":
        return dollars(value)
    if unit == "grade" and isinstance(value, int) and value >= 0:
        return grade(value)
    return f"{value:,}"
