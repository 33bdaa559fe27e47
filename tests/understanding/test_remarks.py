"""Remarks beside an answer are taken for what they are, inventions never.

Two authors wrote what applicants add to an answer. The lists of the second were never read by those
who work on the judge: `asides_unseen.txt`, `inventions_unseen.txt`.
"""

from itertools import product
from pathlib import Path

import pytest

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.claims import judge
from benyfits_data.understanding.parser.remarks import is_remark

FOLDER = Path(__file__).parent
HOME = Household.complete(
    [{"name": "Ana Reyes", "age": 44, "sex": "female", "work_hours_per_week": 30}],
    monthly_rent_spending=1500,
)
ANSWERS = (
    ("Do you work?", "Yes, I do"),
    ("How old are you?", "I'm 44"),
    ("How much rent do you pay each month?", "$1,500"),
)
JOINED = ("and", "but", "so", "because", "since", "which", "at", "in", "on", "as", "for", "though",
          "due", "with", "from", "by", "after", "before")  # fmt: skip


def added(answer: str, more: str) -> str:
    """An answer with what is said after it, as a clause or as a sentence of its own."""
    if more.split()[0] in JOINED:
        return f"{answer}, {more.rstrip('.')}."
    return f"{answer}. {more[0].upper()}{more[1:].rstrip('.')}."


def verdicts(name: str) -> list[str]:
    """Our verdict on each answer with each line of a list after it."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [
        judge(question, added(answer, line.strip()), HOME).verdict
        for (question, answer), line in product(ANSWERS, filter(str.strip, lines))
    ]


@pytest.mark.parametrize("half", ["seen", "unseen"])
def test_no_invention_is_taken_for_a_remark(half):
    assert "faithful" not in verdicts(f"inventions_{half}")


@pytest.mark.parametrize(("half", "share"), [("seen", 0.75), ("unseen", 0.70)])
def test_most_remarks_leave_an_answer_faithful(half, share):
    found = verdicts(f"asides_{half}")
    assert found.count("faithful") >= share * len(found)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("it keeps me up at night", "It keeps me up at night."),
        ("you can imagine", "You can imagine!"),
        ("i never thought i would be saying that", "I never thought I'd be saying that."),
        ("grateful for every day", "Grateful for every day."),
        ("do not laugh", "Don't laugh."),
        # A call to do something with what was said, an invitation, a thing that does as people do.
        ("frame that for posterity", "Frame that for posterity."),
        ("pinch me", "Pinch me."),
        ("you can count my ribs", "You can count my ribs."),
        ("the stairs laugh at him", "The stairs laugh at him."),
        # Words of times and places in another sense.
        ("i try not to store up worries", "I try not to store up worries."),
        (
            "before you have even bought a loaf of bread",
            "Before you've even bought a loaf of bread.",
        ),
        ("that checks out", "That checks out."),
        ("a blessing", "A blessing."),
        ("nothing fancy", "Nothing fancy."),
        ("it is not a lot for this city", "It isn't a lot for this city."),
    ],
)
def test_remarks_are_known(text, sentence):
    assert is_remark(text, sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("it is a girl", "It's a girl."),
        ("she makes the best beans", "She makes the best beans."),
        ("i hurt my back", "I hurt my back."),
        ("you know rosa from the deli", "You know Rosa from the deli."),
        ("it takes me 40 minutes", "It takes me 40 minutes."),
        ("at a bakery", "At a bakery."),
        ("i like to go fishing", "I like to go fishing."),
        ("only me", "Just me."),
        ("except me", "Except me."),
        ("paid me in cash", "Paid me in cash."),
        ("sell that at the market", "Sell that at the market."),
        ("rent that out", "Rent that out."),
        ("you can see my wheelchair", "You can see my wheelchair."),
        ("you can call my cousin", "You can call my cousin."),
        ("the teacher laughs at me", "The teacher laughs at me."),
        ("i go to a store", "I go to a store."),
        ("a part time job", "A part-time job."),
        ("it covers the baby", "It covers the baby."),
    ],
)
def test_what_tells_of_somebody_is_no_remark(text, sentence):
    assert not is_remark(text, sentence)
