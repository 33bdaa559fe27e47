"""Two texts side by side, paragraph by paragraph, with the words that changed."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import NamedTuple

from benyfits_data.wording import count_of

_NEW_PARAGRAPH = re.compile(r"\d+\.\s|\s+[a-z]\.\s|-\s|\|")

Piece = tuple[str, bool]
"""Some words that stay or change together, and whether the other text lacks them at this place."""


class ParagraphPair(NamedTuple):
    """A paragraph of the old text beside one of the new, by pieces; one of them may be empty."""

    old: tuple[Piece, ...]
    new: tuple[Piece, ...]

    @property
    def is_changed(self) -> bool:
        """Whether the two differ."""
        return any(is_changed for _, is_changed in (*self.old, *self.new))


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a requirement text, each on one line.

    Clauses, their parts and the rows of tables are paragraphs of their own; how lines were
    wrapped does not matter.
    """
    joined: list[str] = []
    is_open = False
    for line in text.splitlines():
        if not line.strip() or re.fullmatch(r"[|:\s-]+", line):
            is_open = False
        elif is_open and not _NEW_PARAGRAPH.match(line):
            joined[-1] += " " + line.strip()
        else:
            # Columns of tables are as wide as their widest cell, which is no change of words.
            joined.append(re.sub(r" +", " ", line.strip()))
            is_open = not line.startswith("|")
    return joined


def side_by_side(old: str, new: str) -> tuple[ParagraphPair, ...]:
    """Return the paragraphs of two texts in pairs, from top to bottom."""
    before, after = paragraphs(old), paragraphs(new)
    pairs: list[ParagraphPair] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for _, first, last, start, end in matcher.get_opcodes():
        pairs += _pairs(before[first:last], after[start:end])
    return tuple(pairs)


def _pairs(before: list[str], after: list[str]) -> Iterator[ParagraphPair]:
    """Yield pairs of a stretch: the most similar paragraphs face one another."""
    likeness, row, column = max(
        (
            (
                SequenceMatcher(None, paragraph.split(), other.split(), autojunk=False).ratio(),
                -i,
                -j,
            )
            for i, paragraph in enumerate(before)
            for j, other in enumerate(after)
        ),
        default=(0, 0, 0),
    )
    if likeness < 0.4:
        yield from (ParagraphPair(((text, True),), ()) for text in before)
        yield from (ParagraphPair((), ((text, True),)) for text in after)
        return
    yield from _pairs(before[:-row], after[:-column])
    old, new = before[-row].split(" "), after[-column].split(" ")
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    yield ParagraphPair(
        tuple((" ".join(old[a:b]), step != "equal") for step, a, b, _, _ in steps if a < b),
        tuple((" ".join(new[c:d]), step != "equal") for step, _, _, c, d in steps if c < d),
    )
    yield from _pairs(before[-row + 1 :], after[-column + 1 :])


def stretches(pairs: Sequence[ParagraphPair]) -> Iterator[ParagraphPair | str]:
    """Yield changed pairs, and how many unchanged ones lie between them."""
    for is_changed, group in groupby(pairs, key=lambda pair: pair.is_changed):
        if is_changed:
            yield from group
        else:
            yield f"{count_of(list(group), 'paragraph')} unchanged"


def marked(pieces: Sequence[Piece], mark: str = "") -> str:
    """Return a paragraph with a mark around what changed."""
    return " ".join(f"{mark}{text}{mark}" if is_changed else text for text, is_changed in pieces)
