"""A program's source, told to readers: where its text was read, notes, and what was left out."""

from collections.abc import Iterator

from benyfits_data.editions import Program


def source_lines(program: Program) -> Iterator[str]:
    """Yield the source of a program's text, its note, places and omissions, line by line."""
    text = program.sources
    if text is None:
        return
    told = [text.list, *([f"program {text.program_id}"] if text.program_id else [])]
    if text.copy:
        told.append(f"copy: {text.copy}")
    if text.read:
        told.append(f"read on {text.read}")
    yield f"text of {text.year}: {'; '.join(told)}"
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
    found = [f"ended: {program.ended}"] if program.ended else []
    found += [f"{entry.name}: {entry.note}" for entry in entries if entry.note]
    text = program.sources
    if text is not None:
        found += [f"source: {text.note}"] if text.note else []
        found += [f"left out ({it.type}): {it.says}" for it in text.omissions]
    return found
