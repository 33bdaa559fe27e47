"""The city's sentences: which ours lack, and which changed between two downloads."""

import re
from collections.abc import Iterator

from benyfits_data.editions import Program
from benyfits_data.upkeep.city.program_matching import content_words

_ENDS = re.compile(r"(?<=[.!?;])\s+|\n+")
_LEAST_WORDS = 4
"""Shorter pieces are headings and cells."""
KNOWN = 0.5
"""A sentence with so many of its words in what we say of the program is taken up by it."""
_ABOUT_THE_PROCESS = re.compile(
    r"\b(?:apply|call|visit|website|online|e-?mail|phone|question|contact|learn more|document)",
    re.I,
)


def split_sentences(text: str) -> list[str]:
    """Return the sentences and list items of a plain text that say something."""
    pieces = (" ".join(piece.strip("|-*• ").split()) for piece in _ENDS.split(text))
    return [piece for piece in pieces if len(piece.split()) >= _LEAST_WORDS and "|" not in piece]


def unknown_sentences(program: Program, text: str) -> Iterator[tuple[float, str]]:
    """Yield the city's sentences that nothing we say of a program takes up, with what is known.

    We say: the decided and the plain text, and what the sources leave out.

    Yields:
        The share of the sentence's words that we say, and the sentence.
    """
    told = [program.requirements()]
    if program.plain_path:
        told.append(program.plain())
    if program.sources:
        told += [f"{it.place} {it.says}" for it in program.sources.omissions]
        told += [it.phrase for it in program.sources.claims]
    known = set(content_words(" ".join(told)))
    for sentence in split_sentences(text):
        words = set(content_words(sentence))
        if len(words) < _LEAST_WORDS or _ABOUT_THE_PROCESS.search(sentence):
            continue
        share = len(words & known) / len(words)
        if share < KNOWN:
            yield share, sentence


def lost_phrases(program: Program, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the phrases that clauses quote and a text no longer prints, with the clauses."""
    printed = _folded(text)
    for claim in program.sources.claims if program.sources else ():
        if claim.phrase and not claim.source and _folded(claim.phrase) not in printed:
            yield claim.phrase, claim.clauses


def changed_sentences(before: str, now: str) -> Iterator[tuple[str, str]]:
    """Yield what a text no longer says and what it newly says, as `("gone", sentence)`."""
    old, new = ({_folded(it): it for it in split_sentences(text)} for text in (before, now))
    yield from (("gone", old[it]) for it in old if it not in new)
    yield from (("new", new[it]) for it in new if it not in old)


def _folded(text: str) -> str:
    """Return a text's letters and digits, small, with single blanks."""
    return " ".join(re.findall(r"[a-z0-9$%]+", text.lower().replace("\u2019", "'")))
