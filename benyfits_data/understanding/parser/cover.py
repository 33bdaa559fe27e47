"""A clause covered by parts: every word must have its place, or the clause is not understood.

Phrases of the lexicon, people, limits and plain words compete; the cheapest cover wins.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from benyfits_data.understanding.parser.fact_words import belongs, denies, is_known, topic_of_words
from benyfits_data.understanding.parser.money_words import is_of_money, meaning_of_money
from benyfits_data.understanding.parser.numbers import find_comparison, find_number
from benyfits_data.understanding.parser.people_found import find_people, people_listed
from benyfits_data.understanding.parser.phrases import (
    ARTICLES,
    OWNERS,
    PLAIN_VERBS,
    Found,
    find_phrases,
)
from benyfits_data.understanding.parser.question_text import PLAIN_WORDS, WORDING
from benyfits_data.understanding.parser.words import stem

_NEGATION = frozenset(("not", "never", "without", "neither", "nor"))
LACK = frozenset(("lack", "lacks", "lacking"))
_PLAIN_BY_STEM = {stem(word): word for word in sorted(PLAIN_WORDS)}
_HAVING = (["has"], ["have"], ["with"], ["got"], ["having"], ["hold"])
_TURNING = frozenset(WORDING["turning"].split())
_UNITS = frozenset(("hour", "day", "week", "month", "year"))
_PER = (["a"], ["per"], ["each"], ["every"])
_OPEN = frozenset(("what", "which", "when", "where", "how", "who", "whose"))
_WORN = frozenset(("own", "owned", "owns"))
_EVER = frozenset(("ever", "previously", "formerly", "past", "before", "history"))
_OPS, _MARKS = (
    [
        (re.compile(rf"(?:{pattern})(?= |$)"), kind)
        for kind, patterns in WORDING[table].items()
        for pattern in patterns
    ]
    for table in ("ops", "marks")
)


class NotUnderstoodError(Exception):
    """A question, or a part of it, could not be read; `word` is the first without a place."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class UnknownTimeError(NotUnderstoodError):
    """A question asks what was or will be so of a fact that is only known as it is now."""


class AmbiguousError(NotUnderstoodError):
    """A question could be read, but in two ways: no other way to say it is tried."""


@dataclass(frozen=True)
class ClausePart:
    """A part of a question: `kind` names it, `it` is what was found."""

    start: int
    end: int
    kind: str
    it: object = None


def cover(words: Sequence[str], *, is_claim: bool = False) -> list[ClausePart]:
    """Return the cheapest cover of a question by parts.

    Raises:
        NotUnderstoodError: No cover exists; the word is told that comes first of those uncovered.
    """
    try:
        return _cheapest(words, is_claim=is_claim)
    except NotUnderstoodError:
        if not is_claim and (told := _by_vocabulary(words)):
            return told
        raise


def by_money(words: Sequence[str]) -> list[ClausePart]:
    """Return a cover where words of income name an amount together, nothing where there is none."""
    if not any(is_of_money(words, place) for place in range(len(words))):
        return []
    try:
        parts = _cheapest(words, is_claim=False, known=is_of_money, has_phrases=False)
    except NotUnderstoodError:
        return []
    named = [part for part in parts if part.kind == "word"]
    meaning = meaning_of_money(words, [str(part.it) for part in named])
    if meaning is None or any(part.kind == "not" for part in parts):
        return []
    first = named[0]
    topic = Found(first.start, first.end, (), (meaning,))
    told = [replace(it, kind="plain") if it.kind == "word" else it for it in parts]
    return [
        replace(first, kind="topic", it=topic) if it.start == first.start else it for it in told
    ]


def _by_vocabulary(words: Sequence[str]) -> list[ClausePart]:
    """Return a cover where single words name one fact together, nothing where there is none."""
    if any(word == "than" and find_people(words, at) for at, word in enumerate(words[:-1], 1)):
        return []  # "less hours than you" is held against somebody
    for has_phrases in (True, False):
        try:
            parts = _cheapest(words, is_claim=False, known=_is_known, has_phrases=has_phrases)
        except NotUnderstoodError:
            return []
        named = [part for part in parts if part.kind == "word"]
        if any(part.it in _TURNING for part in named) and any(it.kind == "topic" for it in parts):
            return []
        if any(words[part.start - 1] in ("what", "which") for part in named if part.start):
            return []  # "what bank are your savings with?"
        if has_phrases and words[0] in _OPEN and any(part.kind == "topic" for part in parts):
            continue  # what is asked may be of the words that are left over
        is_loose = len(named) < 3 or any(part.kind == "join" for part in parts)
        if (has_phrases or not is_loose) and (told := _named_by_words(parts)):
            return told
    return []


def _is_known(words: Sequence[str], place: int) -> bool:
    return is_known(words[place])


def _named_by_words(parts: Sequence[ClausePart]) -> list[ClausePart]:
    named = [part for part in parts if part.kind == "word"]
    found = [part.it for part in parts if isinstance(part.it, Found)]
    if found:
        meant = {it for each in found for it in each.meanings}
        if len(meant) != 1 or not all(belongs(str(it.it), next(iter(meant)).topic) for it in named):
            return []
        return [replace(it, kind="plain") if it.kind == "word" else it for it in parts]
    meaning = topic_of_words([str(part.it) for part in named])
    if meaning is None or (denies(meaning.topic) and any(part.kind == "not" for part in parts)):
        return []  # is it the fact that denies, or are they words that deny the fact?
    first = named[0]
    topic = Found(first.start, first.end, (), (meaning,), is_loose=True)
    told = [replace(it, kind="plain") if it.kind == "word" else it for it in parts]
    return [
        replace(first, kind="topic", it=topic) if it.start == first.start else it for it in told
    ]


def _cheapest(
    words: Sequence[str],
    *,
    is_claim: bool,
    known: Callable[[Sequence[str], int], bool] | None = None,
    has_phrases: bool = True,
) -> list[ClausePart]:
    n = len(words)
    best: list[tuple[float, list[ClausePart]] | None] = [None] * (n + 1)
    best[0] = (0.0, [])
    reached = 0
    for start in range(n):
        if best[start] is None:
            continue
        cost, parts = best[start]  # type: ignore[misc]
        for part, price in _parts_at(words, start, is_claim=is_claim, known=known):
            if part.kind == "topic" and not has_phrases:
                continue
            total = cost + price
            old = best[part.end]
            if old is None or total < old[0] - 1e-9:
                best[part.end] = (total, [*parts, part])
        reached = max(reached, start)
    if best[n] is None:
        at = max(place for place in range(n + 1) if best[place] is not None)
        raise NotUnderstoodError(f"{words[at]!r} has no place in {' '.join(words)!r}")
    return best[n][1]  # type: ignore[index]


def _parts_at(
    words: Sequence[str],
    start: int,
    *,
    is_claim: bool,
    known: Callable[[Sequence[str], int], bool] | None,
) -> list[tuple[ClausePart, float]]:
    text = " ".join(words[start:])
    found: list[tuple[ClausePart, float]] = []
    is_unit = words[start] in _UNITS and words[start - 1 : start] in _PER
    for phrase in () if is_unit else find_phrases(words, start):
        # Longer phrases are worth more: they say more precisely what is meant.
        own = phrase.end - phrase.start - len(phrase.skipped)
        skipped = sum(words[place] not in ARTICLES for place in phrase.skipped)
        price = 0.66 - 0.12 * own + 0.11 * skipped
        found.append((ClausePart(phrase.start, phrase.end, "topic", phrase), price))
    for people in find_people(words, start):
        price = {"you": 0.2, "household": 0.3}.get(people.people.kind, 0.5) - 0.01 * (
            people.end - people.start
        )
        found.append((ClausePart(people.start, people.end, "people", people.people), price))
    comparison = find_comparison(words, start)
    if comparison is not None:
        found.append(
            (ClausePart(start, comparison.end, "comparison", comparison), 0.55 if is_claim else 0.9)
        )
    for pattern, name in _OPS:
        match = pattern.match(text)
        if match and match.group(0):
            found.append((ClausePart(start, start + len(match.group(0).split()), "op", name), 0.3))
    for pattern, kind in _MARKS:
        match = pattern.match(text)
        if match and match.group(0).strip():
            said = match.groupdict()
            unit = next((it for it in said.values() if it), "")
            price = 1.2 if kind == "place" else 0.3
            found.append(
                (ClausePart(start, start + len(match.group(0).split()), kind, unit), price)
            )
    if not is_claim:
        found += [(part, 0.1) for part in _left_out(words, start, text)]
    number = find_number(words, start) if is_claim else None
    if number is not None:
        found.append((ClausePart(start, number.end, "number", number), 0.4))
        if number.unit and len(number.parts) == 1:
            bare = replace(number, unit="", period="", end=start + 1)
            found.append((ClausePart(start, start + 1, "number", bare), 0.45))
    word = words[start]
    if (
        word == "1"
        and words[start - 1 : start] not in (["is"], ["has"])
        and _is_pronoun(words, start, is_claim=is_claim)
    ):
        found.append((ClausePart(start, start + 1, "plain", word), 0.2))
    if known is not None and known(words, start):
        found.append((ClausePart(start, start + 1, "word", word), 1.0))
    if word in LACK:
        found.append((ClausePart(start, start + 1, "lack"), 0.3))
    is_no = word == "no" and (is_claim or words[start - 1 : start] in _HAVING)
    if word in _NEGATION or is_no:
        found.append((ClausePart(start, start + 1, "not", words[start]), 0.3))
    if word in _EVER:
        found.append((ClausePart(start, start + 1, "ever", word), 0.3))
    if word in ("and", "or", ","):
        found.append((ClausePart(start, start + 1, "join", word), 0.1))
    elif not is_claim and word in _WORN and words[start - 1] not in OWNERS:
        pass
    elif plain_word := word if word in PLAIN_WORDS else _PLAIN_BY_STEM.get(stem(word)):
        price = 0.1 if word in PLAIN_VERBS else 0.3 if word in _WORN else 0.2
        found.append((ClausePart(start, start + 1, "plain", plain_word), price))
    return found


_EXCEPT = re.compile(WORDING["except"] + r"(?= )")
_ANYBODY = frozenset(
    ("anyone", "anybody", "any 1", "everyone", "everybody", "nobody", "else", "people")
)


def _left_out(words: Sequence[str], start: int, text: str) -> list[ClausePart]:
    """Return who or what words leave out from one of them on: "besides your spouse", "Medicaid"."""
    match = _EXCEPT.match(text)
    if match is None or (match.group(0) == "but" and words[start - 1] not in _ANYBODY):
        return []
    at = start + len(match.group(0).split())
    people = [
        ClausePart(start, end, "but people", it)
        for it, end in people_listed(words, at)
        if it.kind != "you"
    ]
    things = [ClausePart(start, it.end, "but topic", it) for it in _things_listed(words, at)]
    return people + things


def _things_listed(words: Sequence[str], start: int) -> list[Found]:
    """Return each way to read one or more things from a word on: "SNAP, SSI or Medicaid"."""
    told: list[Found] = []
    for it in find_phrases(words, start):
        if it.skipped or len({meaning.topic for meaning in it.meanings}) != 1:
            continue
        told.append(it)
        after = it.end + 1
        if list(words[it.end : after]) in ([","], ["or"], ["and"]) and after < len(words):
            after += words[it.end] == "," and words[after] in ("or", "and")
            told += [
                replace(more, start=start, meanings=(*it.meanings, *more.meanings))
                for more in (_things_listed(words, after) if after < len(words) else ())
            ]
    return told


def is_denied(parts: Sequence[ClausePart]) -> bool:
    """Return whether parts deny something: "not without" does not, "never enrolled, no" does.

    "Neither you nor she" denies once.
    """
    at = [place for place, part in enumerate(parts) if part.kind == "not" and part.it != "nor"]
    are_apart = any(part.kind == "join" for one, other in pairwise(at) for part in parts[one:other])
    return bool(at) if are_apart else len(at) % 2 == 1


_BEFORE_ONE = (["this"], ["that"], ["each"], ["every"], ["which"], ["another"], ["next"], ["a"])


def _is_pronoun(words: Sequence[str], place: int, *, is_claim: bool) -> bool:
    """Whether a 1 stands for "one": "each one", "the regular one", not "one child"."""
    if is_claim:
        return place > 0 and words[place - 1] in ("each", "neither", "either")
    after = words[place + 1] if place + 1 < len(words) else ""
    if words[place - 1 : place] in _BEFORE_ONE and not find_people(words, place):
        return True
    return place > 0 and after in (
        "",
        "is",
        "has",
        "does",
        "who",
        "that",
        "which",
        ",",
        "or",
        "and",
    )
