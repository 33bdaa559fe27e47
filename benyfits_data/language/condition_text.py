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
from benyfits_data.language.decisions import Decision
from benyfits_data.language.source import Source

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
_ABBREVIATIONS = {"ac": "AC", "gpa": "GPA", "wic": "WIC", "covid": "COVID-19", "month": "a month"}
_BOUNDS = {"min": "lowest", "max": "highest"}
_MONEY = ("income", "earnings", "resources")
"""Parts of the names of measures and locals that hold dollars."""
_NAMES = {
    "ac_age_years": "age of the air conditioner",
    "age_months": "age in months",
    "available_financial_resources": "cash, savings and other resources",
    "days_looking_for_work": "days of looking for work",
    "evicted_months_ago": "months since an eviction",
    "got_heap_ac": "years since an air conditioner through HEAP",
    "high_school_equivalent": "diploma",
    "months_owned_property": "months of owning the home",
    "nonconsecutive_work_days": "days of work, in a row or not",
    "weeks_pregnant": "weeks of pregnancy",
    "work_hours_per_week": "hours of work a week",
}
"""Facts whose names do not say in words what they count."""
_COUNTED = ("years", "months", "weeks", "days", "hours")
_SIGNS = {ast.Add: "plus", ast.Sub: "minus", ast.Mult: "times"}


@dataclass(frozen=True)
class Said:
    """A condition in words, without full stop, true for the values it met.

    Attributes:
        fact: What the household has, such as `Ana's age: 80 years`.
        beside: What that was compared with, such as `more than 64 years`; empty for a plain fact.
    """

    fact: str
    beside: str = ""

    def __str__(self) -> str:
        return f"{self.fact}, {self.beside}" if self.beside else self.fact

    def joined(self, other: "Said") -> "Said | None":
        """Return two comparisons of one fact as one; `None` if they are of two."""
        if self.fact.partition(": ")[0] != other.fact.partition(": ")[0] or not other.beside:
            return None
        return Said(other.fact, " and ".join(filter(None, (self.beside, other.beside))))


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

    def say(self, met: Decision) -> Said:
        """Return what a condition met."""
        test = met.test
        if isinstance(test, ast.Compare):
            return self._say_comparison(test.left, test.comparators[0], met)
        flag = test.operand if isinstance(test, ast.UnaryOp) else test
        if isinstance(flag, ast.Attribute):
            return Said(self._say_flag(flag, bool(met.left)))
        if isinstance(flag, ast.Call) and isinstance(flag.func, ast.Name):
            return Said(self._say_measure(flag.func.id, flag.args, bool(met.left)))
        return Said(f"{self._name(flag)}: {'yes' if met.left else 'no'}")

    def _say_measure(self, measure: str, arguments: list[ast.expr], value: bool) -> str:
        """Return what a measure says of its member or the household, or that it does not hold."""
        says = self._meaning(measure).removeprefix("Whether ").partition(": ")[0]
        members = [
            self._name(argument) for argument in arguments if ast.unparse(argument) != "household"
        ]
        says = says.replace("the member", members[0], 1) if members else says
        if value:
            return says
        subject, *verb_and_rest = re.split(r" (is|are) ", says, maxsplit=1)
        # What is said by two verbs is not denied by denying one of them.
        if not verb_and_rest or " and " in subject:
            return f"{says}: no"
        verb, rest = verb_and_rest
        return f"{subject} {verb} not {rest}"

    def _say_flag(self, flag: ast.Attribute, value: bool) -> str:
        feature = FEATURES[flag.attr]
        verb = feature.verb or "is"
        phrase = feature.phrase.format(
            s="s" if value else "",
            ies="ies" if value else "y",
            possessive="its" if feature.level == "household" else "their own",
            reflexive="itself" if feature.level == "household" else "themself",
        ).replace("their own own", "their own")
        phrase = phrase.replace("your ", "the ")  # As declared, they are asked of the applicant.
        words = (self._name(flag.value), (_YES if value else _NO)[verb], phrase)
        return " ".join(word for word in words if word)

    def _say_comparison(self, left: ast.expr, right: ast.expr, met: Decision) -> Said:
        name, is_constant = self._name(left), isinstance(right, ast.Constant)
        if is_constant and ast.unparse(right) == "None":
            if met.left is None:
                return Said(self._say_none(left))
            return Said(f"{name}: {_value(met.left, self._unit(left))}")
        if isinstance(met.left, str) or isinstance(met.right, str):
            actual, wanted = (_value(value, "") for value in (met.left, met.right))
            if is_constant:
                return Said(f"{name} is {actual}", "" if actual == wanted else f"not {wanted}")
            return Said(f"{name} is {actual}, {self._name(right)} is {wanted}")
        if isinstance(met.left, bool):
            other = f"{self._name(right)}: {_value(met.right, '')}"
            return Said(f"{name}: {_value(met.left, '')}; {other}")
        unit = self._unit(left) or self._unit(right)
        fact, limit = f"{name}: {_value(met.left, unit)}", _value(met.right, unit)
        # A plain limit is its value; an amount for a size, or a sum, says what it is.
        if not (is_constant or re.fullmatch(r"thresholds\.\w+", ast.unparse(right))):
            limit += f", {self._name(right)}"
        if met.left == met.right:
            return Said(fact, "" if is_constant else f"exactly {limit}")
        more, less = (
            ("after", "before") if isinstance(met.left, date) else ("more than", "less than")
        )
        return Said(fact, f"{more if met.left > met.right else less} {limit}")

    def _say_none(self, fact: ast.expr) -> str:
        """Return what it means that a fact has no value, as its declaration says."""
        if not isinstance(fact, ast.Attribute):
            return f"{self._name(fact)}: none"
        feature = FEATURES[fact.attr]
        says = feature.none_or_off_sentence or feature.none_sentence
        forms = {"is": "is", "was": "was", "has": "has", "does": "does", "possessive": "their"}
        return says.format(subject=self._name(fact.value), **forms).rstrip(".")

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
                members = [
                    self._name(argument)
                    for argument in arguments
                    if ast.unparse(argument) != "household"
                ]
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
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
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
    if name in _NAMES:
        return _NAMES[name]
    words = name.removeprefix("n_").split("_")
    bounds = [_BOUNDS[word] for word in words if word in _BOUNDS]
    rest = (_ABBREVIATIONS.get(word, word) for word in words if word not in _BOUNDS)
    return " ".join([*bounds, *rest])


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
