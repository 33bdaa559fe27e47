"""Two editions compared, program by program: text, values, rule, and whose answer changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition, Program, SizeTable, Threshold
from benyfits_data.household.columns import Households
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.upkeep.freshness import changed_parts
from benyfits_data.upkeep.stated_values import print_value
from benyfits_data.upkeep.text_diff import ParagraphPair, side_by_side

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
class ValueChange:
    """One threshold in both editions.

    Attributes:
        name: Its name.
        old: As it was; `None` if the old edition has none.
        new: As it is.
    """

    name: str
    old: Threshold | None
    new: Threshold | None

    @property
    def is_changed(self) -> bool:
        """Whether the value or its unit differs."""
        if self.old is None or self.new is None:
            return True
        return (self.old.unit, self.old.value) != (self.new.unit, self.new.value)


@dataclass(frozen=True)
class ProgramDiff:
    """One program in two editions.

    Attributes:
        name: The program.
        title: Its title.
        kind: What happened to it, a key of `KINDS`.
        years: The two editions.
        pairs: Its texts side by side.
        values: Its thresholds, changed and unchanged.
    """

    name: str
    title: str
    kind: str
    years: tuple[int, int]
    pairs: tuple[ParagraphPair, ...]
    values: tuple[ValueChange, ...]

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
        z, n = 1.96, self.of
        if not n:
            return 0.0
        spread = self.share * (1 - self.share) / n + z * z / (4 * n * n)
        return float(z * np.sqrt(spread) / (1 + z * z / n))


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
    wanted = names or sorted(old.programs.keys() | new.programs.keys())
    reviewed = new.record.reviewed if new.record else {}
    return [
        _compare(
            old.programs.get(name), new.programs.get(name), (old.year, new.year), name in reviewed
        )
        for name in wanted
    ]


def _compare(
    old: Program | None, new: Program | None, years: tuple[int, int], is_reviewed: bool
) -> ProgramDiff:
    known = new or old
    assert known is not None
    values = tuple(
        ValueChange(name, _entry(old, name), _entry(new, name))
        for name in dict.fromkeys([*_names(old), *_names(new)])
    )
    pairs = side_by_side(old.requirements() if old else "", new.requirements() if new else "")
    return ProgramDiff(
        known.name,
        known.title,
        _kind(old, new, values, pairs, is_reviewed),
        years,
        tuple(pairs),
        values,
    )


def _kind(
    old: Program | None,
    new: Program | None,
    values: Sequence[ValueChange],
    pairs: Sequence[ParagraphPair],
    is_reviewed: bool,
) -> str:
    if old is None or new is None:
        return "new" if old is None else "ended"
    parts = changed_parts(old, new)
    if "rule" in parts:
        return "rule"
    if any(change.is_changed for change in values):
        return "amount"
    if any(pair.is_changed for pair in pairs):
        return "text"
    seen = [change.new is not None and change.new.since > old.edition for change in values]
    return "re-verified" if is_reviewed or (seen and all(seen)) else "not looked at"


def _names(program: Program | None) -> list[str]:
    return program.thresholds.names() if program else []


def _entry(program: Program | None, name: str) -> Threshold | None:
    if program is None or name not in program.thresholds.names():
        return None
    return program.thresholds.entry(name)


def flipped(
    old: Edition, new: Edition, households: Households, names: Sequence[str]
) -> dict[str, tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Return who gains and who loses each program, one flag a household.

    Programs that are not part of both editions are left out.
    """
    both = [name for name in names if name in old.programs and name in new.programs]
    before = label_and_trace(old, households, both).labels
    after = label_and_trace(new, households, both).labels
    return {name: (after[name] & ~before[name], before[name] & ~after[name]) for name in both}


def count_flips(
    flags: Mapping[str, tuple[NDArray[np.bool_], NDArray[np.bool_]]], ids: Sequence[str] = ()
) -> dict[str, Flips]:
    """Return how many households get another answer, by program.

    Args:
        flags: Who gains and who loses.
        ids: What the households are called; none unless given.
    """
    counts = {}
    for name, (gained, lost) in flags.items():
        changed = tuple(compress(ids, gained | lost))
        counts[name] = Flips(int(gained.sum()), int(lost.sum()), len(gained), changed)
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
    told = [f"{size}: {_number(rows[size])}" for size in sorted(rows)]
    if threshold.value.each_additional is not None:
        told.append(f"each more: {_number(threshold.value.each_additional)}")
    return f"{'; '.join(told)} ({threshold.unit})"


def _number(value: object) -> str:
    is_amount = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:,}" if is_amount else print_value(value)
