"""A clause covered by parts: every word must have its place, or the clause is not understood.

Phrases of the lexicon, people, limits and plain words compete; the cheapest cover wins.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benyfits_data.understanding.numbers import find_comparison, find_number
from benyfits_data.understanding.people import find_people
from benyfits_data.understanding.phrases import ARTICLES, PLAIN_VERBS, find_phrases
from benyfits_data.understanding.question_text import PLAIN_WORDS, WORDING
from benyfits_data.understanding.words import stem

_NEGATION = frozenset(("not", "never", "without", "neither", "nor"))
LACK = frozenset(("lack", "lacks", "lacking"))
_PLAIN_BY_STEM = {stem(word): word for word in sorted(PLAIN_WORDS)}
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
    n = len(words)
    best: list[tuple[float, list[ClausePart]] | None] = [None] * (n + 1)
    best[0] = (0.0, [])
    reached = 0
    for start in range(n):
        if best[start] is None:
            continue
        cost, parts = best[start]  # type: ignore[misc]
        for part, price in _parts_at(words, start, is_claim=is_claim):
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
    words: Sequence[str], start: int, *, is_claim: bool = False
) -> list[tuple[ClausePart, float]]:
    text = " ".join(words[start:])
    found: list[tuple[ClausePart, float]] = []
    for phrase in find_phrases(words, start):
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
    number = find_number(words, start) if is_claim else None
    if number is not None:
        found.append((ClausePart(start, number.end, "number", number), 0.4))
        if number.unit and len(number.parts) == 1:
            bare = replace(number, unit="", period="", end=start + 1)
            found.append((ClausePart(start, start + 1, "number", bare), 0.45))
    word = words[start]
    if word in LACK:
        found.append((ClausePart(start, start + 1, "lack"), 0.3))
    if word in _NEGATION or (is_claim and word == "no"):
        found.append((ClausePart(start, start + 1, "not"), 0.3))
    if word in _EVER:
        found.append((ClausePart(start, start + 1, "ever", word), 0.3))
    if word in ("and", "or", ","):
        found.append((ClausePart(start, start + 1, "join", word), 0.1))
    elif plain_word := word if word in PLAIN_WORDS else _PLAIN_BY_STEM.get(stem(word)):
        price = 0.1 if word in PLAIN_VERBS else 0.2
        found.append((ClausePart(start, start + 1, "plain", plain_word), price))
    return found
