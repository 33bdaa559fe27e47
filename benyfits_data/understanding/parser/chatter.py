"""Words around a question that ask for nothing: "let me see, next one, do you work?".

They may be left out only where they add nothing: no people, numbers or facts beside those that the
rest asks for, and nothing that denies or leaves out.
"""

import re
from collections.abc import Iterator, Sequence

from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.parser.fact_words import belongs
from benyfits_data.understanding.parser.numbers import find_comparison
from benyfits_data.understanding.parser.people_found import find_people
from benyfits_data.understanding.parser.phrases import MEMBER, find_phrases
from benyfits_data.understanding.parser.query import Query
from benyfits_data.understanding.parser.question_text import PLAIN_WORDS, STARTERS, WORDING
from benyfits_data.understanding.parser.topics import related, topics
from benyfits_data.understanding.parser.words import stem

_LIMITING, _DENYING, _ASKING, _SPEAKING = (
    frozenset(WORDING[name].split()) for name in ("limiting", "denying", "asking", "speaking")
)
_INTERVIEW = frozenset(stem(word) for word in WORDING["interview"].split())
_HARMLESS = _INTERVIEW | {stem(word) for word in PLAIN_WORDS} | {",", ":", "not", "no", "but"}
_NEVER = _LIMITING - {"other", "others"}
_AFTER = (_LIMITING - {"counting", "including"}) | {
    "only",
    "whoever",
    "whichever",
    "how",
    "many",
    "much",
    "count",
    "total",
}
"""What a sentence after a question may not hold unread."""
_BREAKS = (",", ":")
_REQUESTS = (["may"], ["might"], ["would"], ["please"], ["kindly"], ["i"], ["list"], ["name"])
_TURNING = frozenset(WORDING["turning"].split())
_MOST_BREAKS = 8
"""With more a sentence is a list, and its ways to be shortened are many."""
_FEW = ("1", "2", "3", "4")


def ways_without_chatter(words: Sequence[str]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield shorter ways to say a question, each with the pieces that it leaves out.

    What stands before a question word after a break may go, and what stands after a break.

    >>> next(ways_without_chatter("let me see , do you work".split()))
    (['do', 'you', 'work'], [['let', 'me', 'see', ',']])
    """
    breaks = [place for place, word in enumerate(words) if word in _BREAKS]
    if len(breaks) > _MOST_BREAKS:
        return
    starts = [
        place + 1
        for place in breaks
        if set(words[place + 1 : place + 3]) & STARTERS
        or words[place] == ":"
        or (words[place + 1 : place + 2] in _REQUESTS and tells_purpose(words[: place + 1]))
    ]
    starts += _starts_after_chatter(words)
    for start in [0, *dict.fromkeys(starts)]:
        for end in [len(words), *reversed([place for place in breaks if place > start + 1])]:
            kept = [word for word in words[start:end] if word != ":"]
            if (start or end < len(words)) and kept:
                yield kept, [list(it) for it in (words[:start], words[end:]) if it]


_OPENERS = STARTERS | {"your", "the", "any", "anyone", "anybody", "everyone", "all", "each"}
_SPEAKERS = frozenset(("i", "me", "my", "we", "us", "our"))


def _starts_after_chatter(words: Sequence[str]) -> list[int]:
    """Return where a question begins after words without a break: "my form asks for your age"."""
    found = []
    for place in range(2, len(words)):
        if stem(words[place - 1]) not in _HARMLESS:
            break
        is_open = words[place] in _OPENERS or words[place].startswith(MEMBER)
        if is_open and is_chatter(words[:place]) and set(words[:place]) & _SPEAKERS:
            found.append(place)
    return found


_PROGRAM = re.compile(rf"\b(?:{'|'.join(WORDING['programs'])})\b")
_FOR_PROGRAM = re.compile(
    r"^(?:for|to (?:see|check|find out|decide|determine) (?:whether|if) you "
    r"(?:qualify|are eligible) for)"
    r" (?:the |your |an? |this |our )*(?:program )+(?:or program |and program )*"
    r"(?:benefits? |program |application |form |claim |screening |check |review |purposes |rules? "
    r"|recertification |renewal |eligibility )*[,:]?$"
)
_NAMES_PROGRAM = re.compile(
    r"^(?:the |on the |for the |next )*program (?:(?:form|application|question|questions|section|"
    r"part|page|rules?|people|office|screening|item|check) )*"
    r"(?:(?:asks?|wants?|needs?|is asking|requires?)(?: to know| this| us| me| you)*)? ?[,:]$"
)
_PURPOSE = re.compile(
    r"^(?:(?:in order |just |so as )?to|so (?:that )?(?:i|we) can|for|before|because|since|as|when|"
    r"with|in) (?:[a-z]+ ){0,14}?"
    rf"(?:{WORDING['purposes']})\b(?: [a-z]+){{0,14}} ?[,:]$"
)
"""What a question is asked for: "because the rent freeze depends on it," asks for nothing."""
_HEADED = re.compile(
    r"^(?:(?:1|a|an|another|next|last|quick|final|more|now|and|just|the|first|question|thing|item|"
    r"point) )+(?:about|on|regarding|concerning) (?:the )?[a-z]+(?: [a-z]+){0,3} ?:$"
)
"""A question's heading: "quick one about utilities:"."""
_TELLS_OF_PROGRAM = re.compile(r"^program (?:[a-z]+ ){1,8}:$")
_GETTING = frozenset(("get", "gets", "getting", "receive", "receives", "receiving", "have", "has"))
_ABOUT_YOU = frozenset(("you", "your", "anyone", "everyone", "who", "only", "over", "under"))
_MONEY = frozenset(("income", "household_income", "annual_work_income", "annual_investment_income"))


def names_program(words: Sequence[str], kept: Sequence[str], queries: Sequence[Query]) -> bool:
    """Return whether words before a question only name the program that it is asked for.

    The rest must ask for something by itself: "for SNAP, how much do you get?" does not.
    """
    text = _PROGRAM.sub("program", " ".join(words))
    is_told = _TELLS_OF_PROGRAM.match(text) and not set(words) & (_LIMITING | _DENYING | _ABOUT_YOU)
    if not (_FOR_PROGRAM.match(text) or _NAMES_PROGRAM.match(text) or is_told):
        return False
    if any(it.topic == "not_known" for it in queries):
        return False
    is_of_money = any(it.topic in _MONEY for it in queries)
    is_open = bool(set(kept) & _GETTING) and is_of_money
    return not is_open and not ({"enrolled", "apply", "applied", "qualify"} & set(kept))


_OF_SOMEBODY = frozenset(WORDING["of_somebody"].split())
_ONE_MORE = re.compile(r"\b1 (?:more|last|other|final) (?=thing|question|item|point|fact)")
_MAY_BE_YOURS = re.compile(
    r"\b(?:if|whether|that|what|which \w+) you (?:may |might |could |can |would )?"
    r"(?:qualify|are eligible|get|claim)(?: for)?\b|\b(?:help|serve|screen|match|for) you\b|"
    r"\b(?:family|sick|parental|medical) leave\b|"
    r"\b(?:your|the) (?:application|case|file|form|screening|eligibility)\b"
)


def tells_purpose(words: Sequence[str]) -> bool:
    """Return whether words before a question only say what it is asked for.

    They speak of programs and rules, of nobody, and of no time and no number.
    """
    text = _ONE_MORE.sub("", " ".join(words))
    said = set(_MAY_BE_YOURS.sub("", text).split()) - ({"1"} if _HEADED.match(text) else set())
    is_plain = not any(it.lstrip("$")[:1].isdigit() or it.startswith(MEMBER) for it in said)
    is_either = _PURPOSE.match(text) or _HEADED.match(text)
    return bool(is_either) and is_plain and not said & (_OF_SOMEBODY | _NEVER)


def is_of_same_fact(words: Sequence[str], queries: Sequence[Query]) -> bool:
    """Return whether words after a question only repeat its fact: ", known or suspected"."""
    said = [it for it in words if it not in (",", "and", "or", "a", "an", "the", "to", "of", "in")]
    named = {it.topic for it in queries}
    are_flags = all(it in FEATURES and topics()[it].kind == "flag" for it in named if it)
    if words[0] != "," or not said or None in named or not are_flags:
        return False
    if set(said) & (_DENYING | _LIMITING | _TURNING):
        return False
    return all(belongs(word, topic) for word in said for topic in named if topic)


def adds_nothing(words: Sequence[str], queries: Sequence[Query]) -> bool:
    """Return whether words that were left out say nothing beside what queries ask for."""
    is_introduction, said = words[-1] == ":", set(words)
    is_purpose = is_introduction and words[0] in ("to", "for", "before")
    if is_chatter(words) or is_of_same_fact(words, queries):
        return True
    if said & _LIMITING or (said & _DENYING and not is_introduction):
        return False
    if not is_purpose and (said & _ASKING or not said & _SPEAKING):
        return False
    return not any(
        _names_somebody(words, place, queries)
        or _names_something(words, place, queries)
        or (words[place].lstrip("$")[:1].isdigit() and words[place] not in _FEW)
        or find_comparison(words, place) is not None
        for place in range(len(words))
    )


def is_chatter(words: Sequence[str]) -> bool:
    """Return whether words speak of the interview alone: "let me write this down"."""
    said = {stem(word) for word in words}
    return said <= _HARMLESS and bool(said & _INTERVIEW) and not set(words) & (_NEVER | _ASKING)


def asks_nothing(words: Sequence[str]) -> bool:
    """Return whether a question is only about how to put it down: "what should I write there?"."""
    said = {stem(word) for word in words if word not in ".?!"}
    is_of_form = bool(said & _INTERVIEW) and bool(set(words) & _SPEAKERS)
    return is_of_form and said <= _HARMLESS | {"what", "how", "which", "number", "amount"}


def says_more(words: Sequence[str], queries: Sequence[Query]) -> bool:
    """Return whether a remark after a question names what it does not ask for: "college, I mean".

    Whoever speaks of himself may name anything, where he does not say what he means.
    """
    if is_of_you_alone(words, queries) or is_other_thing(words, queries):
        return False
    if set(words) & _SPEAKERS and not {stem(word) for word in words} & _MEANING:
        return False
    if words[0] in ("think", "like", "say", "such"):
        return False  # examples
    is_of_ages = any(it.people.has_ages for it in queries)
    return any(
        _names_something(words, place, queries, free=("name", "relation"))
        or (not is_of_ages and find_comparison(words, place) is not None)
        for place in range(len(words))
    )


_YOU_ALONE = re.compile(
    r"^(?:i mean |that is |this is |it is |just |only |for )*(?:yours|you|yourself|your own)"
    r"(?: own| personally)?(?: only| alone)?(?: ?,? (?:and )?not (?:that of |for )?"
    r"(?:the|your|anyone|anybody)(?: (?:whole )?\w+)?)?$"
)
_OTHER_THING = re.compile(
    r"^(?P<what>.+?) (?:does not count|do not count|is not what i (?:am asking|mean|am after)"
    r"|is (?:a )?(?:different|separate|another)(?: thing| matter| question)?|is something else"
    r"|is not (?:the same|it|that))(?: here| about| for this 1| for this| thing| today)*$"
)


def is_of_you_alone(words: Sequence[str], queries: Sequence[Query]) -> bool:
    """Return whether a remark says that nobody but you is meant, where nobody else is asked of."""
    text = " ".join(word for word in words if word not in ".!")
    return bool(_YOU_ALONE.match(text)) and all(it.people.kind == "you" for it in queries)


def is_other_thing(words: Sequence[str], queries: Sequence[Query]) -> bool:
    """Return whether a remark sets apart what was not asked for: "an SSN does not count here"."""
    match = _OTHER_THING.match(" ".join(word for word in words if word not in ".!"))
    if match is None or not queries:
        return False
    what = match["what"].split()
    named = {
        it.topic
        for place in range(len(what))
        for phrase in find_phrases(what, place)
        for it in phrase.meanings
    }
    asked = {it.topic for it in queries}
    wide = {part for it in asked if it and it in topics() for part in topics()[it].parts}
    return bool(named) and not named & (asked | wide) and asked <= set(FEATURES)


_MEANING = frozenset(("mean", "say", "talk"))


def is_limiting(words: Sequence[str]) -> bool:
    """Return whether a sentence after a question leaves somebody out or asks for an amount."""
    return bool(set(words) & _AFTER)


def _names_somebody(words: Sequence[str], place: int, queries: Sequence[Query]) -> bool:
    known = {it.people.said for it in queries}
    found = [it.people for it in find_people(words, place)]
    return any(it.kind not in ("you", "pronoun") and it.said not in known for it in found)


def _names_something(
    words: Sequence[str], place: int, queries: Sequence[Query], free: Sequence[str] = ()
) -> bool:
    known = {name for it in queries for name in related(it.topic or "")} | set(free)
    return any(
        not phrase.skipped and not {it.topic for it in phrase.meanings} & known
        for phrase in find_phrases(words, place)
    )
