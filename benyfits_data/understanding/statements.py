"""Facts as the screener says them: sentences about you, a member or the household."""

from typing import Any

from benyfits_data.household.features import FEATURES
from benyfits_data.profiles.sentences import value_sentence
from benyfits_data.profiles.verb_forms import (
    AFFIRMATIVE,
    NEGATIVE,
    Speaker,
    named_speaker,
    phrase_of,
)


def household_speaker(key: str) -> Speaker:
    """Return the forms of sentences that state a feature of the household."""
    is_named = FEATURES[key].kind == "flag" or "{subject}" in FEATURES[key].sentence
    return named_speaker("your household", "its" if is_named else "your household's")


def state_fact(key: str, value: Any, speaker: Speaker) -> str:
    """Return a fact of somebody as a sentence."""
    feature = FEATURES[key]
    if value is None and feature.none_or_off_sentence:
        return speaker.sentence(feature.none_or_off_sentence)
    if feature.kind != "flag":
        return value_sentence(feature, value, speaker)
    if not value and feature.denial:
        return speaker.sentence(AFFIRMATIVE[feature.verb or "is"], list=feature.denial)
    forms = AFFIRMATIVE if value else NEGATIVE
    said = phrase_of(feature, affirmed=bool(value))
    return speaker.sentence(forms[feature.verb or "is"], list=said)


def choice_words(key: str, speaker: Speaker) -> tuple[str, dict[str, str]]:
    """Return how sentences about a choice begin, and how each goes on: "You live in", "a condo"."""
    sentences = {it: state_fact(key, it, speaker).split() for it in FEATURES[key].choices}
    begins_alike = [len(set(words)) == 1 for words in zip(*sentences.values(), strict=False)]
    first = next(iter(sentences.values()))
    shared = begins_alike.index(False)
    while shared > 1 and first[shared - 1][0].isupper():
        shared -= 1  # A name is not torn apart: New York, New Jersey.
    ends = {choice: " ".join(words[shared:]) for choice, words in sentences.items()}
    return " ".join(first[:shared]), ends
