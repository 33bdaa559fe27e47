"""What must hold of the tables in `sources/`: every check returns its problems in words."""

import ast
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import get_args
from urllib.parse import urlsplit

from benyfits_data.household.features import FEATURES
from benyfits_data.population.conditions import ConditionError, parse_condition, parse_range
from benyfits_data.population.sources import Confidence, Role, Share, Sources, Status
from benyfits_data.wording import count_of

_ALLOWED = {"status": Status, "confidence": Confidence, "role": Role}
LEAST_SOURCED_SHARE = 0.6
_SUM_TOLERANCE = 2e-3
_ROUNDING = 2e-6
_CONSTANT = re.compile(r"(?:1-\()?([0-9.]+)\)?")

Check = Callable[[Sources], Iterator[str]]
CHECKS: list[Check] = []


def check_sources(sources: Sources) -> list[str]:
    """Return every problem of the tables; empty when all is well."""
    return [problem for check in CHECKS for problem in check(sources)]


def feature_statuses(sources: Sources) -> dict[str, str]:
    """Return the status of every feature of the household model that has a distribution."""
    return {name: sources.status_of(name) for name in FEATURES if name in sources.by_feature}


def say_statuses(sources: Sources) -> str:
    """Return what the tables hold, and what their features rest on, in words."""
    statuses = Counter(feature_statuses(sources).values())
    return (
        f"{count_of(sources.cited(), 'source')} in use, {count_of(sources.figures, 'figure')}, "
        f"{count_of(sources.joints, 'joint table')}, {count_of(statuses.total(), 'feature')}: "
        + ", ".join(f"{statuses[status]} {status}" for status in get_args(Status))
        + f"; {count_of(sources.assumptions, 'assumption')}"
    )


def _check(function: Check) -> Check:
    CHECKS.append(function)
    return function


@_check
def features_without_distribution(sources: Sources) -> Iterator[str]:
    """Every feature of the household model has a distribution."""
    for name in FEATURES:
        if name not in sources.by_feature:
            yield f"{name} has no distribution. Add rows to sources/distributions."


@_check
def distributions_without_source(sources: Sources) -> Iterator[str]:
    """Every distribution has a source or is an assumption, and known words for both."""
    assumed = {assumption.feature for assumption in sources.assumptions}
    for name, rows in sources.by_feature.items():
        for row in rows:
            for column, words in _ALLOWED.items():
                if (word := getattr(row, column)) not in get_args(words):
                    yield (
                        f"{row.place}: {column} of {name} is {word!r}, expected one of "
                        f"{', '.join(get_args(words))}."
                    )
            if row.status == "assumption" and name not in assumed:
                yield f"{row.place}: {name} is assumed, but assumptions.csv does not say why."
            if row.status != "assumption" and not row.sources:
                yield f"{row.place}: {name} names no source and is no assumption."


@_check
def unknown_sources(sources: Sources) -> Iterator[str]:
    """Every source that is cited is in the registry."""
    citing = [
        *((f"{row.place}: {row.feature}", row.sources) for row in sources.shares),
        *((f"figure {figure.what!r}", (figure.source,)) for figure in sources.figures),
        *((f"people.csv: {row.what!r}", row.sources) for row in sources.people),
        *((f"joint/{joint.name}.csv", (joint.source,)) for joint in sources.joints.values()),
    ]
    for who, cited in citing:
        for source in cited:
            if source not in sources.registry:
                yield f"{who} cites {source!r}, which is not in registry.csv."


@_check
def shares_off_one(sources: Sources) -> Iterator[str]:
    """Shares of one condition are between 0 and 1 and sum to 1: none are cumulated."""
    groups: dict[tuple[str, str, str, str], list[Share]] = {}
    for row in sources.shares:
        if row.role in ("margin", "draw"):
            groups.setdefault((row.feature, row.role, row.table, row.given), []).append(row)
    for (feature, role, _, given), rows in groups.items():
        shares = [row.share or 0.0 for row in rows]
        total = sum(shares)
        if abs(total - 1) > _SUM_TOLERANCE:
            yield (
                f"{rows[0].place}: {role} shares of {feature} for {given!r} sum to {total:.4f}, "
                "expected 1."
            )
        for row in rows:
            if row.share is None or not 0 <= row.share <= 1:
                yield f"{row.place}: share of {feature} is {row.share}, expected 0 to 1."


@_check
def numbers_that_no_source_prints(sources: Sources) -> Iterator[str]:
    """A verified share, and a number written down as arithmetic, is printed by one of its sources.

    One less the number will do. What is assumed, or the result of a raking, is printed nowhere.
    """
    printed: dict[str, set[float]] = {}
    for figure in sources.figures:
        with suppress(ValueError):
            value = float(figure.value)
            printed.setdefault(figure.source, set()).update((value, value / 100))
    for row in sources.shares:
        claimed: set[float] = (
            {row.share} if row.status == "verified" and row.share is not None else set()
        )
        constant = _CONSTANT.fullmatch(row.arithmetic)
        if constant and row.status != "assumption" and "raked" not in row.note:
            claimed.add(float(constant[1]))
        known = {0.0, 1.0}.union(*(printed.get(source, set()) for source in row.sources))
        known |= {1 - one for one in known}
        for value in claimed:
            if not any(abs(value - one) <= _ROUNDING for one in known):
                yield (
                    f"{row.place}: {row.feature} | {row.given} = {value:g} is {row.status}, but "
                    f"none of {', '.join(row.sources)} prints it. Cite the figure; or call it "
                    "derived and write the arithmetic; or call it an assumption."
                )


@_check
def arithmetic_that_does_not_give_the_share(sources: Sources) -> Iterator[str]:
    """The arithmetic beside a share, or beside an unfitted figure, gives it."""
    rows = [(row.place, row.feature, row.share, row.arithmetic) for row in sources.shares]
    rows += [("unfitted.csv", row.what, row.carried, row.arithmetic) for row in sources.unfitted]
    for place, name, share, arithmetic in rows:
        if share is None or not arithmetic:
            continue
        try:
            value = evaluate(arithmetic)
        except (SyntaxError, ValueError, ZeroDivisionError) as error:
            yield f"{place}: arithmetic {arithmetic!r} of {name} fails: {error}."
            continue
        if abs(value - share) > _ROUNDING:
            yield f"{place}: {name} says {share}, but {arithmetic} is {value:.6f}."


@_check
def unreadable_conditions(sources: Sources) -> Iterator[str]:
    """Conditions can be read, and name features or facts that have rows or are derived."""
    for row in sources.shares:
        try:
            atoms = parse_condition(row.given)
        except ConditionError as error:
            yield f"{row.place}: {error}"
            continue
        for atom in atoms:
            ends = parse_range(atom.value)
            if ends is not None and ends[0] > ends[1]:
                yield f"{row.place}: range {atom.value!r} of {atom.column} is upside down."


@_check
def orphans(sources: Sources) -> Iterator[str]:
    """Every source is used, has figures or a table behind it, and every figure serves a feature."""
    cited = sources.cited()
    shown = {figure.source for figure in sources.figures}
    shown |= {joint.source for joint in sources.joints.values()}
    shown |= {source for enrollment in sources.enrollments for source in enrollment.sources}
    shown |= {source for row in sources.unfitted for source in row.sources}
    for source in sources.registry:
        if source not in cited:
            yield f"registry.csv: no distribution or joint table uses {source!r}. Remove it."
        if source not in shown:
            yield f"registry.csv: {source!r} has no row in figures/ or joint/. Add what it says."
    drawn = sources.by_feature
    for figure in sources.figures:
        for name in figure.features:
            if name not in drawn:
                yield f"figures/: {figure.what!r} serves {name!r}, which has no distribution."
            elif figure.source not in cited:
                yield f"figures/: {figure.what!r} comes from {figure.source!r}, used nowhere."
    for assumption in sources.assumptions:
        if assumption.feature not in drawn:
            yield f"assumptions.csv: {assumption.feature!r} has no distribution. Remove the row."
        if not assumption.reason or not assumption.look_up:
            yield f"assumptions.csv: {assumption.feature!r} lacks a reason or a place to look."


@_check
def addresses(sources: Sources) -> Iterator[str]:
    """Addresses are well formed, and years and publishers given."""
    for source in sources.registry.values():
        parts = urlsplit(source.address)
        host = parts.hostname or ""
        if parts.scheme not in ("http", "https") or "." not in host or " " in source.address:
            yield f"registry.csv: address of {source.id!r} is {source.address!r}, expected a URL."
        for name in ("publisher", "title", "year", "geography", "date_seen"):
            if not getattr(source, name).strip():
                yield f"registry.csv: {source.id!r} has no {name}."


@_check
def too_many_assumptions(sources: Sources) -> Iterator[str]:
    """Most features rest on verified or derived figures."""
    statuses = list(feature_statuses(sources).values())
    sourced = sum(status != "assumption" for status in statuses)
    if statuses and sourced / len(statuses) < LEAST_SOURCED_SHARE:
        yield (
            f"{sourced} of {len(statuses)} features rest on sources, expected "
            f"{LEAST_SOURCED_SHARE:.0%}. Look up some of assumptions.csv."
        )


_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def evaluate(text: str) -> float:
    """Return the value of an expression of numbers, `+ - * /` and parentheses.

    Raises:
        SyntaxError: It cannot be parsed.
        ValueError: It holds anything else.
    """
    return _value(ast.parse(text, mode="eval").body)


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    raise ValueError("only numbers and + - * / are allowed")
