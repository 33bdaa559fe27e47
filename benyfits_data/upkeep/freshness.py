"""How much of a coming edition has been reviewed: of each program the text, and the values."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from benyfits_data.editions import Program, Record, SizeTable
from benyfits_data.editions.edition import programs_in_force


@dataclass(frozen=True)
class ProgramStatus:
    """How one program stands in an edition, compared with an earlier one.

    Attributes:
        program: The program.
        text: `new`, `ended`, `changed`, `unchanged` (the text of the year was read and says the
            same), `read` (it was read, and nobody says that it is the same) or `not read`.
        values: `new`, `ended`, `none`, `changed`, `re-verified` or `not looked at`.
        changed: Thresholds whose value differs, and `text` or `rule` where the folder holds others.
        stale: Thresholds inherited without a look.
        since: The edition whose look at the stale ones was the last; `None` if nothing is stale.
        source: The list that was read; empty where nobody says.
        copy: Who keeps the copy that was read, where it is not the publisher's.
        read: The day the text was read; `None` where nobody says.
        notes: Notes on values and source, and what is left out.
    """

    program: str
    text: str
    values: str
    changed: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    since: int | None = None
    source: str = ""
    copy: str = ""
    read: date | None = None
    notes: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        """Both in one: `new`, `ended`, `changed`, `re-verified` or `not looked at`."""
        if self.text in ("new", "ended"):
            return self.text
        if self.changed:
            return "changed"
        is_seen = self.text == "unchanged" and self.values in ("re-verified", "none")
        return "re-verified" if is_seen else "not looked at"

    @property
    def is_stale(self) -> bool:
        """Whether its text was not read for this year, or a value was not looked at."""
        return self.text == "not read" or bool(self.stale)

    def say_text(self) -> str:
        """Return what is known of the text: its state, the copy that was read, and the day."""
        if self.read is None:
            return self.text
        status = "read" if self.text == "read" else f"{self.text}, read"
        return f"{status} on {self.read}" + (f" in a copy: {self.copy}" if self.copy else "")

    def say_values(self) -> str:
        """Return what is known of the values, the changed and the stale ones by name."""
        names = [name for name in self.changed if name not in ("text", "rule")]
        parts = [self.values + (f": {', '.join(names)}" if names else "")]
        if self.stale:
            parts.append(f"as of {self.since}: {', '.join(self.stale)}")
        return "; ".join(parts)


def edition_status(record: Record) -> list[ProgramStatus]:
    """Return the status of every program of an edition, and of those that ended before it.

    The first edition inherits nothing: each of its programs is new.
    """
    now = programs_in_force(record.year)
    before = {} if record.inherits_from is None else programs_in_force(record.inherits_from)
    return [
        program_status(now.get(name), before.get(name), record.reviewed)
        for name in sorted(now.keys() | before.keys())
    ]


def say_counts(statuses: Sequence[ProgramStatus]) -> Iterator[str]:
    """Yield how many texts, then the values of how many programs, are in each state."""
    for what in ("text", "values"):
        counts = Counter(getattr(status, what) for status in statuses)
        yield f"{what}: " + ", ".join(f"{counts[state]} {state}" for state in sorted(counts))


def program_status(
    now: Program | None, before: Program | None, reviewed: Mapping[str, date]
) -> ProgramStatus:
    """Return how a program stands beside an earlier edition of it; one of the two may lack it.

    Args:
        now: The program in the later edition.
        before: The program in the earlier one.
        reviewed: The programs whose text was read again for the later one and found unchanged,
            with the day.
    """
    if now is None:
        assert before is not None
        return ProgramStatus(before.name, "ended", "ended", notes=tuple(notes_of(before)))
    source = now.sources
    if source is not None and source.year != now.edition:
        source = None  # That of an earlier year is no look.
    read = (source.read if source else None) or reviewed.get(now.name)
    known = ProgramStatus(
        now.name,
        "new",
        "new",
        source=source.list if source else "",
        copy=source.copy if source else "",
        read=read,
        notes=tuple(notes_of(now)),
    )
    if before is None:
        return known
    changed = changed_parts(before, now)
    stale = [
        entry
        for name, entry in now.thresholds.entries.items()
        if name not in changed and entry.since <= before.edition
    ]
    if {"text", "rule"} & set(changed):
        text = "changed"
    elif read is None:
        text = "not read"
    else:
        is_unchanged = now.name in reviewed or bool(source and source.is_unchanged)
        text = "unchanged" if is_unchanged else "read"
    if set(changed) - {"text", "rule"}:
        values = "changed"
    elif not now.thresholds.entries:
        values = "none"
    else:
        values = "not looked at" if stale else "re-verified"
    return replace(
        known,
        text=text,
        values=values,
        changed=changed,
        stale=tuple(entry.name for entry in stale),
        since=max((entry.since for entry in stale), default=None),
    )


def changed_parts(before: Program, now: Program) -> tuple[str, ...]:
    """Return what differs between a program's editions: thresholds, then `text`, then `rule`.

    Text and rule differ when a switch does, or when the folder holds a later file for them; other
    values inside do not count.
    """
    old, new = (
        {name: (entry.unit, entry.value) for name, entry in program.thresholds.entries.items()}
        for program in (before, now)
    )
    changed = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    is_switched = before.thresholds.switches() != now.thresholds.switches()
    if is_switched or before.requirements_path != now.requirements_path:
        changed.append("text")
    if is_switched or before.checker_path != now.checker_path:
        changed.append("rule")
    return tuple(changed)


def amounts_by_size(year: int) -> list[tuple[str, str, str, int | float, str, str]]:
    """Return each amount by household size of an edition: which guideline's, and the day verified.

    Program, threshold, the share of a shared table (empty where the amounts are stated one by
    one), the amount of the smallest size, the day, the source.
    """
    return [
        (
            name,
            entry.name,
            entry.share,
            entry.value[min(entry.value.rows)],
            str(entry.verified),
            entry.source,
        )
        for name, program in sorted(programs_in_force(year).items())
        for entry in program.thresholds.entries.values()
        if isinstance(entry.value, SizeTable)
    ]


def notes_of(program: Program) -> list[str]:
    """Return the notes on a program's values and source, and its omissions, one line each."""
    entries = program.thresholds.entries.values()
    remarks = [f"ended: {program.ended}"] if program.ended else []
    remarks += [f"{entry.name}: {entry.note}" for entry in entries if entry.note]
    text = program.sources
    if text is not None:
        remarks += [f"source: {text.note}"] if text.note else []
        remarks += [f"left out ({omission.type}): {omission.says}" for omission in text.omissions]
    return remarks
