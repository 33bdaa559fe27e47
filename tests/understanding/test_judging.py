import json
from dataclasses import replace

import pytest

from benyfits_data.household.model import Household
from benyfits_data.understanding.claims import AnswerClaim as Claim
from benyfits_data.understanding.claims import Claims, judge
from benyfits_data.understanding.people import EVERYBODY, YOU, People
from benyfits_data.understanding.query import Query, QueryLimit

HOME = Household.complete(
    members=[
        {"name": "Ana Ruiz", "age": 34, "work_hours_per_week": 40, "annual_work_income": 24000},
        {"name": "Ben Ruiz", "relation": "spouse", "sex": "male", "age": 36, "disabled": True},
        {"name": "Cleo Ruiz", "relation": "child", "sex": "female", "age": 5},
    ]
)
BEN = People(numbers=(1,))
KIDS = People(relations=("child",))
HE_IS_DISABLED = (Query("is", BEN, "disabled"),)
HOW_OLD = (Query("value", YOU, "age"),)


@pytest.mark.parametrize(
    ("queries", "claims", "verdict"),
    [
        (HE_IS_DISABLED, Claims(stance="yes"), "faithful"),
        (HE_IS_DISABLED, Claims(stance="no"), "unfaithful"),
        (HE_IS_DISABLED, Claims((Claim(BEN, "disabled"),)), "faithful"),
        (
            HE_IS_DISABLED,
            Claims((Claim(BEN, "disabled"),), adds=("since birth",)),
            "over_claim",
        ),
        (HE_IS_DISABLED, Claims((Claim(BEN, "age", value=36),)), "no_answer"),
        (HE_IS_DISABLED, Claims((Claim(YOU, "age", value=30),), "yes"), "unfaithful"),
        (HE_IS_DISABLED, Claims(says_nothing=True), "no_answer"),
        (HE_IS_DISABLED, Claims((Claim(YOU, "disabled", value=False),)), "no_answer"),
        (HE_IS_DISABLED, Claims((Claim(BEN, "shoe_size", value=44),), "yes"), "over_claim"),
        (HOW_OLD, Claims((Claim(YOU, "age", value=34),)), "faithful"),
        (HOW_OLD, Claims((Claim(YOU, "age", value=35),)), "unfaithful"),
        (HOW_OLD, Claims((Claim(YOU, "age", sign="about", value=35),)), "faithful"),
        (HOW_OLD, Claims((Claim(YOU, "age", sign="<", value=30),)), "unfaithful"),
        (HOW_OLD, Claims((Claim(YOU, "age", sign=">=", value=30),)), "faithful"),
        (HOW_OLD, Claims((Claim(YOU, "age", sign="not", value=34),)), "unfaithful"),
        (
            (Query("value", YOU, "annual_work_income"),),
            Claims((Claim(YOU, "annual_work_income", value=2000, per="month"),)),
            "faithful",
        ),
        (
            (Query("value", YOU, "annual_work_income"),),
            Claims((Claim(YOU, "annual_work_income", value=2000),)),
            "unfaithful",
        ),
        ((Query("count", KIDS),), Claims((Claim(KIDS, how="count", value=1),)), "faithful"),
        ((Query("count", KIDS),), Claims((Claim(KIDS, how="count", value=2),)), "unfaithful"),
        ((Query("count", KIDS),), Claims(stance="no"), "unfaithful"),
        (
            (Query("who", fact="employed"),),
            Claims((Claim(YOU, "employed", "only"),)),
            "faithful",
        ),
        ((Query("who", fact="employed"),), Claims((Claim(BEN, "employed"),)), "unfaithful"),
        (
            (Query("who", fact="disabled"),),
            Claims((Claim(YOU, "disabled", "only"),)),
            "unfaithful",
        ),
        (
            (Query("is", fact="disabled"),),
            Claims((Claim(EVERYBODY, "disabled", "any"),)),
            "faithful",
        ),
        (
            (Query("is", fact="disabled"),),
            Claims((Claim(EVERYBODY, "disabled", "each"),)),
            "unfaithful",
        ),
        ((Query("is", YOU, "not_known"),), Claims(stance="yes"), "over_claim"),
        ((Query("is", YOU, "not_known"),), Claims(says_nothing=True), "no_answer"),
        ((), Claims((Claim(YOU, "age", value=34),)), "faithful"),
        ((), Claims(), "no_answer"),
        (
            (Query("is", YOU, "employed"), Query("is", BEN, "employed", joint="and")),
            Claims(stance="yes"),
            "unfaithful",
        ),
        (
            (Query("is", YOU, "employed"), Query("is", BEN, "employed", joint="or")),
            Claims(stance="yes"),
            "faithful",
        ),
    ],
)
def test_verdicts_follow_from_claims(queries, claims, verdict):
    assert judge(queries, claims, HOME).verdict == verdict


def test_what_is_wrong_is_told():
    claims = Claims((Claim(YOU, "age", value=30), Claim(BEN, "age", value=36)), "no")
    assert judge(HE_IS_DISABLED, claims, HOME).wrong == (
        "age of Ana Ruiz: 30 was said, 34 is so",
        "no was said, yes is so",
    )


def test_queries_and_claims_can_be_written_down():
    limit = QueryLimit(">", 400, "month", up_to=500)
    query = Query("is", KIDS, "income", limit=limit, among=BEN, than=YOU, joint="or")
    claims = Claims((Claim(replace(KIDS, below=6), "age", "any", "<", 6),), "no", True, ("x",))
    assert Query.from_record(json.loads(json.dumps(query.to_record()))) == query
    assert Claims.from_record(json.loads(json.dumps(claims.to_record()))) == claims
    assert Query("count").to_record() == {"how": "count"}
