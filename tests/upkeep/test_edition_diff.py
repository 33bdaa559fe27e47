"""Two editions compared: words, values, witnesses, answers that change."""

import numpy as np
import pytest
from click.testing import Result

from benyfits_data.dataset import Row, write_rows
from benyfits_data.editions import load_edition
from benyfits_data.errors import ProofError, UnknownProgramError
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.model import Household
from benyfits_data.language.z3_backend import whole_world
from benyfits_data.upkeep.edition_diff import compare, count_flips
from benyfits_data.upkeep.freshness import edition_status
from benyfits_data.upkeep.label_changes import find_witness
from benyfits_data.upkeep.side_by_side import paragraphs, side_by_side
from tests.commands import invoke

OLD, NEW = load_edition(2024), load_edition(2026)


def changed_words(old: str, new: str) -> tuple[str, str]:
    pairs = side_by_side(old, new)
    return (
        " ".join(text for pair in pairs for text, is_changed in pair.old if is_changed),
        " ".join(text for pair in pairs for text, is_changed in pair.new if is_changed),
    )


def test_only_the_changed_words_are_marked() -> None:
    old = "1. You are 18\n   years old.\n2. You live here.\n"
    new = "1. You are at least 19 years\n   old.\n2. You live here.\n"
    assert changed_words(old, new) == ("18", "at least 19")


def test_wrapping_and_widths_of_tables_are_no_change() -> None:
    old = "One two\nthree.\n\n| a |  1 |\n|---|---:|\n| b | 22 |\n"
    new = "One\ntwo three.\n\n| a | 1 |\n|---|--:|\n| b | 22 |\n"
    assert changed_words(old, new) == ("", "")


def test_clauses_parts_and_rows_are_paragraphs() -> None:
    assert paragraphs("A\nb:\n\n1. One\n   more\n   a. Part\n- x\n| 1 | 2 |\nEnd.") == [
        "A b:",
        "1. One more",
        "a. Part",
        "- x",
        "| 1 | 2 |",
        "End.",
    ]


def test_a_moved_away_clause_stands_alone() -> None:
    pairs = side_by_side("1. Alpha beta.\n2. Gamma delta.\n", "1. Gamma delta.\n")
    assert [bool(pair.new) for pair in pairs] == [False, True]


def one_of_state(state: str) -> str:
    """A program that is so now, with the same text in both editions; programs change."""
    assert NEW.record
    return next(
        it.program
        for it in edition_status(NEW.record)
        if it.state == state and OLD[it.program].requirements() == NEW[it.program].requirements()
    )


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ThreeK", "rule"),
        ("FairFaresNYC", "amount"),
        (None, "re-verified"),
        (None, "not looked at"),
    ],
)
def test_what_happened_to_a_program_is_told(name: str | None, kind: str) -> None:
    (comparison,) = compare(OLD, NEW, [name or one_of_state(kind)]).programs
    assert comparison.kind == kind


def test_an_unknown_program_is_named() -> None:
    with pytest.raises(UnknownProgramError, match="FairFares"):
        compare(OLD, NEW, ["FairFares"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["ThreeK", "FairFaresNYC", "EarnedIncomeTaxCredit", "InfantToddlerPrograms"]
)
def test_a_witness_is_eligible_under_one_edition_only(name: str) -> None:
    world = whole_world()
    old, new = OLD.program(name), NEW.program(name)
    found = [find_witness(old, new, "gains", world), find_witness(old, new, "loses", world)]
    assert any(it.status == "found" for it in found)
    for it in found:
        if it.household is not None:
            assert it.household.violations() == []
            assert new.is_eligible(it.household) == (it.direction == "gains")
            assert old.is_eligible(it.household) == (it.direction == "loses")
        assert it.status in ("found", "none")


def test_a_witness_that_cpython_denies_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = OLD.program("ThreeK"), NEW.program("ThreeK")
    monkeypatch.setattr(type(new), "is_eligible", lambda self, household: True)
    with pytest.raises(ProofError, match="decided alike"):
        find_witness(old, new, "loses", whole_world())


@pytest.mark.slow
def test_flips_are_those_of_the_checkers() -> None:
    households = sample_households(300, NEW, 0)
    names = ["ThreeK", "FairFaresNYC", "IDNYC"]
    counts = count_flips(OLD, NEW, households, names, [str(it) for it in range(300)])
    for name in names:
        people = [households.household(position) for position in range(300)]
        old = np.array([OLD.program(name).is_eligible(it) for it in people])
        new = np.array([NEW.program(name).is_eligible(it) for it in people])
        assert counts[name].gained == (new & ~old).sum()
        assert counts[name].lost == (old & ~new).sum()
        assert list(counts[name].ids) == [str(it) for it in np.flatnonzero(old != new)]
    assert counts["IDNYC"].share == 0 < counts["ThreeK"].share


def test_changed_words_are_marked_in_markdown() -> None:
    report = compare(OLD, NEW, ["EnhancedSchoolTaxReliefProgram"])
    assert "**owners who use**" in report.markdown()


def diff(*arguments: str) -> Result:
    return invoke("programs", "diff", "2024", "2026", *arguments)


def test_rows_of_a_dataset_whose_labels_change_are_named(tmp_path) -> None:  # type: ignore[no-untyped-def]
    household = Household.complete(**{"members": [{"age": 30}, {"relation": "child", "age": 1}]})
    row = Row("first", 2024, household, "", ("ThreeK",), {"ThreeK": True}, {"ThreeK": True})
    write_rows(tmp_path / "rows.jsonl", [row])
    result = diff(
        "ThreeK",
        "--dataset",
        str(tmp_path / "rows.jsonl"),
        *("--households", "0", "--no-witnesses"),
    )
    assert "- dataset: 1 of 1 rows: first" in result.stdout
