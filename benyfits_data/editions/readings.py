"""Readings: what a program's source leaves open, the options, and the one in force.

Every option is executable: it gives values to thresholds of the program, so that the same checker
answers under each of them. What the option in force sets and no source states, mostly a switch, is
a threshold that the readings declare.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benyfits_data.editions.thresholds import Thresholds, Value, parse_value
from benyfits_data.editions.toml_file import (
    check_choice,
    is_in_force,
    latest,
    malformed,
    read_as,
    read_toml,
)
from benyfits_data.errors import ProgramFolderError
from benyfits_data.spelling import suggest

CONTESTED = (
    "A set asks for a contested label only where no other household will do, and scores it like "
    "any other; `results --all` prints F1 without contested labels too."
)
"""Why a label is scored although another answer to an open question would change it."""

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class Option:
    """One answer to an open question.

    Attributes:
        id: Its name in the reading.
        says: The answer in one sentence.
        values: The thresholds it sets; what it does not set keeps the value in force.
    """

    id: str
    says: str
    values: Mapping[str, Value]


@dataclass(frozen=True)
class _StatedOption:
    """The table `option.ID` of the file."""

    says: str
    values: Mapping[str, Any] = field(default_factory=dict, metadata={"key": "set"})


@dataclass(frozen=True)
class _Stated:
    """A table of the file: it lists its options, or names those of a switch."""

    kind: Literal["ambiguous", "simplification"]
    question: str
    in_force: Any
    why: str
    scored: bool = True
    since: int | None = None
    until: int | None = None
    option: Mapping[str, Any] = field(default_factory=dict)
    switch: str = ""
    on: Mapping[str, str] = field(default_factory=dict)
    off: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Reading:
    """A question that a program's source leaves open in an edition.

    Attributes:
        id: Its name in the program.
        kind: `ambiguous`: the source may be read in several ways; `simplification`: the household
            model lacks a fact, and the option in force stands in for it.
        question: What is open.
        in_force: The id of the option that texts and labels follow.
        why: Why that one.
        is_scored: Whether labels that depend on it stand for sure; where not, they are contested.
        options: The answers, at least two.
    """

    id: str
    kind: str
    question: str
    in_force: str
    why: str
    is_scored: bool
    options: tuple[Option, ...]

    def option(self, name: str) -> Option:
        """Return an option by id.

        Raises:
            ProgramFolderError: There is none of that id.
        """
        named = next((option for option in self.options if option.id == name), None)
        if named is None:
            known = ", ".join(option.id for option in self.options)
            raise ProgramFolderError(
                f"The reading {self.id} has no option {name!r}; it has {known}. Name one of them.",
                reading=self.id,
                option=name,
            )
        return named

    @property
    def standing(self) -> str:
        """Whether labels that depend on it are contested, and what that means."""
        if self.is_scored:
            return (
                "Labels that depend on this count, since the requirement text says how it is "
                "decided; the city may decide otherwise."
            )
        return f"Labels that depend on this are contested. {CONTESTED}"

    @property
    def others(self) -> tuple[Option, ...]:
        """The options that are not in force."""
        return tuple(option for option in self.options if option.id != self.in_force)


def load_readings(
    folder: Path, stated: Thresholds, edition: int
) -> tuple[tuple[Reading, ...], Thresholds]:
    """Return the readings that are open in an edition, and its thresholds with what they declare.

    A reading of other years leaves nothing open in the edition; its option in force gives the
    thresholds that it declares their values all the same.

    Args:
        folder: The program folder; without `readings.toml` nothing is open.
        stated: What `thresholds.toml` states.
        edition: The year.

    Raises:
        ProgramFolderError: The file is malformed, names what does not exist, or its option in force
            differs from what the edition states.
    """
    path = folder / "readings.toml"
    if not path.exists():
        return (), stated
    readings: list[Reading] = []
    declared: dict[str, Value] = {}
    for reading_id, table in read_toml(path).items():
        where = f"reading {reading_id!r}"
        reading = _reading(path, where, reading_id, table, edition)
        is_open = is_in_force(table.get("since"), table.get("until"), edition)
        if is_open:
            readings.append(reading)
        for name, value in _declared(where, path, reading, stated, is_open):
            if not _is_same(declared.setdefault(name, value), value):
                raise malformed(
                    path,
                    f"{where}: its option in force sets {name} = {value!r}, another reading's "
                    f"{declared[name]!r}. Use two thresholds, or one value in force.",
                )
    thresholds = stated.with_readings(declared)
    _check_names(path, readings, thresholds, edition)
    return tuple(readings), thresholds


def _reading(path: Path, where: str, reading_id: str, table: Any, edition: int) -> Reading:
    stated = read_as(_Stated, path, where, table)
    options = tuple(_options(path, where, stated, table))
    if stated.switch and stated.option:
        raise malformed(path, f"{where} has a switch and options. State one of them.")
    ids = [option.id for option in options]
    for name in (reading_id, *ids):
        if not _ID.fullmatch(name):
            raise malformed(
                path, f"{where}: {name!r} is no id. Write small letters, digits and hyphens."
            )
    if len(ids) < 2 or len(ids) > len(set(ids)):
        raise malformed(
            path,
            f"{where} has the options {', '.join(ids) or 'of none'}. Give two or more, each with "
            "an id of its own.",
        )
    in_force = _in_force(path, where, stated.in_force, edition)
    check_choice(path, where, "in_force", in_force, ids)
    return Reading(
        id=reading_id,
        kind=stated.kind,
        question=stated.question,
        in_force=in_force,
        why=stated.why,
        is_scored=stated.scored,
        options=options,
    )


def _options(path: Path, where: str, stated: _Stated, keys: Iterable[str]) -> Iterator[Option]:
    """Yield the options, those of a switch in the order of the file's keys `on` and `off`."""
    for name, table in stated.option.items():
        here = f"{where}, option {name}"
        option = read_as(_StatedOption, path, here, table)
        values = {key: parse_value(path, here, key, each) for key, each in option.values.items()}
        yield Option(name, option.says, values)
    for state in keys:
        for name, says in getattr(stated, state).items() if state in ("on", "off") else ():
            yield Option(name, says, {stated.switch: state == "on"})


def _in_force(path: Path, where: str, stated: Any, edition: int) -> Any:
    """Return the option in force in an edition, where a table tells it by year the latest one."""
    if not isinstance(stated, dict):
        return stated
    if not stated or not all(year.isdecimal() for year in stated):
        raise malformed(
            path,
            f"{where}: in_force is {stated!r}. Write an option's id, or a table of years and ids: "
            '{ 2024 = "yes", 2026 = "no" }.',
        )
    return stated[str(latest(stated, edition) or min(map(int, stated)))]


def _declared(
    where: str, path: Path, reading: Reading, stated: Thresholds, is_open: bool
) -> Iterator[tuple[str, Value]]:
    """Yield the thresholds that only the reading's options set, which no source states.

    A number that only other options need has the value of the first of them.
    """
    for name, value in reading.option(reading.in_force).values.items():
        if name not in stated.names():
            yield name, value
        elif is_open and not _is_same(value, getattr(stated, name)):
            raise malformed(
                path,
                f"{where}: its option in force, {reading.in_force}, sets {name} = {value!r}, but "
                f"thresholds.toml states {getattr(stated, name)!r}. Correct one of them, or leave "
                "it out: an option keeps what it does not set.",
            )
    known = {*stated.names(), *reading.option(reading.in_force).values}
    others = [item for option in reversed(reading.others) for item in option.values.items()]
    for name, value in dict(others).items():
        if name not in known and not isinstance(value, bool):
            yield name, value


def _check_names(
    path: Path, readings: Sequence[Reading], thresholds: Thresholds, edition: int
) -> None:
    known = [*thresholds.names(), *thresholds.of_readings()]
    for reading in readings:
        for option in reading.options:
            for name, value in option.values.items():
                where = f"reading {reading.id!r}, option {option.id}: {name} = {value!r}"
                if name not in known:
                    hint = suggest(name, known, f"Known are {known}.")
                    raise malformed(
                        path,
                        f"{where}, which is no threshold of edition {edition}. {hint} A switch "
                        "that only a reading declares stands in its option in force too.",
                    )
                old = getattr(thresholds, name)
                if _kind(value) is not _kind(old):
                    says = f"but in force it is {old!r}. Give it a value of the same kind."
                    raise malformed(path, f"{where}, {says}")


def _is_same(value: Value, other: Value) -> bool:
    return _kind(value) is _kind(other) and value == other


def _kind(value: Value) -> type:
    """Return the type of a value; whole and decimal numbers are of one kind."""
    return float if type(value) is int else type(value)
