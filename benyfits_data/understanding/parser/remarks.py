"""Remarks beside an answer that tell nothing of the household: "it never gets easier".

A remark is told from an invention by what it speaks of: of everybody, of the talk itself, of what
the speaker thinks and feels; and never with an amount, a name, a date, or what a member does.
"""

import re
from collections.abc import Sequence

from benyfits_data.understanding.parser.answer_people import is_person
from benyfits_data.understanding.parser.answer_words import (
    CUTS,
    FUNCTION_WORDS,
    NO_NAMES,
    SMALL_TALK,
    TOLD,
)
from benyfits_data.understanding.parser.fact_words import is_known
from benyfits_data.understanding.parser.question_text import PLAIN_WORDS, VERBS

_REMARKS = TOLD["remarks"]
_LEADING, _OPENING, _GENERAL, _HOLY, _AUXILIARIES, _ADVERBS, _THINKING = (
    frozenset(_REMARKS[name].split())
    for name in (
        "leading",
        "opening",
        "general",
        "holy",
        "auxiliaries",
        "adverbs",
        "thinking",
    )
)
_EVALUATING, _AFFECTING, _OWN, _PARTICULAR, _MATTERS, _PAST, _BOUND = (
    frozenset(_REMARKS[name].split())
    for name in ("evaluating", "affecting", "own", "particular", "matters", "past", "bound")
)
_NO_VERBS = PLAIN_WORDS | FUNCTION_WORDS | SMALL_TALK | CUTS | _ADVERBS | _LEADING
_SPEAKER = ("i", "we")
_POINTING = ("it", "that", "this", "which", "there", "these", "those")
_SPEAKING_OF = ("that", "which")
"""These point to what was just said: nothing follows but what the speaker thinks of it."""
_POSSESSIVES = ("my", "our", "his", "her", "their")
_PERSONS = frozenset((*_SPEAKER, *_POSSESSIVES, "he", "she", "they"))
_SOMEBODY = _PERSONS | {"a", "an"}
_ARTICLES = ("a", "an", "the")
_SAYING = re.compile("|".join(_REMARKS["sayings"]))
_IDIOM = re.compile(rf"\b(?:{'|'.join(_REMARKS['idioms'])})\b")
"""Words that tell of a time, a place or a number elsewhere, but not so: "store up", "3 guesses"."""
_FIGURE = re.compile(
    r"^(?:the|my|our) (?:\w+ )?(?P<thing>(?!\w+(?:er|or|ist|man|men|people|ers|ors|ists)\b)\w+) "
    r"(?:just |only |still |always )?"
    r"(?:laughs?|grins?|winks?|sneers?|smirks?|mocks?|scoffs?|frowns?) "
    r"(?:at )?(?:me|us|him|her|them|my household)$"
)
_INVITED = re.compile(
    r"^you (?:can|could|should|may|might|must|ought to|will|would) (?:\w+ ){1,2}(?:my|our) \w+$"
)
_NAME = re.compile(r"(?<=[\w,'\u2019] )[A-Z][\w'\u2019]*")
_LISTENER = re.compile(r"\b(?:[Yy]ou|[Yy]our|yourself)\b")
_AMOUNT = re.compile(r"[02-9]|\d\d|\$")
"""Numbers but "one", which may be a word like any other: "one headache instead of many"."""


def is_remark(text: str, sentence: str) -> bool:
    """Return whether words tell nothing of the household.

    Args:
        text: Words in plain form, which no reader understood.
        sentence: The sentence they are of, as it was said.
    """
    words = text.split()
    while words and words[0] in _LEADING:
        words = words[1:]
    if not words:
        return False
    if _SAYING.search(" ".join(words)) or _invites(words, sentence) or _is_figure(words):
        return True
    if _tells_particulars(words, sentence):
        return False
    first, second, rest = words[0], words[1] if words[1:] else "", _after_auxiliaries(words[1:])
    if first in _OPENING or first in _GENERAL or first in _HOLY or _is_to_listener(words, sentence):
        return True
    if (first, second) == ("do", "not") and words[2:]:
        return True  # "don't laugh"
    if _is_call(words) or (first in _ARTICLES and second in _MATTERS):
        return True
    if first in _POSSESSIVES:
        return second in _OWN
    if first in _SPEAKER:
        is_felt = bool({"am", "are", "feel"} & set(words[1:3])) and _are_evaluating(rest)
        return bool(rest) and (rest[0] in _THINKING or is_felt)
    if first in _SPEAKING_OF and second in ("is", "was", "are"):
        return not rest or rest[0] not in CUTS
    if first in _ARTICLES and len(rest) == 1:
        return rest[0] in _EVALUATING  # "a blessing"
    if first in _POINTING or (first in _AUXILIARIES and second == "it"):
        return _are_evaluating(rest) or (bool(rest) and rest[0] in _THINKING | _AFFECTING)
    # Without a subject only what is felt: "grateful for it", not what a member does.
    return first not in VERBS and _are_evaluating(_after_auxiliaries(words)[:1])


def is_aside_after(text: str, sentence: str) -> bool:
    """Return whether words may go with a remark before them: "it takes a village, as they say"."""
    words = [it for it in text.split() if it not in _LEADING]
    return (
        bool(words)
        and words[0] not in CUTS
        and words[0] not in _SOMEBODY
        and not _tells_particulars(words, sentence)
    )


def _is_call(words: Sequence[str]) -> bool:
    """Whether words call for something to be done with what was said: "frame that", "sue me".

    No verb of the past is a call, nor what begins with a word of a fact: "rent that from a cousin".
    """
    verb, what = words[0], words[1] if words[1:] else ""
    is_bare = not verb.endswith(("s", "ed", "ing")) and verb not in _PAST
    is_open = is_bare and not _BOUND & set(words) and verb not in _NO_VERBS
    return is_open and (what == "me" or (what in (*_SPEAKING_OF, "this") and not is_known(verb)))


def _is_figure(words: Sequence[str]) -> bool:
    """Whether a thing does what only people do: "the stairs laugh at him"."""
    match = _FIGURE.match(" ".join(words))
    return match is not None and not (is_person(match["thing"]) or match["thing"] in _PARTICULAR)


def _invites(words: Sequence[str], sentence: str) -> bool:
    """Whether words invite the listener to look at what is nobody's and no fact's: "my ribs"."""
    thing = words[-1]
    return (
        _INVITED.match(" ".join(words)) is not None
        and _is_to_listener(words, sentence)
        and not (is_known(thing) or is_person(thing) or thing in _PARTICULAR)
    )


def _is_to_listener(words: Sequence[str], sentence: str) -> bool:
    """Whether words speak to or of "you", as it was said: "us" is "you" in plain form, too."""
    return bool({"you", "your"} & set(words)) and _LISTENER.search(sentence) is not None


def _tells_particulars(words: Sequence[str], sentence: str) -> bool:
    """Whether words hold an amount, a name, a date, or a thing or person of the household's own."""
    words = _IDIOM.sub("", " ".join(words)).split()
    is_of_you = _is_to_listener(words, sentence) and not _PERSONS & set(words)
    telling = _PARTICULAR - _PAST if is_of_you else _PARTICULAR  # "before you've bought any bread"
    if _AMOUNT.search(" ".join(words)) or telling & set(words):
        return True
    names = {it.lower() for it in _NAME.findall(sentence) if it not in NO_NAMES}
    owned = {
        after for word, after in zip(words, [*words[1:], ""], strict=True) if word in _POSSESSIVES
    }
    return bool(names & set(words) - _HOLY) or not owned <= _OWN


def _after_auxiliaries(words: Sequence[str]) -> list[str]:
    at = 0
    while at < len(words) and (words[at] in _AUXILIARIES or words[at] in _ADVERBS):
        at += 1
    return list(words[at:])


def _are_evaluating(words: Sequence[str]) -> bool:
    """Whether words begin with what is felt of a thing: "hard", "a real blessing"."""
    words = [it for it in words if it not in _ARTICLES and it not in _ADVERBS]
    return bool(_EVALUATING & set(words[:2]))
