"""Replies that lean on the question alone: "none", "well below that", "yes to both"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from benyfits_data.understanding.parser.answer_words import (
    BEYOND,
    DENIALS,
    FUNCTION_WORDS,
    NOTHING,
    SMALL_TALK,
    THE_REST,
    as_asked,
)
from benyfits_data.understanding.parser.claim_notes import ClaimNotes
from benyfits_data.understanding.parser.fact_words import belongs
from benyfits_data.understanding.parser.people_found import people_named
from benyfits_data.understanding.parser.question_text import VERBS
from benyfits_data.understanding.parser.topics import topics
from benyfits_data.understanding.parser.words import stem

_NO_VALUES = ("none", "no diploma", "no home")
"""Values of choices by which there is none of what was asked for."""
_MORE = ("more", "above", "over", "older", "higher", "longer", "greater")
_YES = r"yes|yeah|yep|yup|affirmative"
_NO = r"no|nope|nah|negative"
_EACH = re.compile(
    rf"(?:^|,? (?:and |but )?)(?P<word>{_YES}|{_NO}),? (?:to|on|for|with) (?P<what>.+?)"
    rf"(?=,? (?:and |but )?(?:{_YES}|{_NO}),? (?:to|on|for|with) |$)"
)
_BOTH = re.compile(
    r"(?:both|all)(?: (?:of (?:them|those|these|the above)|questions|counts|fronts|\d))*$"
)
_PLACES = {"first": 0, "former": 0, "second": 1, "third": 2, "latter": -1, "last": -1}


def take_nothing(notes: ClaimNotes, text: str) -> bool:
    """Take in "none" and "nothing" where a number was asked for, "not a cent" as a no."""
    whether = all(it.query.how in ("is", "who") for it in notes.found)
    if text == "$0" and notes.found and whether:
        notes.polarity(False, text)
        return True
    asked = [it for it in notes.found if it.query.how in ("value", "sum", "count")]
    if not asked or not NOTHING.match(text):
        return False
    for it in notes.found:
        truths = it.answer if isinstance(it.answer, list) else [it.answer]
        are_none = all(not truth or truth in _NO_VALUES for truth in truths)
        notes.add(text, it.query.topic, are_none, it.answer)
    return True


def take_beyond(notes: ClaimNotes, text: str) -> bool:
    """Take in "more than that" and "well below" where a limit was asked about."""
    limits = [
        it for it in notes.found if it.query.comparison and len(it.query.comparison.parts) == 1
    ]
    match = BEYOND.search(text)
    aged = [it for it in notes.found if it.query.how == "exists" and it.query.people.has_ages]
    if match and len(aged) == len(notes.found) == 1:
        is_older = match.group("way") in ("older", "above", "over")
        notes.polarity(is_older == (aged[0].query.people.below is None), text)
        return True
    if match is None or len(limits) != 1 or limits[0].query.comparison is None:
        return False
    (sign, _), *_ = limits[0].query.comparison.parts
    is_more = match.group("way") in _MORE
    notes.polarity(is_more == (sign in (">", ">=")), text)
    return True


_NEITHER = re.compile(
    r"^neither(?: 1)?(?: of (?:them|those))?$|^neither rents? nor owns?$|^neither owns? nor rents?$"
)


def take_neither(notes: ClaimNotes, text: str) -> bool:
    """Take in "neither" where it is asked whether the home is owned or rented, or of two facts."""
    if not _NEITHER.match(text):
        return False
    whether = [it for it in notes.found if it.query.how in ("is", "exists") and it.is_known]
    of_home = [it for it in notes.found if it.query.topic == "tenure"]
    if of_home:
        value = of_home[0].findings[0].value
        return notes.add(text, "tenure", value not in ("owner", "renter"), value)
    if len(whether) != len(notes.found) or len(whether) < 2:
        return False
    for it in whether:
        notes.add(text, it.query.topic, not it.answer, it.answer)
    notes.has_word = True
    return True


def take_each(notes: ClaimNotes, text: str) -> bool:
    """Take in "yes to both" and "yes to the insurance, no to SSI"; return whether all was read."""
    whether = [it for it in notes.found if it.query.how in ("is", "exists") and it.is_known]
    told = list(_EACH.finditer(text))
    if not whether or len(whether) < len(notes.found) or not told or told[0].start():
        return False
    meant = []
    for match in told:
        what = match["what"].removeprefix("the ").strip(" ,")
        words = [word for word in what.split() if word not in ("the", "my", "1", "one", "question")]
        place = _PLACES.get(words[0]) if len(words) == 1 else None
        if _BOTH.match(what):
            of = whether
        elif place is not None:
            of = whether[place : place + 1 or None]
        else:
            of = [
                it
                for it in whether
                if it.query.topic and any(belongs(word, it.query.topic) for word in words)
            ]
        if not of:
            return False
        is_yes = re.fullmatch(_YES, match["word"]) is not None
        meant += [(match[0], it, is_yes) for it in of]
    for said, it, is_yes in meant:
        notes.add(said.strip(" ,"), it.query.topic, bool(it.answer) == is_yes, it.answer)
    notes.has_word = True
    return True


_GRAMMAR = (FUNCTION_WORDS | SMALL_TALK | VERBS) - {"more", "less", "most", "least", "other", "no"}
_UNSURE = frozenset(("or", "if", "unless", "but", "used", "will", "until", "was", "were", "had"))


def take_restated(notes: ClaimNotes, text: str) -> bool:
    """Take in a sentence that says what was asked in the very words: "I am not a citizen".

    The words that tell something must be the same, in the same order, people included.
    """
    words = text.split()
    whether = [it for it in notes.found if it.query.how in ("is", "exists") and it.is_known]
    denials = sum(word in DENIALS for word in words)
    if not notes.asks_whether or len(whether) != 1 or len(notes.found) != 1 or denials > 1:
        return False
    if _UNSURE & {*words, *notes.question} or DENIALS & set(notes.question):
        return False
    said, asked = _telling(words), _telling(notes.question)
    if said != asked or len(said) < _FEWEST_RESTATED:
        return False
    notes.polarity(not denials, text)
    return True


_FEWEST_RESTATED = 2
"""Telling words of a restatement: one alone, as "work", may be a part of something else."""


def _telling(words: Sequence[str]) -> list[str]:
    return [stem(it) for it in words if it.isalnum() and it not in _GRAMMAR | DENIALS]


_ALL_OF = re.compile(r"all (?P<n>\d+)(?: (?:of (?:them|us|you|those)|(?:people|children|kids)))*")
_SOME_OF = re.compile(
    r"(?:only |just )?(?P<some>\d+) (?:out )?of (?:the |my |our |us |all )*(?P<all>\d+)"
    r"(?: (?:of (?:us|them|you)|people in your household|children|kids|people))?"
    r"(?: (?:do|does|is|are|has|have|can)(?P<not> not)?)?"
)


def take_all_of(notes: ClaimNotes, text: str) -> bool:
    """Take in "all three of them" where it is asked whether something is so of several."""
    match = _ALL_OF.fullmatch(_as_spoken(text))
    whether = [it for it in notes.found if it.query.how == "is" and it.query.topic and it.is_known]
    if match is None or len(whether) != 1 or not topics()[whether[0].query.topic or ""].of_member:
        return False
    query = replace(whether[0].query, is_negated=False)
    meant = notes.asked_of(query)
    is_true = int(match["n"]) == len(meant) and meant <= notes.who(query)
    notes.has_word = True
    return notes.add(text, query.topic, is_true, sorted(notes.who(query)))


def take_some_of(notes: ClaimNotes, text: str) -> bool:
    """Take in "two of the three of us" where some are counted."""
    match = _SOME_OF.fullmatch(_as_spoken(text))
    counted = [it for it in notes.found if it.query.how in ("count", "is") and it.query.topic]
    if match is None or len(counted) != 1 or not topics()[counted[0].query.topic or ""].of_member:
        return False
    (it,) = counted
    if it.query.how == "is" and not it.query.people.is_plural:
        return False
    asked = notes.asked_of(it.query)
    holders = notes.who(replace(it.query, how="is", is_negated=False)) & asked
    n_so = it.answer if it.query.how == "count" else len(holders)
    n_told = int(match["all"]) - int(match["some"]) if match["not"] else int(match["some"])
    is_true = n_told == n_so and int(match["all"]) in {len(asked), len(notes.names)}
    notes.has_word |= it.query.how == "is"
    return notes.add(text, it.query.topic, is_true, n_so)


_ONE_OF = re.compile(
    r"(?:only |just )1(?: of (?:them|those|us|you|the \d+))?(?: (?:does|is|has|do|are|have))?"
    r"(?:,? (?P<who>\w+(?: \w+)?))?"
)


def take_one_of(notes: ClaimNotes, text: str) -> bool:
    """Take in "only one of them does, Eva" where it is asked whether several do."""
    match = _ONE_OF.fullmatch(_as_spoken(text))
    whether = [it for it in notes.found if it.query.how in ("is", "exists") and it.is_known]
    if match is None or len(whether) != 1 or not whether[0].query.people.is_plural:
        return False
    (it,) = whether
    topic = it.query.topic
    if it.query.comparison or it.query.among or (topic and not topics()[topic].of_member):
        return False
    holders = notes.who(replace(it.query, how="is", is_negated=False)) if topic else set(it.people)
    holders &= notes.asked_of(it.query) if topic else holders
    is_true = len(holders) == 1
    if match["who"]:
        named = people_named(as_asked(match["who"], notes.names))
        if not named:
            return False
        is_true &= {n for one in named for n in notes.numbers_of(one)} == holders
    notes.has_word = True
    return notes.add(text, topic, is_true, sorted(holders))


_SEXES = {"girl": "female", "daughter": "female", "boy": "male", "son": "male"}
_KINDS = re.compile(
    rf"(?P<n>\d+|an?)(?: of (?:them|us|those)(?: is| are)?)? (?P<kind>{'|'.join(_SEXES)})s?"
)


def take_kinds_counted(notes: ClaimNotes, text: str) -> bool:
    """Take in "two girls and a boy" where children were counted."""
    counted = [it for it in notes.found if it.query.how == "count" and it.query.topic is None]
    told = [_KINDS.fullmatch(it) for it in re.split(r",? and |, | plus ", text)]
    if len(counted) != 1 or not all(told) or counted[0].query.people.sex or len(told) < 2:
        return False
    members = [notes.household.members[n] for n in counted[0].people]
    is_true = all(
        sum(one.sex == _SEXES[it["kind"]] for one in members) == int(it["n"].strip("an") or 1)
        for it in told
        if it
    )
    n = sum(int(it["n"].strip("an") or 1) for it in told if it)
    return notes.add(text, None, is_true and n == len(members), counted[0].answer)


_REST = re.compile(
    rf"(?:and |but )?(?P<who>{THE_REST})(?: (?:do|does|did|are|is|have|has|can)(?P<not> not)?)?"
    r"(?: so| yet| at all)?"
)


def take_rest(notes: ClaimNotes, text: str) -> bool:
    """Take in "the rest don't" after those of whom it is so were counted."""
    match = _REST.fullmatch(text)
    counted = [it for it in notes.found if it.query.how == "count" and it.query.topic]
    if match is None or len(counted) != 1 or not notes.is_answered or notes.spoken_of:
        return False
    (it,) = counted
    others = len(notes.asked_of(it.query)) - it.answer
    n = re.search(r"\d+", match["who"])
    is_so = (others > 0) == bool(match["not"]) and (n is None or int(n[0]) == others)
    return notes.add(text, it.query.topic, is_so, it.answer, answers=False)


_ME = re.compile(r"(?:that|it) (?:is|would be|am) (?P<not>not )?me|(?P<no>not) me")


def take_me(notes: ClaimNotes, text: str) -> bool:
    """Take in "that's not me" where something of the applicant alone is asked."""
    match = _ME.fullmatch(text)
    if match is None or any(it.query.people.kind != "you" for it in notes.found):
        return False
    if not notes.found or any(it.query.how != "is" for it in notes.found):
        return False
    notes.polarity(not (match["not"] or match["no"]), text)
    return True


def _as_spoken(text: str) -> str:
    """Return a text as it was said of "us", where it was read as of the household."""
    return re.sub(r"(\d+) people in my household", r"\1 of us", text).strip(" ,")


LEANING = (
    take_restated,
    take_kinds_counted,
    take_beyond,
    take_neither,
    take_all_of,
    take_some_of,
    take_one_of,
    take_rest,
    take_me,
)
"""Those that may also be a piece of a sentence: "yes, all three of them"."""
REPLIES = (take_nothing, take_each, *LEANING)
"""Each takes in a whole sentence that leans on the question, or returns false."""
