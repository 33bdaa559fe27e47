"""Whatever people, facts and forms a question combines, it is answered truly or not at all."""

import random
from collections import Counter

import pytest

from benyfits_data.understanding.parser import sentence_reader
from tests.understanding import question_grammar
from tests.understanding.banks import households_of_banks
from tests.understanding.quality import answer_outcome

HOUSEHOLDS = 20
MOST_FALSE = 0
"""Of some 560 questions of each draw."""
FEWEST_RIGHT = 0.95


def _outcomes(seed: int) -> tuple[Counter[str], list[str]]:
    rng = random.Random(seed)
    homes = [it for it in households_of_banks() if len(it.members) > 1]
    asked = [
        it for home in rng.sample(homes, HOUSEHOLDS) for it in question_grammar.drawn(home, rng)
    ]
    told = [(it, *answer_outcome(it)) for it in asked]
    false = [f"{it.kind}: {it.question} {said}" for it, outcome, said in told if outcome == "false"]
    return Counter(outcome for _, outcome, _ in told), false


@pytest.mark.parametrize("seed", [1, 2])
def test_combined_questions_are_answered_truly(seed: int) -> None:
    found, false = _outcomes(seed)
    assert found["false"] <= MOST_FALSE, false
    assert found["right"] >= FEWEST_RIGHT * found.total(), found


def test_a_person_lost_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_reader, "of_both_owners", lambda words: words)
    found, false = _outcomes(1)
    assert found["false"] > MOST_FALSE, found
    assert any(it.startswith("T of X and of Y") for it in false), false
