"""How far a year has come: what changed, what was seen unchanged, what nobody looked at."""

from collections.abc import Container
from dataclasses import dataclass
from datetime import date

from benyfits_data.editions import Program, Record
from benyfits_data.editions.edition import programs_in_force
from benyfits_data.editions.switches import switches_of


@dataclass(frozen=True)
class ProgramStatus:
    """How one program stands in an edition, compared with an earlier one.

    Attributes:
        program: The program.
        state: `new`, `ended`, `changed`, `re-verified` or `not looked at`.
        changed: Thresholds whose value differs, and `text` or `rule` where the folder holds others.
        stale: Thresholds inherited without a look.
        since: The day of the oldest look at anything stale; `None` if nothing is stale or no day
            was ever noted.
    """

    program: str
    state: str
    changed: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    since: date | None = None

    def __str__(self) -> str:
        names = ", ".join(self.stale)
        if self.state == "changed":
            told = f"changed: {', '.join(self.changed)}"
            return f"{told}; not looked at since {self.since}: {names}" if names else told
        if self.state == "not looked at":
            told = f"not looked at since {self.since or 'the text was written'}"
            return f"{told}: {names}" if names else told
        return {"re-verified": "re-verified, unchanged"}.get(self.state, self.state)


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
    now: Program | None, before: Program | None, reviewed: Container[str]
) -> ProgramStatus:
    """Return how a program stands beside an earlier edition of it; one of the two may lack it.

    Args:
        now: The program in the later edition.
        before: The program in the earlier one.
        reviewed: The programs whose text was read again for the later one.
    """
    if before is None:
        assert now is not None
        return ProgramStatus(now.name, "new")
    if now is None:
        return ProgramStatus(before.name, "ended")
    changed = changed_parts(before, now)
    same = [now.thresholds.entry(name) for name in now.thresholds.names() if name not in changed]
    stale = [it for it in same if it.since <= before.edition]
    if changed:
        state = "changed"
    else:
        is_seen = now.name in reviewed or (same and not stale)
        state = "re-verified" if is_seen else "not looked at"
    since = min((it.verified for it in stale), default=None)
    return ProgramStatus(now.name, state, changed, tuple(it.name for it in stale), since)


def changed_parts(before: Program, now: Program) -> tuple[str, ...]:
    """Return what differs between a program's editions: thresholds, then `text`, then `rule`.

    Text and rule differ when a switch does, or when the folder holds a later file for them; other
    values inside do not count.
    """
    names = dict.fromkeys([*before.thresholds.names(), *now.thresholds.names()])
    changed = [name for name in names if _value(before, name) != _value(now, name)]
    is_switched = switches_of(before.thresholds) != switches_of(now.thresholds)
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
