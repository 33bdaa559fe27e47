"""Which income a program reads: one row a program, from its checker, thresholds and readings."""

import ast
import re
from collections.abc import Iterator

from benyfits_data.editions import Program, load_edition, load_register
from benyfits_data.language.source import Source

_INCOMES = {
    "household_income": ("all", "all members"),
    "family_income": ("all", "all members but friends"),
    "parents_family_income": ("all", "applicant, partner, children in care under 21"),
    "tax_unit_income": ("all", "applicant, and spouse on a joint return"),
    "tax_unit_work_income": ("earnings", "applicant, and spouse on a joint return"),
    "tax_unit_investment_income": ("all but earnings", "applicant, and spouse on a joint return"),
    "owners_income": ("all", "owners of the home"),
    "resident_owners_and_spouses_income": ("all", "owners of the home and spouses who live there"),
    "income": ("all", "the member"),
    "annual_work_income": ("earnings", "the member"),
    "annual_investment_income": ("all but earnings", "the member"),
}
_SIZES = {
    "household_size": "all members",
    "family_size": "all members but friends",
    "family_size_with_unborn": "all members and the unborn",
    "parents_family_size": "applicant, partner, children in care under 21",
}
_OPEN = re.compile(
    r"income|\bpay\b|earn|amounts?\b|guideline|\btable\b|SSI of a child", re.IGNORECASE
)
_HEAD = """# Which income counts

Written by `python -m benyfits_data.cli.reference docs` from checkers, thresholds and readings. For
each program that reads income: which income counts; whose; by whose number the limit goes; whether
a household exactly at the limit qualifies; and the readings under which this differs
(`programs readings NAME` explains them).

All income that is not from work is one fact of a member. Social Security, pensions, benefits and
interest are not distinguished, so no program can leave one of them out.

| program | editions | income | whose | limit by number of | at the limit | readings |
|---|---|---|---|---|---|---|
"""


def income_page() -> str:
    """Return the page of docs that holds the table."""
    rows: dict[tuple[str, ...], list[int]] = {}
    for year in load_register():
        for program in load_edition(year).programs.values():
            if (row := income_row(program)) is not None:
                rows.setdefault((program.name, *row), []).append(year)
    lines = []
    for (name, *cells), years in sorted(rows.items()):
        editions = ", ".join(str(year) for year in years)
        lines.append(f"| {name} | {editions} | {' | '.join(cells)} |\n")
    return _HEAD + "".join(lines)


def income_row(program: Program) -> tuple[str, str, str, str, str] | None:
    """Return the cells of a program's row; `None` if it holds no income against an amount."""
    source = Source.of(program.checker)
    called = {income for income in _INCOMES if income in _called(source)}
    compared = sorted(set(_at_the_limit(program, source)))
    if not called or not compared:
        return None
    kinds = dict.fromkeys(_INCOMES[income][0] for income in _INCOMES if income in called)
    people = dict.fromkeys(_INCOMES[income][1] for income in _INCOMES if income in called)
    sizes = [words for measure, words in _SIZES.items() if measure in _called(source)]
    is_open = [reading.id for reading in program.readings if _OPEN.search(reading.question)]
    cells = (kinds, people, sizes, compared, is_open)
    return tuple("; ".join(cell) or "-" for cell in cells)  # type: ignore[return-value]


def _called(source: Source) -> frozenset[str]:
    """Return the names that the checker itself uses, not the measures that it calls."""
    return frozenset(
        node.id if isinstance(node, ast.Name) else node.attr
        for statement in source.statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name | ast.Attribute)
    )


def _at_the_limit(program: Program, source: Source) -> Iterator[str]:
    """Give `in` or `out` for each comparison with an amount of income."""
    nodes = [node for statement in source.statements for node in ast.walk(statement)]
    amounts = {
        node.targets[0].id
        for node in nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and _is_amount(program, node.value, frozenset())
    }
    for node in nodes:
        if isinstance(node, ast.Compare) and _is_amount(program, node, frozenset(amounts)):
            yield "in" if isinstance(node.ops[0], ast.Gt | ast.LtE) else "out"


def _is_amount(program: Program, expression: ast.AST, amounts: frozenset[str]) -> bool:
    """Return whether an expression holds an amount of income: a threshold or a name for one."""
    return any(
        (isinstance(node, ast.Name) and node.id in amounts)
        or (isinstance(node, ast.Attribute) and _is_of_income(program, node.attr))
        for node in ast.walk(expression)
    )


def _is_of_income(program: Program, name: str) -> bool:
    if name not in program.thresholds.names() or re.search("resource|rent|_pay", name):
        return False
    return program.thresholds.entry(name).unit.startswith("dollars")
