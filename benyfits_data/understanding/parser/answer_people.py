"""People of an answer put so that each clause names its own: who "he" is, who "who" belongs to."""

import re
from collections.abc import Sequence

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.answer_words import (
    FUNCTION_WORDS,
    SWAPS,
    as_asked,
    says_something,
)
from benyfits_data.understanding.parser.claim_notes import ClaimNotes
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.people_found import (
    beside_people,
    find_people,
    mark_names,
    people_named,
)
from benyfits_data.understanding.parser.question_text import PLAIN_WORDS, VERBS
from benyfits_data.understanding.parser.whom import SPOUSE
from benyfits_data.understanding.parser.words import plain, stem

_SEXES = {"he": "male", "him": "male", "she": "female", "her": "female"}
_SINGULAR = (
    r"(?:is|has|does|was|gets?|works?|earns?|makes?|receives?|goes|attends?|lives?|brings?|am|have)"
)
_SUBJECT = (
    r"(?:i|he|she|it|that person|nobody(?: else)?(?: in (?:my|our|the|this) \w+| here| at home)?|"
    r"(?:my|our|the) \w+{names})"
)
_PRONOUN = re.compile(
    r"^(?P<lead>(?:only |just |and |not )*)(?P<who>he|she)\b|\b(?P<last>him|her)$"
)
_WHO = re.compile(r"^(?P<first>(?:.*\b)?(?P<name>(?:my )?\w+)), who (?P<rest>[^,]+)$")
_KIN_AGED = re.compile(
    r"^(?P<first>(?:.*\b)?(?:a|an|1|my|our) (?:\w+ )?(?P<kin>\w+))"
    r"(?:, (?:aged? )?| who is (?:aged? )?)(?P<age>\d+)(?: years old)?$"
)
_CONTRAST = re.compile(
    r"^(?P<who>(?:my |our )?\w+(?: \w+)?) (?P<verb>is|am|are) not (?P<not>[^,]+?),? "
    r"(?:(?:but|just|only|rather|instead) )+(?P<but>(?:a|an|my|our|the) .+|\w+)$"
)
"""What somebody is not, and is: "he isn't family, just a friend of mine"."""
_BY_YEARS = re.compile(r"^(?P<who>.+?),? (?P<by>by (?:about |only |just )?\d+ years?)$")
_BOTH = re.compile(r"^(?P<who>.+ and .+?),? (?:the )?(?:both|all|2|all \d+) of (?:us|you|them)$")
_SAME_SUBJECT = re.compile(
    r"^(?P<first>(?P<who>\w+) (?:is|has|am|have|does) [^,]+) and "
    r"(?P<second>(?:is|has|am|have|does|in|at) .+)$"
)
_SEEN_FROM_ME = {
    **dict.fromkeys(("wife", "husband", "spouse"), "spouse"),
    **dict.fromkeys(("mother", "father", "parent"), "child"),
    **dict.fromkeys(("son", "daughter", "child"), "parent"),
    **dict.fromkeys(("sister", "brother", "sibling"), "sibling"),
    **dict.fromkeys(("grandmother", "grandfather", "grandparent"), "grandchild"),
    **dict.fromkeys(("partner", "girlfriend", "boyfriend"), "partner"),
    "friend": "friend",
}
"""What somebody is to the applicant, by what the applicant is to them."""
_I_AM_THEIRS = re.compile(
    rf"\bi am (?P<not>not )?(?P<who>(?!(?:my|a|an|the)\b)\w+) (?P<kin>{'|'.join(_SEEN_FROM_ME)})$"
)
_NEITHER = re.compile(
    r"^(?:neither|nor) (?P<verb>do|does|did|am|is|are|has|have|can|will) (?P<who>\w+(?: \w+){0,2})$"
)
"""A denial with its subject last: "neither does Ben"."""
_ONLY_ONE = re.compile(
    r"^(?P<who>\w+(?: \w+){0,3}?) (?:is|am|are) the only (?:1|1s|person|people)"
    r"(?: (?:here|at home|of us|of them|in (?:my|our|the) \w+))?$"
)
_EACH_OTHERS = "(?:friend|partner|sibling|sister|brother|cousin)s"
_WE_ARE = re.compile(
    r"^(?:(?P<who>(?!you\b)\w+(?: \w+)?) and i|we) (?:are|is) (?P<not>not )?"
    r"(?:(?:just|only|actually|good|old|close) )*"
    rf"(?P<kin>(?:domestic )?{_EACH_OTHERS}|roommates|related|relatives|family)"
    r"(?: to each other)?(?:,? (?:and )?not (?:family|related|relatives|kin))?$"
)
"""What the applicant and somebody are to each other: "we are just friends"."""
_APPOSED = re.compile(r"\b(?P<lead>my|a|an|our|the|1) (?P<kin>\w+), (?P<name>\w+)\b")
_SAID_AGAIN = re.compile(
    r"^(?P<who>my \w+), (?:he|she|they) (?=(?:is|are|has|have|works?|lives?)\b)"
)
_NOBODY_BUT = re.compile(
    r"^(?:nobody|no 1|none of us)(?: here| at home| in (?:my|our|the|this) \w+)?,? "
    r"(?:but|except|besides|save|other than|apart from)(?: for)? "
    r"(?P<who>(?!(?:them|him|her|that|those|these)\b).+)$"
)
_APPOSED_WITHIN = re.compile(rf"{_APPOSED.pattern}, (?=\w)")
RESTATED_SHARE = 2 / 3
"""Of the words that tell something: so many of a restated question are those of the question."""


def is_restated(sentence: str, notes: ClaimNotes) -> bool:
    """Return whether a sentence asks again what was asked, as some do before they answer."""
    words = [SWAPS.get(word, word) for word in plain(sentence) if word.isalnum()]
    telling = [it for it in words if it not in FUNCTION_WORDS and it not in PLAIN_WORDS]
    told = [word for word in telling or words if stem(word) in notes.asked]
    return len(words) > 2 and len(told) >= RESTATED_SHARE * len(telling or words)


def clauses_joined(text: str, names: Sequence[Sequence[str]]) -> list[str]:
    """Return clauses that "and" or "so" joins, each with a subject of its own.

    "Mei is 2 and Nadia is 1" is two, "Mei and Nadia are small" is one.
    """
    firsts = "".join(rf"|{re.escape(' '.join(name))}|{re.escape(name[0])}" for name in names)
    joint = rf",? (?:and|so) (?={_SUBJECT.format(names=firsts)} {_SINGULAR}\b)"
    if (same := _SAME_SUBJECT.match(text)) and (
        same["who"] in ("i", "he", "she") or any(same["who"] in name for name in names)
    ):
        verb = "is " if same["second"].startswith(("in ", "at ")) else ""
        text = f"{same['first']} and {same['who']} {verb}{same['second']}"
    pieces = re.split(joint, text)
    is_group = [re.search(rf"\b{_SINGULAR}\b|\bare\b", piece) is None for piece in pieces[:-1]]
    return [text] if any(is_group) else [piece.strip(" ,") for piece in pieces]


def with_relative_apart(text: str, notes: ClaimNotes) -> list[str]:
    """Return "me and Finn, who is my foster child" as two clauses, else the text alone."""
    if (aged := _KIN_AGED.match(text)) and _is_kin(aged["kin"]):
        return [aged["first"], f"my {aged['kin']} is {aged['age']} years old"]
    if (by := _BY_YEARS.match(text)) and not {"older", "younger"} & set(by["who"].split()):
        return [by["who"], by["by"]]
    if contrast := _CONTRAST.match(text):
        who, verb = contrast["who"], contrast["verb"]
        return [f"{who} {verb} not {contrast['not']}", f"{who} {verb} {contrast['but']}"]
    match = _WHO.match(text)
    if match is None:
        return [text]
    is_member = match["name"].startswith("my ") or any(
        match["name"] in name for name in notes.names
    )
    return [match["first"], f"{match['name']} {match['rest']}"] if is_member else [text]


def with_people_named(text: str, notes: ClaimNotes) -> str:
    """Return a clause with the name of whom "he" or "she" means, where one of several is meant."""
    text = _I_AM_THEIRS.sub(lambda it: _theirs(it, notes), text)
    text = _NEITHER.sub(r"\g<who> \g<verb> not", text)
    text = _ONLY_ONE.sub(lambda it: f"only {'me' if it['who'] == 'i' else it['who']}", text)
    text = _WE_ARE.sub(lambda it: _one_of_us(it, notes), text)
    text = _APPOSED.sub(lambda it: _one_person(it, notes), text)
    if both := _BOTH.match(text):
        text = both["who"]
    match = _PRONOUN.search(text)
    if match is None:
        return text
    said = match["who"] or match["last"]
    number = _meant(_SEXES[said], notes)
    if number is None:
        return text
    start, end = match.span("who" if match["who"] else "last")
    return text[:start] + " ".join(notes.names[number]) + text[end:]


def _theirs(match: re.Match[str], notes: ClaimNotes) -> str:
    """Return "i am Ben's wife" as "Ben is my spouse", where it is known whose."""
    who = match["who"]
    now = _members(notes.people, notes.household)
    named = [n for n, name in enumerate(notes.names) if who in name[:1]]
    meant = named or (now if who in ("his", "her") else [])
    if len(meant) != 1 or meant == [0]:
        return match[0]
    name = " ".join(notes.names[meant[0]])
    return f"{name} is {match['not'] or ''}my {_SEEN_FROM_ME[match['kin']]}"


def _one_of_us(match: re.Match[str], notes: ClaimNotes) -> str:
    """Return "we are friends" as "Ben is my friend", where it is known who else is meant."""
    asked = {n for it in notes.queries for n in notes.asked_of(it)}
    meant = set(_members(notes.people, notes.household)) or asked
    if who := match["who"]:
        told = find_people(as_asked(who, notes.names), 0)[:1]
        meant = {n for it in told for n in notes.numbers_of(it.people)}
    others = meant - {0}
    if len(others) != 1:
        return match[0]
    name = " ".join(notes.names[others.pop()])
    kin = "relative" if match["kin"] in ("related", "family") else match["kin"].removesuffix("s")
    return f"{name} is {match['not'] or ''}my {kin}"


def with_one_named(text: str, notes: ClaimNotes) -> str:
    """Return "my husband, Arun, works" and "my mother, she works" with one subject.

    "Nobody but Ben" names one as "only Ben" does.
    """
    if (nobody := _NOBODY_BUT.match(text)) and _are_people(nobody["who"], notes):
        text = f"only {nobody['who']}"
    text = _SAID_AGAIN.sub(r"\g<who> ", text)
    return _APPOSED_WITHIN.sub(lambda it: _one_person(it, notes, " "), text)


def _one_person(match: re.Match[str], notes: ClaimNotes, end: str = "") -> str:
    """Return "my husband, Arun" without its comma where Arun is the husband."""
    told = find_people(["your", match["kin"]], 0)
    meant = {n for it in told if it.end == 2 for n in it.people.members(notes.household)}
    is_one = any(match["name"] == notes.names[n][0] for n in meant)
    lead, kin = match["lead"], match["kin"]
    if lead == "1" and match.start():  # "me, my wife and one child, Ben"
        lead, kin = "my", "child" if kin == "children" else kin
    return f"{lead} {kin} {match['name']}{end}" if is_one else match[0]


def _meant(sex: str, notes: ClaimNotes) -> int | None:
    """Return the one member of a sex that is spoken of, where others are spoken of, too."""
    now = _members(notes.people, notes.household)
    if len(now) == 1 and now != [0] and notes.household.members[now[0]].sex == sex:
        return None
    asked = [n for it in notes.queries for n in _members(it.people, notes.household)]
    in_words = [
        n
        for it in people_named(mark_names(notes.question, notes.names))
        if it.kind == "name"
        for n in _members(it, notes.household)
    ]
    everybody: Sequence[int] = range(len(notes.names))
    others: Sequence[Sequence[int]] = (in_words, everybody) if now in ([0], []) else ()
    for several in (notes.spoken_of, now, set(asked), *others):
        of_sex = [n for n in several if n and notes.household.members[n].sex == sex]
        if len(of_sex) == 1:
            return of_sex[0]
        partners = [n for n in of_sex if notes.household.members[n].relation in SPOUSE.relations]
        if now in ([0], []) and partners:
            return partners[0]
    return None


def _is_kin(word: str) -> bool:
    found = find_people(["your", word], 0)
    return any(it.end == 2 and it.people.relations and not it.people.is_plural for it in found)


def _members(people: People | None, household: Household) -> list[int]:
    return people.members(household) if people and people.kind != "pronoun" else []


def is_a_year_old(notes: ClaimNotes, words: Sequence[str]) -> bool:
    """Return whether "Nadia is 1" tells an age: she is one year old, or not one of anything."""
    if len(words) != 3 or words[1:] != ["is", "1"]:
        return False
    found = find_people(words, 0)[:1]
    numbers = [n for it in found for n in notes.numbers_of(it.people)]
    return [notes.household.members[n].age for n in numbers] == [1]


def some_of_those_counted(notes: ClaimNotes, people: Sequence[People]) -> set[int] | None:
    """Return the girls among the children who are counted, where a clause is of girls."""
    counts = [it for it in notes.found if it.query.how == "count" and it.query.topic is None]
    is_kind = len(people) == 1 and people[0].sex and (people[0].relations or people[0].has_ages)
    if len(counts) != 1 or not is_kind or counts[0].query.people.sex:
        return None
    return set(counts[0].people) & set(people[0].members(notes.household))


def are_named(people: Sequence[People]) -> bool:
    """Whether members are named, one by one."""
    each = [it for one in people for it in (one.of if one.kind == "group" else [one])]
    return bool(each) and all(it.kind == "name" for it in each)


def asks_of_home(notes: ClaimNotes) -> bool:
    """Whether it is asked who lives here, or who they are."""
    is_who = any(it.topic == "relation" or it.among is not None for it in notes.queries)
    return bool(notes.queries) and (notes.asks_people() or is_who)


def is_person(word: str) -> bool:
    """Whether a word is one of somebody: "mother"."""
    return any(it.end == 2 for it in find_people(["your", SWAPS.get(word, word)], 0))


_AND_NOT_BY = re.compile(
    r"(?P<said>\w+ .+?),? and not (?P<how>(?:by|through|via|from|as|with|because of|out of) .+)"
)
"""A denial of how something is so, and not of that: "he gets it, and not by mail"."""
_BUT_NOT = re.compile(r"(?P<who>.+?)(?:,? (?:but|and)|,) (?P<not>(?:not|never) .+)")


def with_denied_apart(text: str, notes: ClaimNotes) -> list[str]:
    """Return "Ana and I, but not Ben" as two texts, of whom it is so and of whom not."""
    if (within := _AND_NOT_BY.fullmatch(text)) and not (
        set(map(stem, within["how"].split())) & notes.asked or says_something(within["how"])
    ):
        return [within["said"]]
    match = _BUT_NOT.fullmatch(text)
    who = match["who"].rpartition(" ") if match else ("", "", "")
    is_verb = who[2] in VERBS
    if match is None or not (
        _are_people(who[0] if is_verb else match["who"], notes) and _are_people(match["not"], notes)
    ):
        return [text]
    return [match["who"], match["not"]]


def _are_people(text: str, notes: ClaimNotes) -> bool:
    """Whether a text names people and says nothing else: "not Ana or my son"."""
    words = as_asked(text, notes.names)
    return not set(beside_people(words)) - _NAMING_PEOPLE


_NAMING_PEOPLE = frozenset(("you", "and", "or", "nor", "not", "never", "only", "just", "also"))


def are_members(words: Sequence[str], notes: ClaimNotes) -> bool:
    """Whether words are those of members and nothing more."""
    asked = as_asked(" ".join(words), notes.names)
    found = find_people(asked, 0)[:1]
    return any(it.end == len(asked) and notes.numbers_of(it.people) for it in found)
