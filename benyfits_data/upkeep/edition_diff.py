"""Two editions compared, program by program: text, values, rule, and whose answer changes."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from benyfits_data.dataset import Row
from benyfits_data.editions import Edition, Program, SizeTable, Threshold
from benyfits_data.household.columns import Households
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.language.z3_backend import World
from benyfits_data.templating import templates
from benyfits_data.upkeep.freshness import program_status
from benyfits_data.upkeep.label_changes import Flips, Witness, find_witness
from benyfits_data.upkeep.side_by_side import ParagraphPair, marked, side_by_side, stretches
from benyfits_data.upkeep.stated_values import print_value

_LARGEST = 10

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
        witnesses: Households decided differently; none where none was searched.
        city: Answers that change in the city; `None` where nobody was asked.
        dataset: Labels that change in a dataset; `None` without one.
    """

    name: str
    title: str
    kind: str
    pairs: tuple[ParagraphPair, ...]
    values: Mapping[str, tuple[Threshold | None, Threshold | None]]
    notes: tuple[str, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    city: Flips | None = None
    dataset: Flips | None = None

    @property
    def is_changed(self) -> bool:
        """Whether text, values or rule differ."""
        return self.kind in ("rule", "amount", "text", "new", "ended")


@dataclass(frozen=True)
class EditionDiff:
    """The difference of two editions.

    Attributes:
        years: The two editions.
        programs: The programs, sorted by name.
    """

    years: tuple[int, int]
    programs: tuple[ProgramDiff, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many programs there are of each kind of change, in the order of `KINDS`."""
        counts = Counter(diff.kind for diff in self.programs)
        return {label: counts[kind] for kind, label in KINDS.items() if counts[kind]}

    @property
    def ranked(self) -> list[ProgramDiff]:
        """The programs whose answers change most in the city, largest first."""
        shares = {diff.name: diff.city.share for diff in self.programs if diff.city}
        moved = [diff for diff in self.programs if shares.get(diff.name)]
        return sorted(moved, key=lambda diff: (-shares[diff.name], diff.name))[:_LARGEST]

    @property
    def shown(self) -> list[ProgramDiff]:
        """The programs to print: all when few were asked for, else those that changed."""
        return [diff for diff in self.programs if diff.is_changed] or list(self.programs)

    def markdown(self) -> str:
        """Return it as Markdown: old words struck through, new ones bold."""
        environment = templates(Path(__file__).parent / "templates", autoescape=False)
        environment.filters |= {
            "marked": marked,
            "stretches": stretches,
            "threshold": print_threshold,
        }
        template = environment.get_template("edition_diff.md.jinja")
        return template.render(report=self, kinds=KINDS).removesuffix("\n")

    def as_json(self) -> dict[str, Any]:
        """Return it for machines: all programs, the texts of those that changed."""
        return {
            "editions": self.years,
            "counts": self.counts,
            "programs": [
                {
                    "program": diff.name,
                    "what happened": KINDS[diff.kind],
                    "thresholds": {
                        name: [print_threshold(side) for side in sides]
                        for name, sides in diff.values.items()
                    },
                    "texts": [
                        [marked(pair.old), marked(pair.new)]
                        for pair in diff.pairs
                        if pair.is_changed
                    ],
                    "notes": diff.notes,
                    "witnesses": [
                        {"says": witness.says(self.years), "facts": witness.facts}
                        for witness in diff.witnesses
                    ],
                    "city": asdict(diff.city) if diff.city else None,
                    "dataset": asdict(diff.dataset) if diff.dataset else None,
                }
                for diff in self.programs
            ],
        }


def compare(
    old: Edition,
    new: Edition,
    names: Sequence[str] = (),
    *,
    city: Households | None = None,
    rows: Sequence[Row] = (),
    world: World | None = None,
    tick: Callable[[int], object] = lambda done: None,
) -> EditionDiff:
    """Return how two editions differ.

    Args:
        old: The earlier edition.
        new: The later one.
        names: The programs; all of both editions unless given.
        city: Households whose answers are compared; nobody is asked unless given.
        rows: Rows of a dataset whose labels are compared.
        world: Searches households decided differently; none are searched unless given.
        tick: Called with 1 whenever a program is done.

    Raises:
        UnknownProgramError: Neither edition has a program of that name.
        ProofError: CPython does not confirm a household: readers disagree.
    """
    for name in names:
        if name not in new.programs:
            old.program(name)
    reviewed = new.record.reviewed if new.record else {}
    diffs = [
        _compare(old.programs.get(name), new.programs.get(name), reviewed)
        for name in names or sorted(old.programs.keys() | new.programs.keys())
    ]
    moved = [diff.name for diff in diffs if diff.kind in ("rule", "amount")]
    in_city = {} if city is None else count_flips(old, new, city, moved)
    asked = Households.from_households([row.household for row in rows]) if rows else None
    in_rows = {} if asked is None else count_flips(old, new, asked, moved, [row.id for row in rows])
    compared = []
    for diff in diffs:
        witnesses: tuple[Witness, ...] = ()
        if world is not None and diff.name in moved:
            pair = old.program(diff.name), new.program(diff.name)
            witnesses = tuple(find_witness(*pair, way, world) for way in ("gains", "loses"))
        flips = in_city.get(diff.name), in_rows.get(diff.name)
        compared.append(replace(diff, witnesses=witnesses, city=flips[0], dataset=flips[1]))
        tick(1)
    return EditionDiff((old.year, new.year), tuple(compared))


def _compare(old: Program | None, new: Program | None, reviewed: Mapping[str, date]) -> ProgramDiff:
    status = program_status(new, old, reviewed)
    programs = [program for program in (old, new) if program]
    pairs = side_by_side(old.requirements() if old else "", new.requirements() if new else "")
    before, after = (program.thresholds.entries if program else {} for program in (old, new))
    values = {
        name: (before.get(name), after.get(name))
        for name in {**before, **after}
        if status.state in ("new", "ended") or name in status.changed
    }
    kind = status.state
    if kind not in ("new", "ended"):
        if "rule" in status.changed:
            kind = "rule"
        elif values:
            kind = "amount"
        elif any(pair.is_changed for pair in pairs):
            kind = "text"
    return ProgramDiff(status.program, programs[-1].title, kind, pairs, values, status.notes)


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
        names: Programs of both editions.
        ids: What the households are called; none unless given.
    """
    before = label_and_trace(old, households, names).labels
    after = label_and_trace(new, households, names).labels
    return {name: Flips.between(before[name], after[name], ids) for name in names}


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


def _number(value: int | float | date) -> str:
    return print_value(value) if isinstance(value, date) else f"{value:,}"
