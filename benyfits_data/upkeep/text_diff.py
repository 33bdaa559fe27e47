"""Two texts side by side: paragraphs paired, changed words marked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

_NEW_PARAGRAPH = re.compile(r"\d+\.\s|\s+[a-z]\.\s|-\s|\|")


@dataclass(frozen=True)
class TextPiece:
    """Some words that stay or change together.

    Attributes:
        text: The words.
        is_changed: Whether the other text lacks them at this place.
    """

    text: str
    is_changed: bool


@dataclass(frozen=True)
class ParagraphPair:
    """A paragraph of the old text beside one of the new; one of them may be empty.

    Attributes:
        old: Its pieces, in order.
        new: The pieces of the new paragraph, in order.
    """

    old: tuple[TextPiece, ...]
    new: tuple[TextPiece, ...]

    @property
    def is_changed(self) -> bool:
        """Whether the two differ."""
        return any(piece.is_changed for piece in (*self.old, *self.new))


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a requirement text, each on one line.

    Clauses, their parts and the rows of tables are paragraphs of their own; how lines were
    wrapped does not matter.
    """
    found: list[str] = []
    is_open = False
    for line in text.splitlines():
        if not line.strip() or re.fullmatch(r"[|:\s-]+", line):
            is_open = False
        elif is_open and not _NEW_PARAGRAPH.match(line):
            found[-1] += " " + line.strip()
        else:
            # Columns of tables are as wide as their widest cell, which is no change of words.
            found.append(re.sub(r" +", " ", line.strip()))
            is_open = not line.startswith("|")
    return found


def side_by_side(old: str, new: str) -> list[ParagraphPair]:
    """Return the paragraphs of two texts in pairs, from top to bottom."""
    before, after = paragraphs(old), paragraphs(new)
    pairs: list[ParagraphPair] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for _, first, last, start, end in matcher.get_opcodes():
        pairs += _pairs(before[first:last], after[start:end])
    return pairs


def _pairs(before: list[str], after: list[str]) -> Iterator[ParagraphPair]:
    """Yield pairs of a stretch: the most similar paragraphs face one another."""
    if not before or not after:
        yield from (ParagraphPair(_whole(text), ()) for text in before)
        yield from (ParagraphPair((), _whole(text)) for text in after)
        return
    likeness, row, column = max(
        (SequenceMatcher(None, one.split(), other.split(), autojunk=False).ratio(), -i, -j)
        for i, one in enumerate(before)
        for j, other in enumerate(after)
    )
    if likeness < 0.4:
        yield from _pairs(before, [])
        yield from _pairs([], after)
        return
    yield from _pairs(before[:-row], after[:-column])
    yield _words(before[-row], after[-column])
    yield from _pairs(before[-row + 1 :], after[-column + 1 :])


def _whole(text: str) -> tuple[TextPiece, ...]:
    return (TextPiece(text, True),)


def _words(old: str, new: str) -> ParagraphPair:
    before, after = old.split(" "), new.split(" ")
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    steps = matcher.get_opcodes()
    return ParagraphPair(
        tuple(TextPiece(" ".join(before[a:b]), it != "equal") for it, a, b, _, _ in steps if a < b),
        tuple(TextPiece(" ".join(after[c:d]), it != "equal") for it, _, _, c, d in steps if c < d),
    )
