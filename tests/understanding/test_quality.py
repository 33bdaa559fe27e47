"""The tables of `make user-quality` count every item once."""

from tests.understanding.banks import FOLDER
from tests.understanding.quality import BANKS, tabulate


def test_the_questions_about_all_members_are_not_counted_twice():
    outcomes = [("all", "right"), ("any", "false"), ("any", "right")]
    lines = tabulate("Questions", outcomes, ["right", "false"]).splitlines()
    assert [line.split() for line in lines[2:]] == [
        ["all", "1", "100.0%", "0.0%"],
        ["any", "2", "50.0%", "50.0%"],
        ["total", "3", "66.7%", "33.3%"],
    ]


def test_every_bank_belongs_to_one_half():
    told = sorted(bank for banks in BANKS.values() for bank in banks)
    assert told == sorted(path.stem.split("_")[1] for path in FOLDER.glob("questions_*.jsonl"))
    assert told == sorted(path.stem.split("_")[1] for path in FOLDER.glob("answers_*.jsonl"))
