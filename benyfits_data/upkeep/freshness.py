"""How far a year has come: what changed, what was seen unchanged, what nobody looked at."""

from dataclasses import dataclass
from datetime import date

from benyfits_data.editions import Program, Record
from benyfits_data.editions.edition import programs_in_force
from benyfits_data.editions.switches import switches_of
from benyfits_data.upkeep.stated_values import program_values


@dataclass(frozen=True)
class ProgramStatus:
    """How one program stands in an edition, compared with the edition it inherits from.

    Attributes:
        program: The program.
        state: `new`, `ended`, `changed`, `re-verified` or `not looked at`.
        changed: Thresholds whose value differs, and `text` or `rule` where the folder holds others.
        verified: Thresholds stated again with the same value.
        stale: Thresholds inherited without a look.
        since: The day of the oldest look at anything stale; `None` if nothing is stale or no day
            was ever noted.
    """

    program: str
    state: str
    changed: tuple[str, ...]
    verified: tuple[str, ...]
    stale: tuple[str, ...]
    since: date | None

    def __str__(self) -> str:
        if self.state == "changed":
            told = f"changed: {', '.join(self.changed)}"
            if self.stale:
                told += f"; not looked at since {self.since}: {', '.join(self.stale)}"
            return told
        if self.state == "not looked at":
            told = f"not looked at since {self.since or 'the text was written'}"
            names = ", ".join(self.stale)
            return f"{told}: {names}" if names else told
        return {"re-verified": "re-verified, unchanged"}.get(self.state, self.state)


def edition_status(record: Record) -> list[ProgramStatus]:
    """Return the status of every program of an edition, and of those that ended before it.

    The first edition inherits nothing: each of its programs is new.
    """
    now = programs_in_force(record.year)
    before: dict[str, Program] = {}
    if record.inherits_from is not None:
        before = programs_in_force(record.inherits_from)
    return [
        _status(now.get(name), before.get(name), record)
        for name in sorted(now.keys() | before.keys())
    ]


def _status(now: Program | None, before: Program | None, record: Record) -> ProgramStatus:
    if now is None or before is None:
        known = now or before
        assert known is not None
        return ProgramStatus(known.name, "ended" if now is None else "new", (), (), (), None)
    changed = changed_parts(before, now)
    verified, stale, days = [], [], []
    for it in program_values(now):
        if it.threshold in changed:
            continue
        if it.since == record.year:
            verified.append(it.threshold)
        else:
            stale.append(it.threshold)
            days.append(it.verified)
    if changed:
        state = "changed"
    elif now.name in record.reviewed or (verified and not stale):
        state = "re-verified"
    else:
        state = "not looked at"
    return ProgramStatus(
        now.name, state, changed, tuple(verified), tuple(stale), min(days, default=None)
    )


def changed_parts(before: Program, now: Program) -> tuple[str, ...]:
    """Return what differs between a program's editions: thresholds, then `text`, then `rule`.

    Text and rule differ when a switch does, or when the folder holds a later file for them; other
    values inside do not count.
    """
    names = list(dict.fromkeys([*before.thresholds.names(), *now.thresholds.names()]))
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
