"""Functions become formulas that hang on no fact that cannot change them."""

from pathlib import Path

import pytest

from benyfits_data.language.ir import Node
from benyfits_data.language.source import Source
from benyfits_data.language.symbolic_execution import HouseholdArgument, SymbolicExecutor
from tests.language.writing import written_checker

EITHER = """
if household.acs:
    return True
return household.receives_snap
"""
NESTED = """
if household.acs:
    if household.receives_snap:
        return False
return household.filing_jointly
"""
MEMBERS = """
for member in household.members:
    if member.receives_ssi:
        continue
    if member.disabled:
        return True
return False
"""


def _text(node: Node) -> str:
    parts = [_text(part) for part in node.operands]
    if node.operation in ("feature", "present"):
        return str(node.fact if node.operation == "present" else node.fact[0])
    return f"{node.operation}({', '.join(parts)})"


@pytest.mark.parametrize(
    ("body", "formula"),
    [
        (EITHER, "or(acs, receives_snap)"),
        (NESTED, "and(not(and(acs, receives_snap)), filing_jointly)"),
        (MEMBERS, "or(and(not(receives_ssi), disabled), and(1, and(not(receives_ssi), disabled)))"),
    ],
)
def test_what_earlier_returns_rule_out_is_left_out(tmp_path: Path, body: str, formula: str) -> None:
    source = Source.of(written_checker(tmp_path, body))
    executor = SymbolicExecutor(places=2)
    assert _text(executor.execute(source, [HouseholdArgument(), None]).value) == formula
