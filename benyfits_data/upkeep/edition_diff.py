"""Two editions compared, program by program: text, values, rule, and whose answer changes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import compress
from typing import NamedTuple

from benyfits_data.editions import Edition, Program, SizeTable, Threshold
from benyfits_data.household.columns import Households
from benyfits_data.intervals import wilson
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.upkeep.freshness import program_status
from benyfits_data.upkeep.stated_values import print_value

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
    likeness, row, column = max(
        (
            (SequenceMatcher(None, one.split(), other.split(), autojunk=False).ratio(), -i, -j)
            for i, one in enumerate(before)
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


KINDS = {
    "rule": "changed in rule",
    "amount": "changed in amount",
    "text": "changed in text only",
    "re-verified": "re-verified, unchanged",
    "not looked at": "not re-verified",
    "new": "new",
    "ended": "ended",
}
"""What can happen to a program, in the order of reports."""


@dataclass(frozen=True)
class ProgramDiff:
    """One program in two editions.

    Attributes:
        name: The program.
        title: Its title.
        kind: What happened to it, a key of `KINDS`.
        pairs: Its texts side by side.
        values: The thresholds that changed, old and new by name; `None` where an edition has none.
        notes: Notes on values and source of the later edition, and what its text leaves out.
    """

    name: str
    title: str
    kind: str
    pairs: tuple[ParagraphPair, ...]
    values: Mapping[str, tuple[Threshold | None, Threshold | None]]
    notes: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether text, values or rule differ."""
        return self.kind in ("rule", "amount", "text", "new", "ended")


@dataclass(frozen=True)
class Flips:
    """How many households get another answer.

    Attributes:
        gained: How many are eligible under the new edition only.
        lost: How many under the old one only.
        of: How many were asked.
        ids: The households that get another answer, where they have names.
    """

    gained: int
    lost: int
    of: int
    ids: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of households that get another answer."""
        return (self.gained + self.lost) / self.of if self.of else 0.0

    @property
    def margin(self) -> float:
        """Half the width of the 95% interval of the share, for households drawn at random.

        Wilson's interval: it is not empty when no household was found.
        """
        if not self.of:
            return 0.0
        low, high = wilson(self.gained + self.lost, self.of)
        return (high - low) / 2


def compare(old: Edition, new: Edition, names: Sequence[str] = ()) -> list[ProgramDiff]:
    """Return the comparison of each program, sorted by name.

    Args:
        old: The earlier edition.
        new: The later one.
        names: The programs; all of both editions unless given.

    Raises:
        UnknownProgramError: Neither edition has a program of that name.
    """
    for name in names:
        if name not in new.programs:
            old.program(name)
    reviewed = new.record.reviewed if new.record else {}
    return [
        _compare(old.programs.get(name), new.programs.get(name), reviewed)
        for name in names or sorted(old.programs.keys() | new.programs.keys())
    ]


def _compare(
    old: Program | None, new: Program | None, reviewed: Mapping[str, object]
) -> ProgramDiff:
    status = program_status(new, old, reviewed)
    pairs = side_by_side(old.requirements() if old else "", new.requirements() if new else "")
    values = {
        name: (_entry(old, name), _entry(new, name))
        for program in (old, new)
        for name in (program.thresholds.names() if program else ())
        if status.state in ("new", "ended") or name in status.changed
    }
    if status.state in ("new", "ended"):
        kind = status.state
    elif "rule" in status.changed:
        kind = "rule"
    elif values:
        kind = "amount"
    else:
        kind = "text" if any(pair.is_changed for pair in pairs) else status.state
    title = (new or old).title  # type: ignore[union-attr]
    return ProgramDiff(status.program, title, kind, tuple(pairs), values, status.notes)


def _entry(program: Program | None, name: str) -> Threshold | None:
    if program is None or name not in program.thresholds.names():
        return None
    return program.thresholds.entry(name)


def count_flips(
    old: Edition,
    new: Edition,
    households: Households,
    names: Sequence[str],
    ids: Sequence[str] = (),
) -> dict[str, Flips]:
    """Return how many households get another answer, by program.

    Args:
        old: The earlier edition.
        new: The later one.
        households: Who is asked.
        names: The programs; those that are not part of both editions are left out.
        ids: What the households are called; none unless given.
    """
    both = [name for name in names if name in old.programs and name in new.programs]
    before = label_and_trace(old, households, both).labels
    after = label_and_trace(new, households, both).labels
    counts = {}
    for name in both:
        gained, lost = after[name] & ~before[name], before[name] & ~after[name]
        changed = tuple(compress(ids, gained | lost))
        counts[name] = Flips(int(gained.sum()), int(lost.sum()), len(households), changed)
    return counts


def print_threshold(threshold: Threshold | None) -> str:
    """Return a threshold's value in one line; a table as `1: 15,060; each more: 5,380`."""
    if threshold is None:
        return "none"
    if isinstance(threshold.value, bool):
        return "on" if threshold.value else "off"
    if not isinstance(threshold.value, SizeTable):
        return f"{_number(threshold.value)} {threshold.unit}"
    rows = threshold.value.rows
    parts = [f"{size}: {_number(rows[size])}" for size in sorted(rows)]
    if threshold.value.each_additional is not None:
        parts.append(f"each more: {_number(threshold.value.each_additional)}")
    return f"{'; '.join(parts)} ({threshold.unit})"


def _number(value: object) -> str:
    is_amount = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:,}" if is_amount else print_value(value)
