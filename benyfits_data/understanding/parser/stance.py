"""What a sentence that makes no clause says to what was asked: yes or no, or one of the values.

"Welfare doesn't give me any of that cash assistance" has the words of the fact that was asked
about, a denial, and little else: it says no, whatever the rest means.
"""

from collections.abc import Callable, Sequence

from benyfits_data.understanding.parser.answer_words import (
    DENIALS,
    POINTING,
    SPOKEN,
    TOLD,
    as_asked,
)
from benyfits_data.understanding.parser.claim_notes import ClaimNotes
from benyfits_data.understanding.parser.fact_words import belongs, values_named
from benyfits_data.understanding.parser.left_numbers import is_wrapping
from benyfits_data.understanding.parser.people_found import beside_people, people_named
from benyfits_data.understanding.parser.query import Evaluation
from benyfits_data.understanding.parser.question_text import PLAIN_WORDS
from benyfits_data.understanding.parser.topics import topics
from benyfits_data.understanding.parser.words import stem

_DENYING = DENIALS | frozenset(TOLD["denying"].split())
_ASIDE = frozenset(TOLD["unsaying"].split())
"""Words by which a sentence speaks of the matter and not of the household."""
_TURNING = frozenset(("out", "off", "over", "past", "away", "until", "before", "except"))
"""Words that may turn what is said into its opposite: "trains are out for me"."""
_SAID = SPOKEN | {"give", "share", "answer", "discuss", "matter", "matters", "recall", "remember"}
"""Verbs whose denial is no answer: "I don't give that out"."""
_UNDOING = frozenset(("without", "stop", "stopped", "stopping", "ceased", "quit"))
"""Words that deny, and with another denial affirm: "she never stopped working"."""
_SUBJECTS = frozenset(("you", "your", "it", "they", "he", "she", "that", "this", "there", "all"))
MOST_WRAPPED = 2
"""Words around a value that may be of something else: "the boiler runs on oil"."""
MOST_STRANGE = 1
"""Words of a sentence that may be of something else."""


def take_stance(notes: ClaimNotes, text: str, is_told: Callable[[str], bool]) -> bool:
    """Take in a sentence as a yes or a no to the one thing that was asked; return whether it is.

    Args:
        notes: What was asked and claimed.
        text: A sentence that no reader of clauses understood.
        is_told: Whether a word is one of grammar, or of what was asked.
    """
    is_said = notes.has_word or any(it.is_true for it in notes.claims)
    if len(notes.found) != 1 or is_said:
        return False
    asked = notes.found[0]
    topic = topics()[asked.query.topic] if asked.query.topic else None
    if asked.query.how not in ("is", "exists") or not asked.is_known or topic is None:
        return False
    if asked.query.comparison is not None or topic.kind in ("number", "money"):
        return False
    words = ["0" if it == "$0" else it for it in as_asked(text, notes.names)]
    if any(it.strip("$.").isdigit() and it not in ("0", "1") for it in words):
        return False
    if _ASIDE & set(words):
        return False
    bare = beside_people(words)
    told = {
        it
        for it in bare
        if it not in PLAIN_WORDS and (belongs(it, topic.name) or stem(it) in notes.asked)
    }
    denials = {it for it in words if it in _DENYING}
    denials -= {it for it in denials - DENIALS if belongs(it, topic.name)}
    # "not ..., no job" denies once, "not without" and "never stopped" twice.
    undoing = _UNDOING & set(words) if denials - _UNDOING else {"without"} & denials
    is_denied = bool(denials - _UNDOING) != bool(undoing)
    is_pointed = is_denied and bool((POINTING | {"that", "those", "any"}) & set(words))
    is_pointed = is_pointed and not (_SAID | _TURNING) & set(words)
    if not told and not is_pointed:
        return False
    if words[:2] == ["do", "not"] and words[2:3] and not (words[2] in told or is_told(words[2])):
        notes.is_no_answer = True  # "don't wave food stamps at me"
        return True
    if not is_denied and _is_of_others(notes, asked, words):
        return False
    if not is_denied and not (_SUBJECTS & set(words) or people_named(words)):
        return False  # "ugh, taxes"
    strange = [
        it
        for it in bare
        if not (it in _DENYING | undoing or it in told or is_wrapping(it) or is_told(it))
    ]
    if not is_denied and _TURNING & set(words):
        return False
    if len(strange) > (MOST_STRANGE if is_denied and told else 0):
        return False
    notes.polarity(not is_denied, text)
    return True


def _is_of_others(notes: ClaimNotes, asked: Evaluation, words: Sequence[str]) -> bool:
    """Whether words name people, and none of those who were asked about: "that's my condition"."""
    if not topics()[asked.query.topic or ""].of_member:
        return False
    named = {n for it in people_named(words) for n in notes.numbers_of(it)}
    named |= {0} if {"you", "your"} & set(words) else set()
    return bool(named) and not named & notes.asked_of(asked.query)


def take_value_named(notes: ClaimNotes, text: str, is_told: Callable[[str], bool]) -> bool:
    """Take in the one value of what was asked that a sentence names; return whether it did.

    "The boiler runs on oil" names one of the sources of heat.
    """
    if len(notes.found) != 1 or not notes.found[0].is_known:
        return False
    (asked,) = notes.found
    topic = topics()[asked.query.topic] if asked.query.topic else None
    if topic is None or topic.kind != "choice" or asked.query.how not in ("value", "is"):
        return False
    if len(asked.findings) != 1 or asked.query.is_negated or asked.query.is_opposite:
        return False
    words = as_asked(text, notes.names)
    if any(it.topic == topic.name and it.is_true for it in notes.claims):
        return False  # what is said beyond the value
    named = values_named(words, topic.name)
    if len(named) != 1 or (_DENYING | _ASIDE) & set(words):
        return False
    value = asked.findings[0].value
    is_true = value in named
    notes.add(text, topic.name, is_true, value)
    strange = [
        it
        for it in beside_people(words)
        if not (belongs(it, topic.name) or is_wrapping(it) or is_told(it))
    ]
    if is_true and len(strange) > MOST_WRAPPED:
        notes.invented.append(" ".join(strange))
    return True
