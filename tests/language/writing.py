"""Checkers written to files: the language's functions live in files of text."""

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from benyfits_data.editions import SizeTable, Threshold, Thresholds

HEAD = '''"""A checker."""

from benyfits_data.household.measures import *

def is_eligible(household, thresholds):
    """Return something."""
'''


@dataclass(frozen=True)
class WrittenProgram:
    """A program that is one function only."""

    checker: Callable[..., Any]
    thresholds: Thresholds
    name: str = "Written"
    edition: int = 2024
    checker_path: Path = Path("checker.py")


def written_checker(folder: Path, body: str, name: str = "checker") -> Callable[..., Any]:
    """Return a checker with this body; its first line is line 7."""
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.strip("\n").splitlines())
    return written_function(folder / f"{name}.py", HEAD + lines)


def written_function(path: Path, text: str) -> Callable[..., Any]:
    """Return the function `is_eligible` of a module written to `path`."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(f"written_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[..., Any] = module.is_eligible
    return function


CONDITIONS_OF_HOUSEHOLD = [
    "household.receives_snap",
    "not household.applicant.disabled",
    'household.housing_type == "Section 8"',
    'household.tenure != "renter"',
    "household.evicted_months_ago is None",
    "household_income(household) > thresholds.limit[household_size(household)]",
    "household.monthly_rent_spending * thresholds.two <= thresholds.amount",
    "family_size_with_unborn(household) == thresholds.two",
    "yearly(household.monthly_rent_spending) < household_income(household)",
    "total >= thresholds.two",
    "flag",
    "not flag",
]
CONDITIONS_OF_MEMBER = [
    *CONDITIONS_OF_HOUSEHOLD,
    "member.disabled",
    "not member.is_parent",
    "member.age < thresholds.age",
    "thresholds.age >= member.age",
    "member.age == household.applicant.age",
    'member.relation == "self"',
    "member.relation != household.applicant.relation",
    "is_child_in_care(member)",
    "not is_in_tax_unit(household, member)",
    "income(member) - member.annual_work_income > thresholds.amount",
    "member.weeks_pregnant is not None",
    "member.disabled == household.applicant.disabled",
]
FLAT = ["total += 1", "flag = True", "flag = False", "total = household_size(household)"]


def thresholds(**values: Any) -> Thresholds:
    """Return thresholds with these values."""
    entry = Threshold("", "", 0, 2024, "", date(2024, 1, 1), "", "")
    return Thresholds(
        "Test", 2024, {name: replace(entry, name=name, value=told) for name, told in values.items()}
    )


WRITTEN_THRESHOLDS = thresholds(
    limit=SizeTable("limit", {1: 20_000, 2: 31_000.5}, 9_000), two=2, amount=1_234.5, age=18
)


@st.composite
def checker_bodies(draw: st.DrawFn) -> str:
    """Bodies of checkers with loops, early returns, accumulators and flags."""
    lines = ["flag = False", "total = 0"]
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            lines += ["for member in household.members:"]
            lines += _indented(draw(_blocks(3, is_loop=True)))
        else:
            lines += draw(_blocks(2, is_loop=False))
    return "\n".join([*lines, f"return {draw(st.booleans())}"])


@st.composite
def _blocks(draw: st.DrawFn, depth: int, *, is_loop: bool) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        if depth == 0 or draw(st.integers(0, 3)) == 0:
            lines.append(draw(st.sampled_from(FLAT)))
            continue
        known = CONDITIONS_OF_MEMBER if is_loop else CONDITIONS_OF_HOUSEHOLD
        for word in ("if", "elif")[: draw(st.integers(1, 2))]:
            lines.append(f"{word} {draw(st.sampled_from(known))}:")
            lines += _indented(draw(_blocks(depth - 1, is_loop=is_loop)))
        if draw(st.integers(0, 2)) == 0:
            lines += ["else:", *_indented(draw(_blocks(depth - 1, is_loop=is_loop)))]
    ends = ["return True", "return False", "", ""] + (["continue"] if is_loop else [])
    end = draw(st.sampled_from(ends))
    return [*lines, end] if end else lines


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]
