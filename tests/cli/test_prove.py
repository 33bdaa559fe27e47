import json

import pytest

from benyfits_data.adequacy import checker_proofs
from benyfits_data.editions import load_edition
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import trace
from benyfits_data.language.source import Source
from benyfits_data.language.z3_backend import Verdict
from tests.commands import invoke

ASKED = ("checkers", "IDNYC", "--edition", "2024", "--households", "0")


def run(*arguments: str, code: int = 0) -> str:
    result = invoke("prove", *arguments)
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.slow
def test_every_element_of_a_program_gets_a_verdict_and_a_household_that_runs_it() -> None:
    asked = ("checkers", "FairFaresNYC", "--edition", "2026", "--households", "0")
    program = load_edition(2026).program("FairFaresNYC")
    rows = json.loads(run(*asked, "--json"))["elements"]
    output = run(*asked)
    source = Source.of(program.checker)
    assert len(rows) == len(source.elements)
    assert output == "".join(
        f"2026: {len(some)} {words}: 0 covered, {len(some)} reachable, 0 dead, 0 unknown\n"
        for words, some in (("lines", source.body_lines), ("branches", source.branches))
    )
    for row in rows:
        one = row["element"]
        element = tuple(one) if isinstance(one, list) else one
        assert element in trace(program, Household.from_facts(row["household"])).elements


@pytest.mark.slow
def test_editions_are_compared() -> None:
    output = run("checkers", "FairFaresNYC", "IDNYC", "--households", "0")
    assert (
        "2024 to 2026: 1 program proven the same, 1 decide a household otherwise: FairFaresNYC "
        "(gains)"
    ) in output


def test_a_dead_line_is_named_and_exits_1(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load_edition(2024).program("IDNYC")
    line = program.checker_path.read_text().splitlines().index("        return True") + 1
    dead = Verdict("IDNYC", 2024, line, "dead", None, 0.25)
    monkeypatch.setattr(checker_proofs, "prove_many", lambda *_: [[dead]])
    output = run(*ASKED, code=1)
    told = f"{program.checker_path}:{line}: line {line}: return True (0.2 s)"
    assert f"dead in 2024: {told}" in output
    assert "1 lines: 0 covered, 0 reachable, 1 dead, 0 unknown" in output


def test_a_dead_branch_is_named_and_an_unknown_one_exits_1(monkeypatch: pytest.MonkeyPatch) -> None:
    for status, code in (("dead", 0), ("unknown", 1)):
        verdict = Verdict("IDNYC", 2024, (10, 11), status, None, 0.25)
        monkeypatch.setattr(checker_proofs, "prove_many", lambda *_, one=verdict: [[one]])
        output = run(*ASKED, code=code)
        assert f"{status} in 2024: " in output
        assert "branch 10 to 11: " in output
