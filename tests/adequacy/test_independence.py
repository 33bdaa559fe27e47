from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benyfits_data.adequacy import missing_proofs
from benyfits_data.adequacy.independence import (
    IndependenceReader,
    conditions_of,
    deciding_alone,
)
from benyfits_data.adequacy.missing_proofs import prove_conditions, prove_missing
from benyfits_data.editions import Edition, load_edition
from benyfits_data.errors import ProofError
from benyfits_data.household.model import Household
from benyfits_data.language.source import Deciding
from benyfits_data.language.z3_backend import whole_world
from tests.language.draws import draw_possible
from tests.language.writing import WrittenProgram, thresholds, written_checker


def edition(folder: Path, body: str, **values: Any) -> Edition:
    written: Any = WrittenProgram(written_checker(folder, body), thresholds(**values))
    return Edition(2024, {"Written": written})


EITHER = """
if household.receives_snap:  # clause 1
    return True
if household.applicant.disabled:  # clause 2
    return True
return False
"""
SNAP, DISABLED = 7, 9


def home(**facts: Any) -> Household:
    disabled = facts.pop("disabled", False)
    return Household.complete(members=[{"age": 40, "disabled": disabled}], **facts)


def test_a_condition_decides_alone_where_no_other_decides_too(tmp_path: Path) -> None:
    program = edition(tmp_path, EITHER)["Written"]
    both = deciding_alone(program, home(receives_snap=True, disabled=True))
    assert both == set()
    assert deciding_alone(program, home(receives_snap=True)) == {Deciding(SNAP, True)}
    assert deciding_alone(program, home(disabled=True)) == {Deciding(DISABLED, True)}
    neither = deciding_alone(program, home())
    assert neither == {Deciding(SNAP, False), Deciding(DISABLED, False)}


@pytest.mark.slow
def test_columns_say_what_cpython_says() -> None:
    rules = load_edition(2024)
    households = draw_possible(12, 3)
    reader = IndependenceReader(rules)
    found = reader.read(households)
    told = n_told = 0
    for name, program in rules.programs.items():
        own = reader.conditions[name]
        for at in range(len(households)):
            bits = np.unpackbits(found[name][at].view(np.uint8), bitorder="little")
            alone = {one for bit, one in zip(bits, own, strict=False) if bit}
            assert alone == deciding_alone(program, households.household(at)), name
            told, n_told = told + len(alone), n_told + len(own)
    assert 0 < told < n_told


def test_what_can_never_decide_alone_is_proven_so(tmp_path: Path) -> None:
    body = EITHER.replace("household.applicant.disabled", "household.receives_snap")
    program: Any = edition(tmp_path, body)["Written"]
    verdicts = prove_conditions(program, conditions_of(program), whole_world())
    status = {one.element: one.status for one in verdicts}
    assert status == {
        Deciding(SNAP, True): "impossible",
        Deciding(SNAP, False): "shown",
        Deciding(DISABLED, True): "impossible",
        Deciding(DISABLED, False): "shown",
    }


@pytest.mark.slow
def test_missing_conditions_and_mutants_are_shown_by_the_same_households_again() -> None:
    rules, name = load_edition(2024), "FairFaresNYC"
    halves = conditions_of(rules[name])
    asked = {name: [*halves[:3], -1]}
    first = prove_missing(rules, asked)
    assert [one.element for one in first] == asked[name]
    assert {one.status for one in first} == {"shown"}
    assert prove_missing(rules, asked) == first
    for one in first[:3]:
        assert one.household is not None
        assert one.element in deciding_alone(rules[name], one.household)


def test_a_planted_false_household_of_the_solver_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program: Any = edition(tmp_path, EITHER)["Written"]
    monkeypatch.setattr(missing_proofs, "deciding_alone", lambda *_: frozenset())
    with pytest.raises(ProofError, match="line 7 deciding alone by holding is false"):
        list(prove_conditions(program, [Deciding(SNAP, True)], whole_world()))
