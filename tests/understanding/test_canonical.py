from dataclasses import replace
from datetime import date

import pytest

from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from benyfits_data.understanding import canonical
from benyfits_data.understanding.answers import answer, claims_of_answer
from benyfits_data.understanding.claims import AnswerClaim as Claim
from benyfits_data.understanding.claims import Judgment, judge
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.query import Query, evaluate
from benyfits_data.understanding.typed import read_value, split_people
from tests.evaluation.players import family

HOUSEHOLD = family()
PEOPLE = {None: "", 0: "you", 1: "your spouse", 2: "Cleo", 3: "person 4 in your household"}


def every_fact():
    for key in FEATURES:
        members = range(len(HOUSEHOLD.members)) if key in MEMBER_FEATURES else [None]
        yield from ((key, member) for member in members)
    yield MEMBERS_KEY, None


def test_canonical_questions_are_answered_with_the_fact_and_nothing_else(subtests):
    for key, member in every_fact():
        with subtests.test(key=key, member=member):
            check_canonical(key, member)


def check_canonical(key, member):
    queries = canonical.read_question(canonical.ask_fact(key, PEOPLE[member]), HOUSEHOLD)
    assert queries == (canonical.query_for(key, member),)
    assert canonical.fact_of(queries[0]) == (key, member)
    claims = claims_of_answer(queries, HOUSEHOLD)
    assert judge(queries, claims, HOUSEHOLD) == Judgment("faithful")
    (claim,) = claims.claims
    true = evaluate(queries[0], HOUSEHOLD).answer
    assert claim.value == (true.isoformat() if isinstance(true, date) else true)
    assert (claim.fact or MEMBERS_KEY) == key
    assert read_value(key, answer(queries, HOUSEHOLD)) == true


def test_questions_about_everybody_are_answered_for_each_in_turn(subtests):
    for key in (None, *MEMBER_FEATURES):
        with subtests.test(key=key):
            check_everybody(key)


def check_everybody(key):
    asked = canonical.ROSTER_QUESTION if key is None else canonical.ask_everybody(key)
    queries = canonical.read_question(asked, HOUSEHOLD)
    assert queries == (Query("value", fact=key),)
    claims = claims_of_answer(queries, HOUSEHOLD).claims
    if key is None:
        size, *claims = claims
        assert size == Claim(how="count", value=len(HOUSEHOLD.members))
    keys = canonical.ROSTER_FACTS if key is None else (key,)
    assert [(it.fact, it.people.numbers[0], it.value) for it in claims] == [
        (name, number, getattr(member, name))
        for number, member in enumerate(HOUSEHOLD.members)
        for name in keys
    ]
    parts = split_people(answer(queries, HOUSEHOLD))
    for part, member in list(zip(parts, HOUSEHOLD.members, strict=True))[1:]:
        assert [read_value(name, part) for name in keys] == [getattr(member, it) for it in keys]


@pytest.mark.parametrize(
    "question", ["Does Cleo have any disability?", "What is the weather like?", ""]
)
def test_other_questions_are_no_canonical_ones(question):
    assert canonical.read_question(question, HOUSEHOLD) is None


def test_a_query_with_a_limit_is_no_single_fact():
    query = canonical.query_for("age", 0)
    assert canonical.fact_of(replace(query, is_inverted=True)) is None
    assert canonical.fact_of(replace(query, fact="income")) is None
