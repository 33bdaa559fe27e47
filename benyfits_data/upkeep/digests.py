"""Digests of editions: whether anything that a program is read by ever changed."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from benyfits_data.editions import (
    Edition,
    Program,
    Reading,
    SizeTable,
    load_edition,
    load_register,
)
from benyfits_data.editions.thresholds import Value
from benyfits_data.editions.toml_file import read_text, read_toml
from benyfits_data.editions.workspace import shared_path
from benyfits_data.errors import PublishedEditionError
from benyfits_data.language.source import rule_text
from benyfits_data.upkeep.stated_values import print_value

_LENGTH = 16


def digests_path(year: int) -> Path:
    """Return the file that holds the digests of an edition's programs."""
    return shared_path(f"digests/{year}.toml")


def program_digest(program: Program) -> str:
    """Return the digest of a program in its edition.

    It holds what people read, with the title and the like, and the short text; the checker and
    every measure it calls, without comments and layout but with the clauses that its lines name;
    values and their sources; what readings ask and answer, whether they are scored, and the lines
    that only another option runs; places of clauses in the source, and omissions.
    Line ends, comments in TOML files, notes and days of verification do not count, nor do
    switches, which show in the text and the rule that they leave.
    """
    stated = program.thresholds.entries.values()
    entries = [entry for entry in stated if not isinstance(entry.value, bool)]
    about = (program.name, program.title, program.agency, program.level, program.category)
    texts = [*about, program.unit, program.requirements(), program.plain()]
    texts += rule_text(program.checker)
    texts += [f"{entry.name} {entry.unit} {_printed(entry.value)}" for entry in entries]
    texts += [f"{entry.name} {entry.source}" for entry in entries]
    texts += [text for reading in program.readings for text in _read(program, reading)]
    texts += _places(program)
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:_LENGTH]


def _read(program: Program, reading: Reading) -> Iterator[str]:
    """Give all that a reading says and does."""
    yield f"{reading.id} {reading.kind} {reading.is_scored} {reading.question} {reading.why}"
    in_force = _lines(program)
    for option in reading.options:
        yield f"{option.id} {option.id == reading.in_force} {option.says}"
        yield from (f"{name} {_printed(value)}" for name, value in sorted(option.values.items()))
        other = program.under(reading.id, option.id)
        yield from (line for line in _lines(other) if line not in in_force)


def _lines(program: Program) -> list[str]:
    return [line for text in rule_text(program.checker) for line in text.splitlines()]


def _places(program: Program) -> Iterator[str]:
    """Give the places of clauses, what was left out, and terms of another meaning."""
    if text := program.sources:
        yield f"{text.list} {text.program_id}"
        yield from (repr(entry) for entry in (*text.claims, *text.omissions, *text.terms))


def _printed(value: Value) -> str:
    if not isinstance(value, SizeTable):
        return print_value(value)
    rows = " ".join(f"{size}:{value.rows[size]}" for size in sorted(value.rows))
    return f"{rows} more:{value.each_additional}"


def print_digests(edition: Edition) -> str:
    """Return the digests of an edition's programs as TOML, one program a line."""
    programs = sorted(edition.programs.items())
    return "".join(f'{name} = "{program_digest(program)}"\n' for name, program in programs)


def whole_digest(printed: str) -> str:
    """Return the digest of an edition, from those of its programs as they are printed."""
    return hashlib.sha256(printed.encode()).hexdigest()


def find_differences(year: int) -> dict[str, Literal["changed", "gone", "new"]]:
    """Return the programs of an edition that are not as published, and what happened to each.

    Raises:
        PublishedEditionError: The edition was never fixed, or its register and digests disagree.
    """
    path = digests_path(year)
    record = load_register()[year]
    if not record.digest or not path.exists():
        raise PublishedEditionError(
            f"Edition {year} has no digest yet. `benyfits-data editions publish {year}` fixes it.",
            year=year,
        )
    published = read_toml(path)
    if whole_digest(read_text(path)) != record.digest:
        raise PublishedEditionError(
            f"{path} was edited by hand: it does not have the digest that editions.toml holds of "
            f"edition {year}. Take both files from version control.",
            year=year,
        )
    now = read_toml(path, print_digests(load_edition(year)))
    return {
        name: "gone" if name not in now else "changed" if name in published else "new"
        for name in sorted(published.keys() | now.keys())
        if now.get(name) != published.get(name)
    }
