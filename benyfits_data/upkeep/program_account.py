"""All that is known of a program: text, values, sources, the lines that decide, open questions."""

from collections.abc import Iterator
from typing import Any

from benyfits_data.editions import Program, SizeTable
from benyfits_data.editions.switches import lines_off
from benyfits_data.language.source import Source

_HEAD = ("name", "title", "agency", "level", "category", "unit", "edition", "ended")


class ProgramAccount:
    """All that is known of a program of an edition.

    Attributes:
        program: The program.
        decisions: The lines that decide each clause.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.decisions: dict[str, list[int]] = {clause: [] for clause in program.clauses}
        # First: it says what is wrong with a file that holds no checker.
        for line, clauses in Source.of(program.checker).decisions.items():
            for clause in clauses:  # `programs lint` names those that the text does not have.
                self.decisions.setdefault(clause, []).append(line)
        self._values = list(program.thresholds.entries.values())
        self._off = lines_off(program.checker)

    def lines(self) -> Iterator[str]:
        """Yield it in words."""
        program = self.program
        yield f"{program.title} ({program.name}), edition {program.edition}"
        yield f"{program.agency}; {program.level}; {program.category}; unit: {program.unit}\n"
        if program.ended:
            yield f"Ended: {program.ended}.\n"
        yield program.requirements()
        for entry in self._values:
            value = "" if isinstance(entry.value, SizeTable) else f" = {entry.value}"
            seen = f"set in {entry.since}, verified {entry.verified}"
            yield f"{entry.name}{value} ({entry.unit}): {seen}\n  {entry.source}"
            if entry.note:
                yield f"  Note: {entry.note}"
        yield from source_lines(program)
        yield f"\n{program.checker_path}"
        for clause, lines in self.decisions.items():
            if lines:
                yield f"clause {clause}: line {', '.join(map(str, lines))}"
        if self._off:
            switches = program.thresholds.switches().items()
            states = ", ".join(f"{switch} {'on' if on else 'off'}" for switch, on in switches)
            yield f"off in {program.edition} ({states}): line {', '.join(map(str, self._off))}"
        for reading in program.readings:
            others = ", ".join(option.id for option in reading.others)
            yield f"reading {reading.id}: {reading.question} {reading.in_force}, not {others}"
            yield f"  {reading.why} {reading.standing}"

    def as_json(self) -> dict[str, Any]:
        """Return it for machines."""
        program = self.program
        return {key: getattr(program, key) for key in _HEAD} | {
            "requirements": program.requirements(),
            "checker": program.checker_path,
            "thresholds": self._values,
            "lines": self.decisions,
            "off": self._off,
            "source": program.sources,
            "readings": program.readings,
            "plain": program.plain() if program.plain_path else None,
        }


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
