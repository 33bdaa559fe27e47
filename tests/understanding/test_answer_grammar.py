"""Whatever people, facts and forms an answer combines, it is judged as it is."""

import random
from collections import Counter

import pytest

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser import answer_reader
from tests.understanding import answer_grammar
from tests.understanding.bank_gold import first_name
from tests.understanding.banks import households_of_banks
from tests.understanding.quality import judge_outcome

HOUSEHOLDS = 10
MOST_WRONG = 0.01
"""Share of some 900 answers of each draw."""


def _homes() -> list[Household]:
    """Return the households of several people, each of whom a first name tells apart."""
    return [
        home
        for home in households_of_banks()
        if 1 < len(home.members) == len({first_name(it) for it in home.members})
    ]


def _outcomes(seed: int) -> tuple[Counter[str], list[str]]:
    rng = random.Random(seed)
    drawn = [
        it for home in rng.sample(_homes(), HOUSEHOLDS) for it in answer_grammar.drawn(home, rng)
    ]
    told = [(it, *judge_outcome(it)) for it in drawn]
    wrong = [
        f"{it.kind}: {it.question} {it.answer} {it.verdict} as {verdict}"
        for it, outcome, verdict in told
        if outcome != "right"
    ]
    return Counter(outcome for _, outcome, _ in told), wrong


@pytest.mark.parametrize("seed", [1, 2])
def test_combined_answers_are_judged_as_they_are(seed: int) -> None:
    found, wrong = _outcomes(seed)
    assert found["false acceptance"] == 0, wrong
    assert len(wrong) <= MOST_WRONG * found.total(), wrong


def test_a_denial_lost_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_reader, "with_denied_apart", lambda text, _: [text])
    found, wrong = _outcomes(1)
    assert found["false acceptance"] > 0, found
    assert any(it.startswith("Ana, but not Ben") for it in wrong), wrong
