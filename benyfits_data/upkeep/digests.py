"""Digests of editions: whether anything that a program is read by ever changed."""

import ast
import hashlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

from benyfits_data.editions import (
    Edition,
    Program,
    Reading,
    SizeTable,
    load_edition,
    load_register,
)
from benyfits_data.editions.thresholds import Value
from benyfits_data.editions.toml_file import read_toml
from benyfits_data.editions.workspace import shared_path
from benyfits_data.errors import PublishedEditionError
from benyfits_data.language.source import Source
from benyfits_data.upkeep.stated_values import print_value

PARTS = ("text", "plain", "rule", "values", "readings", "sources", "places")
_LENGTH = 16


@dataclass(frozen=True, order=True)
class Difference:
    """One program of a published edition that is not as it was published.

    Attributes:
        year: The edition.
        program: The program.
        parts: Which of `PARTS` differ; `gone` or `new` for whole programs.
    """

    year: int
    program: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return f"edition {self.year}: {self.program}: {', '.join(self.parts)}"


def digests_path(year: int) -> Path:
    """Return the file that holds the digests of an edition's programs."""
    return shared_path(f"digests/{year}.toml")


def program_digests(program: Program) -> dict[str, str]:
    """Return the digest of each part of a program in its edition.

    The text is what people read, with the program's title and the like. The rule is the checker
    and every measure it calls, without comments and layout but with the clauses that its lines
    name. Readings are what they ask and answer, whether they are scored, and the lines that only
    another option runs. Places are those of clauses in the source, and omissions.
    Line ends, comments in TOML files, notes and days of verification do not count, nor do
    switches, which show in the text and the rule that they leave.
    """
    entries = [program.thresholds.entry(name) for name in program.thresholds.names()]
    entries = [entry for entry in entries if not isinstance(entry.value, bool)]
    about = (program.name, program.title, program.agency, program.level, program.category)
    return {
        "text": _digest([*about, program.unit, program.requirements()]),
        "plain": _digest([program.plain()]),
        "rule": _digest(rule_text(program.checker)),
        "values": _digest(
            f"{entry.name} {entry.unit} {_printed(entry.value)}" for entry in entries
        ),
        "readings": _digest(
            text for reading in program.readings for text in _read(program, reading)
        ),
        "sources": _digest(f"{entry.name} {entry.source}" for entry in entries),
        "places": _digest(_places(program)),
    }


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


def rule_text(function: Callable[..., Any]) -> list[str]:
    """Return a function of the checker language and all it reaches, in one form for every Python.

    `ast.dump` differs between versions of Python, the unparsed text of this small language not.
    """
    waiting: list[Callable[..., Any]] = [function]
    texts: dict[str, str] = {}
    while waiting:
        source = Source.of(waiting.pop())
        if source.name in texts:
            continue
        lines = [ast.unparse(statement) for statement in source.statements]
        lines += [f"# {','.join(clauses)}" for clauses in source.decisions.values()]
        lines += _constants(source)
        texts[source.name] = "\n".join([ast.unparse(source.node.args), *lines])
        waiting += [called for called in source.calls if isinstance(called, FunctionType)]
    return [f"{name}: {text}" for name, text in sorted(texts.items())]


def _constants(source: Source) -> list[str]:
    space = inspect.unwrap(source.function).__globals__
    names = {
        node.id
        for statement in source.statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    return [
        f"{name}={space[name]!r}"
        for name in sorted(names)
        if isinstance(space.get(name), bool | int | float | str)
    ]


def _printed(value: Value) -> str:
    if not isinstance(value, SizeTable):
        return print_value(value)
    rows = " ".join(f"{size}:{value.rows[size]}" for size in sorted(value.rows))
    return f"{rows} more:{value.each_additional}"


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:_LENGTH]


def edition_digests(edition: Edition) -> dict[str, dict[str, str]]:
    """Return the digests of all programs of an edition."""
    return {name: program_digests(program) for name, program in edition.programs.items()}


def whole_digest(digests: Mapping[str, Mapping[str, str]]) -> str:
    """Return the digest of an edition, from those of its programs."""
    return hashlib.sha256(print_digests(digests).encode()).hexdigest()


def print_digests(digests: Mapping[str, Mapping[str, str]]) -> str:
    """Return the digests of an edition's programs as TOML, one program a line."""
    lines = []
    for name in sorted(digests):
        parts = ", ".join(
            f'{part} = "{digests[name][part]}"' for part in PARTS if part in digests[name]
        )
        lines.append(f"{name} = {{ {parts} }}\n")
    return "".join(lines)


def find_differences(year: int) -> list[Difference]:
    """Return how an edition differs from what was published.

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
    if whole_digest(published) != record.digest:
        raise PublishedEditionError(
            f"{path} was edited by hand: it does not have the digest that editions.toml holds of "
            f"edition {year}. Take both files from version control.",
            year=year,
        )
    now = edition_digests(load_edition(year))
    differences = []
    for name in sorted(published.keys() | now.keys()):
        if name not in now or name not in published:
            parts: tuple[str, ...] = ("gone",) if name not in now else ("new",)
        else:
            held = published[name]
            parts = tuple(part for part in PARTS if part in held and now[name][part] != held[part])
        if parts:
            differences.append(Difference(year, name, parts))
    return differences
