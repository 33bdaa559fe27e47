"""What an answer implies: "I am retired" says that one does not work.

The lexicon `implied.toml` has, fact by fact, what people say when they are asked about it. What is
found is replaced by plain words of the fact, and the clause is then read as any other.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from benyfits_data.errors import EvaluationError
from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.parser.answer_words import IMPLIED
from benyfits_data.understanding.parser.phrases import ARTICLES, expand
from benyfits_data.understanding.parser.query import Query
from benyfits_data.understanding.parser.topics import related, topics
from benyfits_data.understanding.parser.words import plain, stem

PEOPLE = "people"
"""Stands for questions of people alone: "do you have children?"."""
_OWN_VERBS = ("have ", "use ", "live ", "rent", "earn ", "receive ", "can ", "work ", "home ")
_ECHOES = [
    re.compile(pattern)
    for pattern in (
        r"(?P<who>\w+(?: \w+){0,2}?) (?:(?:do|does|did|have|has|had|was|were|am|is|are|will) )?"
        r"(?P<not>(?:not|never) )?(?:(?:ever|been|got|had|have) )*"
        r"(?P<verb>use|uses|get|gets|got|receive|receives|collect|collects|draw|draws|take|takes|"
        r"need|needs|have|has|given|issued|assigned|want|hold|holds|own|owns|getting|receiving|"
        r"covered by|enrolled in|in|on|part of|eligible for|registered for|diagnosed with|had)"
        r" (?:1|it|that|any|some|them|those|both)(?: of (?:it|them|those|that))?"
        r"(?: (?:all the time|already|regularly|that (?:works?|runs?|is working)))?$",
        r"(?P<who>\w+(?: \w+){0,2}?)(?P<verb> )(?:sure |certainly |indeed )?(?:was|were)"
        r"(?P<not> not)?(?: indeed)?$",
        r"(?P<who>there)(?P<verb> )(?:is|are) (?P<not>not )?(?:1|any|some)(?: here| that works?)?$",
        r"(?P<who>\w+(?: \w+){0,2}?) (?P<verb>am|is|are) (?P<not>not )?able"
        r"(?: to(?: do (?:it|that))?)?$",
    )
]
"""Ways to say of what was asked that it is so: "I use one", "I was never given one"."""
_KEYS = ("so", "not_so", "same", "same_not", "more", "more_not")
_PERSONS = {
    **dict.fromkeys(("my", "our", "his", "her", "their", "your"), "your"),
    **dict.fromkeys(
        ("myself", "ourselves", "himself", "herself", "themselves", "yourself"), "yourself"
    ),
    **dict.fromkeys(("me", "us", "him", "them"), "me"),
}
_SKIPPED = ARTICLES | frozenset(IMPLIED["skipped"].split())
_NEVER_READ = _SKIPPED - ARTICLES
_DENYING = frozenset(IMPLIED["denying"].split())
_PAST = frozenset(("was", "were", "before", "once"))
_UNREAL = frozenset(IMPLIED["unreal"].split())


@dataclass(frozen=True)
class Implied:
    """What a phrase says of a fact.

    Attributes:
        of: The topics one of which must be asked about.
        says: Plain words of the fact, or of its denial.
        is_same: Whether denying the phrase denies the fact: "not hitched", but not "not retired".
        is_more: Whether the phrase tells more than the fact: "I was fired".
    """

    of: frozenset[str]
    says: str
    is_same: bool
    is_more: bool


@dataclass(slots=True)
class _PatternNode:
    children: dict[str, "_PatternNode"] = field(default_factory=dict)
    meanings: list[Implied] = field(default_factory=list)

    def child(self, word: str) -> "_PatternNode":
        """Return the node of a next word, a new one where there is none."""
        if (node := self.children.get(word)) is None:
            node = self.children[word] = _PatternNode()
        return node


def in_plain_words(
    text: str, queries: Sequence[Query], *, says_only_that: bool = False
) -> tuple[str, bool] | None:
    """Return a clause with what it implies in plain words of the fact, and whether it tells more.

    Nothing is returned where nothing is implied of what was asked.

    Args:
        text: The clause, as `answer_words.plain_answer` gives it.
        queries: What was asked.
        says_only_that: Whether phrases that tell more than the fact do not count: "uses a walker".
    """
    words = text.split()
    if not says_only_that and (told := _as_said(words, queries)):
        return told, False
    kept = [at for at, word in enumerate(words) if word not in _SKIPPED]
    asked = {name for it in queries for name in _named(it)}
    best: tuple[int, int, int, Implied] | None = None
    for first in range(len(kept)):
        for length, meaning in _found(words, kept[first:]):
            is_meant = meaning.of & asked and (meaning.is_same or not says_only_that)
            if is_meant and (best is None or length > best[0]):
                best = length, kept[first], kept[first + length - 1] + 1, meaning
    if best is None:
        return None
    _, start, end, meaning = best
    rest = {*words[:start], *words[end:]}
    can_be_denied = meaning.is_same and not _DENYING & set(words[start:end])
    is_past = all(it in topics() and topics()[it].is_past for it in meaning.of)
    if rest & (_UNREAL - _PAST if is_past else _UNREAL) or (rest & _DENYING and not can_be_denied):
        return None
    if meaning.says.startswith(_OWN_VERBS):
        start -= words[start - 1 : start] in (["is"], ["am"], ["are"])
    if meaning.says.split()[0] in ARTICLES:
        start -= words[start - 1 : start] in (["a"], ["an"])
    told = " ".join([*words[:start], meaning.says, *words[end:]])
    return re.sub(r"\b(?:not|never|no) (?:\w+ )?not ", "", told), meaning.is_more


def _named(query: Query) -> Iterator[str]:
    """Yield what a query asks about: a topic, or people and their relations."""
    if query.topic:
        yield query.topic
    else:
        yield from query.people.relations or (PEOPLE,)


def _as_said(words: Sequence[str], queries: Sequence[Query]) -> str | None:
    """Return "I do not need one" as "I do not" where it was asked whether something is so."""
    flags = [it for it in queries if it.topic and it.how in ("is", "exists", "who")]
    if not flags or len(flags) < len(queries) or any(it.is_opposite for it in flags):
        return None
    for pattern in _ECHOES:
        match = pattern.match(" ".join(words))
        if match and not match["who"].endswith("name"):  # "my name is on it"
            is_need = match["verb"] in ("need", "want") and not match["not"]
            is_housing = {it.topic for it in flags} & related("tenure")
            if is_need or is_housing:
                return None
            who = match["who"].replace("there", "i")
            return f"{who} do{' not' if match['not'] else ''}"
    return None


def _found(words: Sequence[str], places: Sequence[int]) -> Iterator[tuple[int, Implied]]:
    """Yield each phrase that begins at the first of some places, with how many words it has."""
    nodes = [_trie()]
    for length, at in enumerate(places, 1):
        word = words[at]
        heard = ("your", "me") if word == "her" else (_PERSONS.get(word, word),)
        children = [node.children.get(stem(it)) for node in nodes for it in heard]
        nodes = [it for it in children if it is not None]
        if not nodes:
            return
        yield from ((length, it) for node in nodes for it in node.meanings)


@cache
def _trie() -> _PatternNode:
    root = _PatternNode()
    told: dict[str, list[Implied]] = defaultdict(list)
    for phrase, meaning in implied_phrases():
        told[phrase].append(meaning)  # many facts share a phrase: it is expanded once
    for phrase, meanings in told.items():
        for words in expand(phrase, _heard):
            if NEVER in words:
                continue  # without "well", "mentally well" would be anything mental
            node = root
            for word in words:
                node = node.child(word)
            if node is not root:
                node.meanings += meanings
    return root


NEVER = "never read"


@cache
def _heard(token: str) -> tuple[str, ...]:
    """Return the stems by which one token of a phrase is found; `NEVER` for words left out."""
    return tuple(
        NEVER if word in _NEVER_READ else stem(_PERSONS.get(word, word))
        for word in plain(token)
        if word not in ARTICLES
    )


@cache
def implied_phrases() -> tuple[tuple[str, Implied], ...]:
    """Return every phrase of the lexicon with what it says.

    Raises:
        EvaluationError: The file names an unknown topic or key.
    """
    text = (files("benyfits_data.understanding.parser") / "implied.toml").read_text(
        encoding="utf-8"
    )
    told: list[dict[str, Any]] = tomllib.loads(text)["fact"]
    return tuple(each for table in told for each in _phrases_of(table))


def _phrases_of(table: dict[str, Any]) -> Iterator[tuple[str, Implied]]:
    """Yield the phrases of one table; `says` may be a table with the words of each fact."""
    says = table["says"]
    sayings = says if isinstance(says, dict) else {says: says}
    known = {*topics(), *FEATURES["relation"].choices, PEOPLE}
    wrong = sorted({*table.get("of", says)} - known)
    wrong += sorted(set(table) - {*_KEYS, "of", "says", "denies"})
    if wrong:
        raise EvaluationError(
            f"implied.toml, {says}: {', '.join(wrong)} is no topic and no known "
            f"key (of, says, denies, {', '.join(_KEYS)}). Correct it."
        )
    for topic, so in sayings.items():
        of = frozenset([topic] if isinstance(says, dict) else table["of"])
        not_so = table.get("denies", f"not {so}")
        for key in _KEYS:
            told = not_so if "not" in key else so
            meaning = Implied(of, told, key.startswith("same"), key.startswith("more"))
            yield from ((phrase, meaning) for phrase in table.get(key, ()))
