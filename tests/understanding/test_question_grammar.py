"""Whatever people, facts and forms a question combines, it is answered truly or not at all."""

import random
from collections import Counter

import pytest

from benyfits_data.understanding import sentence_reader
from benyfits_data.understanding.answers import answer
from benyfits_data.understanding.cover import NotUnderstoodError
from benyfits_data.understanding.questions import read_question
from tests.understanding import question_grammar
from tests.understanding.bank_gold import shows
from tests.understanding.banks import households_of_banks

HOUSEHOLDS = 20
MOST_FALSE = 2
"""Of some 700 questions. First names that are words ("Ty": thank you) are misread."""
FEWEST_RIGHT = 0.95


def _outcomes(seed: int) -> tuple[Counter[str], list[str]]:
    rng = random.Random(seed)
    homes = [it for it in households_of_banks() if len(it.members) > 1]
    found: Counter[str] = Counter()
    false = []
    for home in rng.sample(homes, HOUSEHOLDS):
        for asked in question_grammar.drawn(home, rng):
            try:
                said = answer(read_question(asked.question, home), home)
            except NotUnderstoodError:
                found["not understood"] += 1
                continue
            is_right = shows(said, asked.gold, home)
            found["right" if is_right else "false"] += 1
            if not is_right:
                false.append(f"{asked.form}: {asked.question} {said} ({asked.gold})")
    return found, false


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
