"""A sentence's words in the order, and from the side, in which the reader knows them."""

import re

from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.people_found import people_listed
from benyfits_data.understanding.parser.people_words import KIN
from benyfits_data.understanding.parser.phrases import MEMBER
from benyfits_data.understanding.parser.question_text import VERBS, WORDING

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
            at = place + 1
            listed = sorted(people_listed(words, at), key=lambda it: -it[1])
            for people, end in listed:
                is_one = people.kind == "members" and people.quantifier == "the"
                if end < len(words) and (is_one or people.kind == "group"):
                    return [[*words[:at], *words[end:], *words[at:end]]]
    return []


_KIN = rf"(?:{KIN}|oldest|youngest)"
_OF_ONE = rf"(?:{MEMBER}\d+|your (?:(?:oldest|youngest|older|younger) )?{_KIN}(?! {_KIN}\b))"
_NO_THING = r"(?!(?:and|or|the|of|children|sons|daughters|parents|household|family)\b)"
_THING = rf"(?P<thing>(?:{_NO_THING}[a-z]+ ){{0,3}}?{_NO_THING}[a-z]+)"
_LOOSE = "(?:total|own|yearly|annual|gross|usual|regular|current)"
"""Said of what one of them has, and meant of what the other has, too."""
_OWNERS_APART = (
    re.compile(
        rf"(?<!\S)(?:the )?(?P<one>{_OF_ONE}|your) {_THING} and "
        rf"(?P<other>{_OF_ONE}|your) (?P=thing)(?= |$)"
    ),
    re.compile(
        rf"(?<!\S)(?P<one>{_OF_ONE}|your) (?:{_LOOSE} )?{_THING} and (?:the )?(?P=thing) of "
        rf"(?P<other>{_OF_ONE}|you)(?= |$)"
    ),
    re.compile(
        rf"\bthe {_THING} of (?P<one>{_OF_ONE}|you) and (?:the (?P=thing) )?of "
        rf"(?P<other>{_OF_ONE}|you)(?= |$)"
    ),
)
"""What one person has and another has, too: "your age and the age of your spouse"."""
_HELD_TOGETHER = frozenset(WORDING["comparing"]["difference"].split()) | {"between", "than"}
"""Words that hold two things against each other: a comparison, which is read as it stands."""
_ADDING = frozenset(("sum", "total", "combined", "together"))
"""Words with which what two have is added up."""


def of_both_owners(words: list[str]) -> list[str]:
    """Return "your age and the age of your spouse" as "the age of you and your spouse".

    >>> " ".join(of_both_owners("the sum of your income and @1 income".split()))
    'the sum of the income of you and @1'
    """
    if not words or words[0] in VERBS or _HELD_TOGETHER & set(words):
        return words  # "what is the difference between your age and your spouse's age?"
    text = " ".join(words)
    for pattern in _OWNERS_APART:
        if match := pattern.search(text):
            one, other = ("you" if match[it] == "your" else match[it] for it in ("one", "other"))
            is_apart = pattern is _OWNERS_APART[0]
            if is_apart and "you" not in (one, other) and not _ADDING & set(words):
                continue  # each of the two is asked for by itself
            both = f"the {match['thing']} of {one} and {other}"
            return f"{text[: match.start()]}{both}{text[match.end() :]}".split()
    return words
