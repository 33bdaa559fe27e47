"""A sentence's words in the order, and from the side, in which the reader knows them."""

from benyfits_data.understanding.cover import NotUnderstoodError
from benyfits_data.understanding.people_found import find_people
from benyfits_data.understanding.phrases import MEMBER
from benyfits_data.understanding.question_text import VERBS

_SEEN_FROM = {
    "spouse": ("spouse", "husband", "wife"),
    "partner": ("partner", "boyfriend", "girlfriend"),
    "child": ("parent", "mother", "father"),
    "parent": ("child", "son", "daughter"),
    "sibling": ("sibling", "brother", "sister"),
    "grandchild": ("grandparent", "grandmother", "grandfather"),
    "grandparent": ("grandchild", "grandson", "granddaughter"),
}
_SEEN = {word: relation for relation, words in _SEEN_FROM.items() for word in words}


def as_applicant_sees(words: list[str]) -> list[str]:
    """Return "are you @1's wife?" as "is @1 your spouse?".

    Raises:
        NotUnderstoodError: It is asked what two others are to each other.
    """
    if len(words) != 4 or words[3] not in _SEEN or not words[2].startswith(MEMBER):
        return words
    if words[:2] == ["are", "you"]:
        return ["is", words[2], "your", _SEEN[words[3]]]
    if words[0] == "is" and words[1].startswith(MEMBER):
        raise NotUnderstoodError(f"what are {words[1]} and {words[2]} to each other?")
    return words


def subject_last(words: list[str]) -> list[list[str]]:
    """Return "how long has your spouse been out of work" with the spouse at its end.

    So the words of one fact stand together, as where "you" is asked.
    """
    for place, word in enumerate(words[:7]):
        if (
            0 < place < len(words) - 1
            and word in VERBS
            and words[0] in ("how", "when", "what", "which")
        ):
            told = [it for it in find_people(words, place + 1) if it.end < len(words)]
            for it in told:
                if it.people.kind == "members" and it.people.quantifier == "the":
                    at, end = place + 1, it.end
                    return [[*words[:at], *words[end:], *words[at:end]]]
    return []
