"""The tables of `make user-quality` count every item once."""

from types import SimpleNamespace

import pytest

from tests.understanding import quality
from tests.understanding.banks import FOLDER
from tests.understanding.quality import ANSWERS_ALONE, BANKS, by_hand, describe_agreement, tabulate

TABLES = ("Questions", "Answers")


def test_the_questions_about_all_members_are_not_counted_twice():
    outcomes = [("all", "right"), ("any", "false"), ("any", "right")]
    lines = tabulate("Questions", outcomes, ["right", "false"]).splitlines()
    assert [line.split() for line in lines[2:]] == [
        ["all", "1", "100.0%", "0.0%"],
        ["any", "2", "50.0%", "50.0%"],
        ["total", "3", "66.7%", "33.3%"],
    ]


def test_each_unseen_bank_has_tables_of_its_own_and_no_failure_is_shown(monkeypatch):
    asked = SimpleNamespace(kind="who", question="Who works?", gold={})
    right, false = (asked, "right", "I do."), (asked, "false", "Nobody.")
    told = {"b": [right], "i": [false], "j": [right], "w": [right], "z": [right]}
    monkeypatch.setattr(quality, "told_of", told.get)
    judged = SimpleNamespace(kind="true_plain", verdict="faithful", question="", answer="I do.")
    answers = {bank: [] for bank in "bijwuz"} | {"s": [(judged, "right", "faithful")]}
    monkeypatch.setattr(quality, "judged_of", answers.get)
    printed = list(quality.tables("unseen", shows_failures=True))
    assert [table.splitlines()[0] for table in printed] == [
        *(f"{what} (unseen: {bank})" for bank in ("b", "i", "j", "w", "z") for what in TABLES),
        "Answers (unseen: s)",
        "Answers (unseen: u)",
        "Questions (unseen: b, i, j, w, z)",
        "Answers (unseen: b, i, j, w, z, s, u)",
    ]
    shown = [table.splitlines()[-1].split()[1:3] for table in printed if "Questions" in table]
    assert shown == [
        ["1", "100.0%"],
        ["1", "0.0%"],
        ["1", "100.0%"],
        ["1", "100.0%"],
        ["1", "100.0%"],
        ["5", "80.0%"],
    ]
    assert printed[-1].splitlines()[-1].split()[1:3] == ["1", "100.0%"]
    assert "Who works?" not in "".join(printed)


def test_every_bank_belongs_to_one_half():
    told = sorted(bank for banks in BANKS.values() for bank in banks)
    assert told == sorted(path.stem.split("_")[1] for path in FOLDER.glob("questions_?.jsonl"))
    told = sorted([*told, *(bank for banks in ANSWERS_ALONE.values() for bank in banks)])
    assert told == sorted(path.stem.split("_")[1] for path in FOLDER.glob("answers_?.jsonl"))


@pytest.mark.slow
def test_our_judge_agrees_with_a_person_about_a_real_model():
    verdicts = by_hand()
    assert len(verdicts) == 200
    told = describe_agreement(verdicts)
    agree, kappa = float(told.split(": ")[1].split("%")[0]), float(told.split("kappa ")[1][:4])
    # 80.8% and 0.69 when the answers were judged.
    assert agree > 75
    assert kappa > 0.6


@pytest.mark.slow
def test_a_judge_that_takes_everything_has_no_kappa_to_speak_of():
    verdicts = [("faithful", person) for _, person in by_hand()]
    assert "Cohen's kappa 0.00" in describe_agreement(verdicts)
