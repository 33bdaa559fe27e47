"""Statements about who lives here, told beside an answer to another question."""

import pytest

from benyfits_data.household.model import Household, Member
from benyfits_data.understanding.parser.claims import judge
from tests.understanding.banks import FOLDER, households_of_banks

RENT = "Do you rent your home?"


def _household() -> Household:
    """Return Ana's: a friend, a grandmother, two daughters of 5 and 3, a mother; they rent."""
    names = ["Ana", "Beatriz", "Carmen", "Claire", "Diana", "Elizabeth"]

    def first(member: Member) -> str:
        return member.name.split()[0]

    return next(it for it in households_of_banks() if [*map(first, it.members)] == names)


@pytest.mark.parametrize(
    ("so", "not_so"),
    [
        (
            "I live with my friend Beatriz, my grandmother, my mother and my two daughters.",
            "I live with my husband Beatriz, my grandmother and my mother.",
        ),
        ("My mother's name is Elizabeth.", "My mother's name is Carmen."),
        ("My kids are 5 and 3.", "My kids are 5 and 4."),
        ("The girls are 3 and 5 years old.", "The girls are 3 and 6 years old."),
        ("The youngest is 3.", "The youngest is 4."),
        ("The oldest is Carmen.", "The oldest is Elizabeth."),
        ("My oldest, Claire, is 5.", "My oldest, Diana, is 5."),
        ("Diana is the youngest.", "Claire is the youngest."),
        ("I have two daughters, Claire and Diana.", "I have two daughters, Claire and Carmen."),
        (
            "I have two kids: Claire (5) and Diana (3).",
            "I have two kids: Claire (6) and Diana (3).",
        ),
        ("I'm in my 20s.", "I'm in my 40s."),
        ("My grandmother's 76.", "My grandmother's 67."),
        ("Four of us are adults.", "Three of us are adults."),
        ("We are four adults and two children.", "We are four adults and one child."),
        ("Nobody here is over 80.", "Nobody here is over 70."),
        ("There are no children under 3.", "There are no children under 5."),
        ("I don't have a husband or wife.", "I don't have a mother or a father."),
        ("My grandmother is the oldest.", "We're all adults."),
    ],
)
def test_who_lives_here_is_held_against_the_members(so: str, not_so: str) -> None:
    told, false = (judge(RENT, f"Yes. {it}", _household()) for it in (so, not_so))
    assert told.verdict == "faithful", told
    assert false.verdict == "unfaithful", false


def test_a_stranger_is_an_over_claim() -> None:
    said = "Yes. I live with my friend Beatriz and Zebulon."
    assert judge(RENT, said, _household()).verdict == "over_claim"


def test_who_lives_here_answers_nothing_else() -> None:
    told = judge(RENT, "I live with my mother Elizabeth.", _household())
    assert told.verdict == "no_answer"


def test_only_those_named_live_here() -> None:
    everybody = "Beatriz, Carmen, Claire, Diana, Elizabeth and me"
    assert judge(RENT, f"Yes. It's only {everybody} here.", _household()).verdict == "faithful"
    few = judge(RENT, "Yes. It's just me and my mother Elizabeth.", _household())
    assert few.verdict == "unfaithful"


@pytest.mark.parametrize(
    ("more", "verdict"),
    [
        ("My friend Beatriz is 20 years old.", "faithful"),
        ("Claire is my grandmother.", "unfaithful"),
    ],
)
def test_after_a_name_other_facts_are_no_names(more: str, verdict: str) -> None:
    said = f"My mother's name is Elizabeth Washington. {more}"
    assert judge("What is your mother's name?", said, _household()).verdict == verdict


def test_a_statement_about_the_household_beside_people_asked_for_is_judged() -> None:
    asked = "Is anyone pregnant, and are there children under 2?"
    alone = next(it for it in households_of_banks() if len(it.members) == 1)
    said = "No. No. My household does not receive SNAP (food stamps)."
    assert judge(asked, said, alone).verdict in ("faithful", "unfaithful")


QUESTIONS = (RENT, "Do you receive SNAP?", "Are you pregnant?")
FEWEST_SO = {"seen": 52, "unseen": 33}
MOST_ACCEPTED = {"seen": 5, "unseen": 2}
"""Of 90 each, of 27 November 2026: true statements found faithful, false ones taken for true.

`composition_HALF.tsv`: a statement of Ana's by an author who saw nothing of ours, and its false
twin. Nobody who works on the judge reads the unseen half.
"""


@pytest.mark.parametrize("half", ["seen", "unseen"])
def test_statements_of_a_new_author(half: str) -> None:
    ana = _household()
    pairs = (FOLDER / f"composition_{half}.tsv").read_text().splitlines()
    found = {"so": 0, "not so": 0}
    for question in QUESTIONS:
        begin = next(it for it in ("Yes.", "No.") if judge(question, it, ana).verdict == "faithful")
        for pair in pairs:
            for kind, said in zip(found, pair.split("\t"), strict=True):
                found[kind] += judge(question, f"{begin} {said}", ana).verdict == "faithful"
    assert found["so"] >= FEWEST_SO[half]
    assert found["not so"] <= MOST_ACCEPTED[half]
