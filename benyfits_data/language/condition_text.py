"""A condition of a checker in words, true for the values it met."""

import ast
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
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
_MONEY = ("income", "earnings", "resources")
"""Parts of the names of measures and locals that hold dollars."""
_COUNTED = ("years", "months", "weeks", "days", "hours")
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
            first = self._meaning(flag.func.id).removeprefix("Whether ")
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
        if isinstance(right, ast.Constant) and relation == "exactly":
            return f"{one}: {limit}"
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
                meaning = self._meaning(name).split(": ")[0].removesuffix(", in dollars")
                meaning = meaning.removeprefix("A member's ")
                meaning = meaning[0].lower() + meaning[1:]
                return f"{members[0]}'s {meaning}" if members else f"the {meaning}"
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

    def _meaning(self, measure: str) -> str:
        """Return what a measure counts, as its first line says."""
        meaning = inspect.getdoc(self.source.resolve(measure)) or measure
        return meaning.split("\n")[0].rstrip(".")

    def _local(self, name: str) -> ast.expr | None:
        """Return what a local stands for that is computed once, such as `size`; flags have none."""
        return _locals(self.source).get(name)

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
                if feature is not None and feature.unit:
                    return f"{feature.unit}s"
            if isinstance(part, ast.Name):
                if any(word in part.id for word in _MONEY):
                    return "dollars"
                if stands_for := self._local(part.id):
                    return self._unit(stands_for)
        return ""


@cache
def _locals(source: Source) -> dict[str, ast.expr]:
    """Return the locals that are computed once, with what they stand for."""
    stores: dict[str, list[ast.stmt]] = {}
    for node in ast.walk(source.node):
        if isinstance(node, ast.Assign | ast.AugAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            stores.setdefault(ast.unparse(target), []).append(node)
    return {
        name: only.value
        for name, (only, *others) in stores.items()
        if not others
        and isinstance(only, ast.Assign)
        and isinstance(only.value, ast.Call | ast.Subscript | ast.BinOp)
    }


def _words(name: str) -> str:
    words = name.removeprefix("n_").split("_")
    plain = " ".join(_ABBREVIATIONS.get(word, word) for word in words)
    return re.sub(r"\bmin\b", "lowest", re.sub(r"\bmax\b", "highest", plain))


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
    if unit in _COUNTED:
        return f"{value:,} {unit.removesuffix('s') if value == 1 else unit}"
    return f"{value:,}"
