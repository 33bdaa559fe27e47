"""The lexicon: phrases compiled to a trie of stems, found in a question by longest cover.

A phrase is found although plain words stand between its own ("rent do you pay" is "rent pay").
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.parser.topics import Meaning, not_known_phrases, spoken_phrases
from benyfits_data.understanding.parser.words import plain, stem

Words = tuple[str, ...]
ARTICLES = frozenset(["a", "an", "the", "any", "some"])
ADDRESSED = frozenset(["you", "your", "yours", "yourself", "u", "ur"])
"""Words by which who is asked is addressed."""
PLAIN_VERBS = frozenset(
    [
        "is",
        "are",
        "am",
        "was",
        "were",
        "be",
        "been",
        "being",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "having",
        "get",
        "gets",
        "getting",
        "got",
        "receive",
        "receives",
        "receiving",
        "received",
        "currently",
        "now",
        "presently",
    ]
)
BETWEEN = (
    ARTICLES
    | PLAIN_VERBS
    | frozenset(
        [
            "you",
            "your",
            "of",
            "in",
            "for",
            "to",
            "on",
            "at",
            "by",
            "as",
            "that",
            "who",
            "they",
            "them",
            "their",
            "he",
            "she",
            "his",
            "her",
            "it",
            "its",
            "own",
            "also",
            "just",
            "either",
            "both",
            "household",
            "family",
            "among",
            ",",
        ]
    )
)
"""Words that may stand inside a phrase without changing it."""
MOST_BETWEEN = 4
OWNERS = frozenset(("your", "their", "his", "her", "its", "my", "our"))
"""After these, "own" says nothing; elsewhere it asks for an owner."""
MEMBER = "@"
"""Begins the word that stands for a member's name, before the member's number."""


@dataclass(slots=True)
class _PhraseNode:
    children: dict[str, "_PhraseNode"] = field(default_factory=dict)
    meanings: list[Meaning] = field(default_factory=list)


@dataclass(frozen=True)
class Found:
    """A phrase found in a question: its words are `start` to `end - 1`, without those `skipped`."""

    start: int
    end: int
    skipped: tuple[int, ...]
    meanings: tuple[Meaning, ...]
    is_loose: bool = False
    """Whether the words stood in an order that no phrase has."""


def find_phrases(words: Sequence[str], start: int) -> Iterator[Found]:
    """Yield the phrases that begin with a word of a question.

    Args:
        words: The question, as `words.plain` gives it.
        start: Where the phrase begins.
    """
    pending: list[tuple[_PhraseNode, int, tuple[int, ...]]] = [(_trie(), start, ())]
    while pending:
        node, place, skipped = pending.pop()
        if node.meanings and place - 1 not in skipped:
            yield Found(start, place, skipped, tuple(node.meanings))
        if place == len(words):
            continue
        if child := node.children.get(stem(words[place])):
            pending.append((child, place + 1, skipped))
        is_between = words[place] in BETWEEN or words[place].startswith(MEMBER)
        if words[place] == "own" and words[place - 1] not in OWNERS:
            is_between = False
        if place > start and is_between and len(skipped) < MOST_BETWEEN:
            pending.append((node, place + 1, (*skipped, place)))


@cache
def _trie() -> _PhraseNode:
    root = _PhraseNode()
    for stems, meaning in stems_of_phrases():
        node = root
        for it in stems:
            if (child := node.children.get(it)) is None:
                child = node.children[it] = _PhraseNode()
            node = child
        if node is not root and meaning not in node.meanings:
            node.meanings.append(meaning)
    return root


@cache
def stems_of_phrases() -> tuple[tuple[tuple[str, ...], Meaning], ...]:
    """Return each way to say each phrase, in stems without articles, with what it stands for."""
    told = (
        (words, meaning) for phrase, meaning in all_phrases() for words in expand(phrase, _stems_of)
    )
    return tuple(dict.fromkeys(told))


def all_phrases() -> Iterator[tuple[str, Meaning]]:
    """Yield every phrase of the lexicon with what it stands for."""
    # Measures and groups come first: where a phrase names both, they are meant.
    told = sorted(spoken_phrases().items(), key=lambda item: item[0] in FEATURES)
    for name, table in told:
        yield from ((phrase, Meaning(name)) for phrase in table["phrases"])
        yield from ((it, Meaning(name, is_opposite=True)) for it in table.get("opposite", ()))
        for value, phrases in table.get("values", {}).items():
            yield from ((phrase, Meaning(name, value)) for phrase in phrases)
        if name in FEATURES:
            # The declaration's own words come on top of the synonyms.
            own = FEATURES[name].phrase or FEATURES[name].question.partition(",")[0]
            plain_form = own.replace("{ies}", "y").replace("{s}", "")
            bare = re.sub(r"\{\w+\}|[\[\]|?]", " ", plain_form)
            yield re.sub(r"[()]", " ", bare), Meaning(name)
            yield re.sub(r"\(.*?\)", " ", bare), Meaning(name)
    yield from ((phrase, Meaning("not_known")) for phrase in not_known_phrases())


def expand(phrase: str, read: Callable[[str], Words] | None = None) -> tuple[Words, ...]:
    """Return the word lists of a phrase: `[x]` may be left out, `(a|b)` is one of them.

    Args:
        phrase: Words, brackets and bars.
        read: The words that one word of the phrase stands for; without it, its plain words. Lists
            that become equal are made once: of "keep" and "keeps" one stem is left, and a phrase
            of ten brackets has a tenth of the lists.

    >>> expand("[the] (subway|bus) card")
    (('the', 'subway', 'card'), ('the', 'bus', 'card'), ('subway', 'card'), ('bus', 'card'))
    """
    tokens = re.findall(r"[()\[\]|]|[^()\[\]|\s]+", phrase)
    lists, _ = _options(tokens, 0, read or _plain)
    return tuple(words for words in lists if words)


@cache
def _plain(token: str) -> Words:
    """Return one token of a phrase in plain words; phrases share most of theirs."""
    return tuple(plain(token))


@cache
def _stems_of(token: str) -> Words:
    """Return the stems of one token of a phrase, without articles."""
    return tuple(stem(word) for word in _plain(token) if word not in ARTICLES)


def _options(
    tokens: Sequence[str], at: int, read: Callable[[str], Words]
) -> tuple[tuple[Words, ...], int]:
    """Return the word lists that tokens stand for up to a closing bracket, and where it stands."""
    told: list[Words] = []
    lists: list[Words] = [()]
    while at < len(tokens) and tokens[at] not in ")]":
        if tokens[at] == "|":
            told, lists = [*told, *lists], [()]
        else:
            if tokens[at] in "([":
                optional: tuple[Words, ...] = ((),) if tokens[at] == "[" else ()
                inner, at = _options(tokens, at + 1, read)
                options = tuple(dict.fromkeys((*inner, *optional)))
            else:
                options = (read(tokens[at]),)
            lists = [words + more for words in lists for more in options]
        at += 1
    return tuple(dict.fromkeys((*told, *lists))), at
