"""How much of a coming edition has been reviewed: of each program the text, and the values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from benyfits_data.editions import Program, Record
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


def program_status(
    now: Program | None, before: Program | None, reviewed: Mapping[str, object]
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
    is_of_year = source is not None and source.year == now.edition
    day = source.read if source and is_of_year else None
    reviewed_on = reviewed.get(now.name)
    read = day or (reviewed_on if isinstance(reviewed_on, date) else None)
    known = ProgramStatus(
        now.name,
        "new",
        "new",
        source=source.list if source and is_of_year else "",
        copy=source.copy if source and is_of_year else "",
        read=read,
        notes=tuple(notes_of(now)),
    )
    if before is None:
        return known
    changed = changed_parts(before, now)
    same = [now.thresholds.entry(name) for name in now.thresholds.names() if name not in changed]
    stale = [entry for entry in same if entry.since <= before.edition]
    is_unchanged = now.name in reviewed or bool(source and is_of_year and source.is_unchanged)
    if "text" in changed or "rule" in changed:
        text = "changed"
    elif read is None:
        text = "not read"
    else:
        text = "unchanged" if is_unchanged else "read"
    if any(name not in ("text", "rule") for name in changed):
        values = "changed"
    elif not now.thresholds.names():
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
    names = dict.fromkeys([*before.thresholds.names(), *now.thresholds.names()])
    changed = [name for name in names if _value(before, name) != _value(now, name)]
    is_switched = before.thresholds.switches() != now.thresholds.switches()
    if is_switched or before.requirements_path != now.requirements_path:
        changed.append("text")
    if is_switched or before.checker_path != now.checker_path:
        changed.append("rule")
    return tuple(changed)


def _value(program: Program, name: str) -> object:
    if name not in program.thresholds.names():
        return None
    entry = program.thresholds.entry(name)
    return entry.unit, entry.value


def source_lines(program: Program) -> Iterator[str]:
    """Yield how far to trust a program's text, its source, note, places and omissions, by line."""
    text = program.sources
    if text is None:
        return
    yield f"\nHow far to trust this text: {text.trust(program.edition, len(program.readings))}"
    number = f"; program {text.program_id}" if text.program_id else ""
    yield f"text of {text.year}: {text.list}{number}"
    if text.note:
        yield f"  Note: {text.note}"
    for claim in text.claims:
        quoted = f' "{claim.phrase}"' if claim.phrase else ""
        of = f" of {claim.source}" if claim.source else ""
        word = "clause" if len(claim.clauses) == 1 else "clauses"
        yield f"  {word} {', '.join(claim.clauses)}: {claim.place}{of}{quoted}"
    for omission in text.omissions:
        yield f"  left out ({omission.type}), {omission.place}: {omission.says}"


def notes_of(program: Program) -> list[str]:
    """Return the notes on a program's values and source, and its omissions, one line each."""
    entries = [program.thresholds.entry(name) for name in program.thresholds.names()]
    remarks = [f"ended: {program.ended}"] if program.ended else []
    remarks += [f"{entry.name}: {entry.note}" for entry in entries if entry.note]
    text = program.sources
    if text is not None:
        remarks += [f"source: {text.note}"] if text.note else []
        remarks += [f"left out ({omission.type}): {omission.says}" for omission in text.omissions]
    return remarks
