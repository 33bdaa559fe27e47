"""Thresholds of a program: values by edition year, inherited until changed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from benyfits_data.editions.source_texts import SourceText, day_compared, load_source_texts
from benyfits_data.editions.toml_file import check_table, is_in_force, latest, malformed, read_toml
from benyfits_data.editions.workspace import shared_path
from benyfits_data.errors import ThresholdNotFoundError

Amount = int | float

ROUNDINGS = {"down": ROUND_FLOOR, "nearest": ROUND_HALF_UP, "up": ROUND_CEILING}
_HEAD_TYPES = {"unit": str, "until": int, "only_in_text": str, "unseen": str}
_KINDS: dict[str, dict[str, type]] = {
    "value": {"value": object},
    "by_size": {"by_size": dict, "each_additional": object},
    "percent_of": {
        "percent_of": str,
        "year": int,
        "percent": object,
        "rounding": str,
        "sizes": list,
    },
}
"""The keys of each kind of value, by the one that names the kind."""
_NEEDED_OF = {
    "value": ("value",),
    "by_size": ("by_size",),
    "percent_of": ("percent_of", "year", "percent"),
}
EVIDENCE = {"source": str, "verified": object, "note": str}


@dataclass(frozen=True)
class SizeTable:
    """Amounts by number of people.

    Attributes:
        name: The threshold's name, for messages.
        rows: Amount of each listed size, in whole numbers or, where printed so, in cents.
        each_additional: What every person above the largest listed size adds; `None` if nothing
            is printed.
    """

    name: str
    rows: Mapping[int, Amount]
    each_additional: Amount | None

    def __getitem__(self, size: int) -> Amount:
        """Return the amount for a number of people.

        Raises:
            ThresholdNotFoundError: The table has no row and no rule for this size.
        """
        if size in self.rows:
            return self.rows[size]
        largest = max(self.rows)
        if size < largest or self.each_additional is None:
            raise ThresholdNotFoundError(
                f"{self.name} is asked for size {size}, but the table lists sizes {min(self.rows)} "
                f"to {largest}. Add a row, or 'each_additional' as in the other size tables.",
                threshold=self.name,
                size=size,
            )
        return self.rows[largest] + (size - largest) * self.each_additional


Value = int | float | bool | date | SizeTable


@dataclass(frozen=True)
class Threshold:
    """One number or table of one program as it stands in one edition.

    Attributes:
        name: Its name in text and checker.
        unit: What it counts.
        value: The number, date or table.
        since: The edition year that set the value; earlier than the edition when inherited.
        source: Where the value was read.
        verified: The day it was last compared with its source.
        note: Why this value, where sources differ.
        only_in_text: Why the checker does not read it; empty when it does.
        table_year: The year of the shared table that it is a percentage of; `None` for others.
        share: That percentage in words, such as `150% of poverty_guideline 2026`; empty for others.
    """

    name: str
    unit: str
    value: Value
    since: int
    source: str
    verified: date
    note: str
    only_in_text: str
    table_year: int | None = field(default=None, kw_only=True)
    share: str = field(default="", kw_only=True)


class Thresholds:
    """The thresholds of one program in one edition; the value of each is an attribute.

    Attributes:
        entries: What `thresholds.toml` states, by name in its order.

    Args:
        program: Name of the program, for messages.
        edition: The year.
        entries: The thresholds by name.
        of_readings: What readings declare, mostly switches, and no source states.
    """

    def __init__(
        self,
        program: str,
        edition: int,
        entries: Mapping[str, Threshold],
        of_readings: Mapping[str, Value] = MappingProxyType({}),
    ) -> None:
        self._program = program
        self._edition = edition
        self.entries = dict(entries)
        self._of_readings = dict(of_readings)

    def __getattr__(self, name: str) -> Any:
        """Return the value of a threshold.

        Raises:
            ThresholdNotFoundError: The edition has no such threshold.
        """
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._of_readings:
            return self._of_readings[name]
        return self.entry(name).value

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Thresholds)
            and self.entries == other.entries
            and self._of_readings == other._of_readings
        )

    def __hash__(self) -> int:
        return hash((self._program, self._edition))

    def names(self) -> list[str]:
        """Return the names in order of declaration, without what readings declare."""
        return list(self.entries)

    def switches(self) -> dict[str, bool]:
        """Return the thresholds that are true or false by name, those of readings too."""
        values = {name: entry.value for name, entry in self.entries.items()} | self._of_readings
        return {name: value for name, value in values.items() if isinstance(value, bool)}

    def of_readings(self) -> list[str]:
        """Return the names of thresholds that only readings declare."""
        return list(self._of_readings)

    def entry(self, name: str) -> Threshold:
        """Return a threshold with its unit, source and date.

        Raises:
            ThresholdNotFoundError: The edition has no such threshold.
        """
        if name not in self.entries:
            raise ThresholdNotFoundError(
                f"{self._program} asks for {name!r} in edition {self._edition}, but "
                f"thresholds.toml has {', '.join(self.entries) or 'no thresholds'}. Add it there.",
                program=self._program,
                threshold=name,
                edition=self._edition,
            )
        return self.entries[name]

    def with_values(self, values: Mapping[str, Value]) -> "Thresholds":
        """Return a copy in which some thresholds have other values."""
        entries, of_readings = dict(self.entries), dict(self._of_readings)
        for name, value in values.items():
            if name in of_readings:
                of_readings[name] = value
            else:
                entries[name] = replace(self.entry(name), value=value)
        return Thresholds(self._program, self._edition, entries, of_readings)

    def with_readings(self, of_readings: Mapping[str, Value]) -> "Thresholds":
        """Return a copy that also has the thresholds that readings declare."""
        return Thresholds(self._program, self._edition, self.entries, of_readings)


def load_thresholds(path: Path, program: str, edition: int) -> Thresholds:
    """Return the thresholds of a program folder as they stand in one edition.

    Raises:
        ProgramFolderError: The file is malformed, holds an unknown key, or a value lacks unit,
            source or date.
    """
    texts = load_source_texts(path.with_name("sources.toml"))
    entries = {}
    for name, declared in read_toml(path).items():
        year = latest(_check_declared(path, name, declared, texts), edition)
        if year and is_in_force(None, declared.get("until"), edition):
            entries[name] = read_threshold(name, declared, year, texts)
    return Thresholds(program, edition, entries)


def statement_of(declared: Mapping[str, Any], year: int) -> Mapping[str, Any]:
    """Return what a threshold states for a year: `2024 = 18` is short for `value = 18` under it."""
    stated = declared[str(year)]
    return stated if isinstance(stated, dict) else {"value": stated}


def _check_declared(
    path: Path, name: str, declared: Any, texts: Mapping[int, SourceText]
) -> list[int]:
    """Return the years for which a threshold states a value, each checked for its keys."""
    if not isinstance(declared, dict):
        raise malformed(
            path, f"{name} is {declared!r}, expected a table such as [{name}] with a unit."
        )
    head = {key: part for key, part in declared.items() if not key.isdecimal()}
    check_table(path, name, head, _HEAD_TYPES, ("unit",))
    years = [int(key) for key in declared if key.isdecimal()]
    for year in years:
        stated = statement_of(declared, year)
        kind = next((part for part in _KINDS if part in stated), None)
        if kind is None:
            raise malformed(
                path,
                f"{name}.{year} states neither 'value' nor 'by_size' nor 'percent_of'. Add one.",
            )
        check_table(path, f"{name}.{year}", stated, _KINDS[kind] | EVIDENCE, _NEEDED_OF[kind])
        if kind == "percent_of":
            _check_percentage(path, f"{name}.{year}", stated)
        evidence = _evidence(stated, texts.get(year))
        if missing := [key for key in ("source", "verified") if evidence.get(key) is None]:
            raise malformed(
                path,
                f"{name}.{year} lacks {', '.join(missing)}, and sources.toml does not say in "
                f"which text of {year} it stands. Add it to one of them.",
            )
    return years


def _check_percentage(path: Path, where: str, stated: Mapping[str, Any]) -> None:
    rounding, sizes = stated.get("rounding", "nearest"), stated.get("sizes", [1, 1])
    if not re.fullmatch(r"down|nearest|up|cents|up [1-9]\d*", rounding):
        expected = f"{', '.join(ROUNDINGS)}, cents or up 50"
        raise malformed(path, f"{where}: rounding is {rounding!r}, expected {expected}.")
    if [type(size) for size in sizes] != [int, int] or not 1 <= sizes[0] <= sizes[1]:
        raise malformed(path, f"{where}: sizes is {sizes!r}, expected the first and the last.")


def _evidence(stated: Mapping[str, Any], text: SourceText | None) -> Mapping[str, Any]:
    """Return source and day of a value; one that names no source stands in the program's text."""
    if "source" in stated or text is None:
        return stated
    day = stated.get("verified", day_compared(text))
    return {"source": f"Text of the program in {text.list}", "verified": day}


def read_threshold(
    name: str,
    declared: Mapping[str, Any],
    year: int,
    texts: Mapping[int, SourceText] = MappingProxyType({}),
) -> Threshold:
    """Return what a checked table states for a year, with what it says of all years.

    Args:
        name: The threshold.
        declared: Its table.
        year: A year of it.
        texts: The texts by year in which values stand that name no source.
    """
    stated = statement_of(declared, year)
    evidence = _evidence(stated, texts.get(year))
    return Threshold(
        name=name,
        unit=declared["unit"],
        value=_value(name, stated),
        since=year,
        source=evidence["source"],
        verified=evidence["verified"],
        note=stated.get("note", ""),
        only_in_text=declared.get("only_in_text", ""),
        table_year=stated.get("year"),
        share="{percent}% of {percent_of} {year}".format(**stated) if "percent" in stated else "",
    )


def _value(name: str, stated: Mapping[str, Any]) -> Value:
    if "value" in stated:
        value: Value = stated["value"]
        return value
    if "by_size" in stated:
        return _size_table(name, stated)
    return percent_table(name, shared_table(stated["percent_of"], stated["year"]), stated)


def parse_value(path: Path, where: str, name: str, stated: Any) -> Value:
    """Return a value stated outside `thresholds.toml`: plain, or a table as it is stated there.

    Raises:
        ProgramFolderError: It is a table that states no amounts.
    """
    if not isinstance(stated, dict):
        if isinstance(stated, bool | int | float | date):
            return stated
        expected = "a number, a date, true or false, or a table by size"
        raise malformed(path, f"{where}: {name} is {stated!r}, expected {expected}. Correct it.")
    kind = "by_size" if "by_size" in stated else "percent_of"
    check_table(path, f"{where}: {name}", stated, _KINDS[kind], _NEEDED_OF[kind])
    return _value(name, stated)


def _size_table(name: str, stated: Mapping[str, Any]) -> SizeTable:
    rows = {int(size): amount for size, amount in stated["by_size"].items()}
    return SizeTable(name, rows, stated.get("each_additional"))


def percent_table(name: str, base: SizeTable, stated: Mapping[str, Any]) -> SizeTable:
    """Return a percentage of a shared table.

    Args:
        name: The threshold's name.
        base: The shared table.
        stated: `percent`, and where given `rounding` and `sizes`, as in thresholds.toml.
    """
    percent, rounding = stated["percent"], stated.get("rounding", "nearest")
    first, last = stated.get("sizes", [min(base.rows), max(base.rows)])
    rows = {size: _share(base[size], percent, rounding) for size in range(first, last + 1)}
    additional = base.each_additional
    return SizeTable(
        name, rows, None if additional is None else _share(additional, percent, rounding)
    )


def _share(amount: Amount, percent: Amount, rounding: str) -> Amount:
    exact = Decimal(str(amount)) * Decimal(str(percent)) / 100
    if rounding == "cents":
        return float(exact.quantize(Decimal("0.01"), ROUND_HALF_UP))
    if rounding.startswith("up "):
        step = Decimal(rounding.removeprefix("up "))
        return int((exact / step).to_integral_value(ROUND_CEILING) * step)
    return int(exact.to_integral_value(ROUNDINGS[rounding]))


def shared_table(name: str, year: int) -> SizeTable:
    """Return a table that many programs use, such as `poverty_guideline`, for one year.

    Raises:
        ThresholdNotFoundError: There is no such table, or not for that year.
    """
    return _shared_table(shared_path(f"{name}.toml"), name, year)


@cache
def _shared_table(path: Path, name: str, year: int) -> SizeTable:
    years = read_toml(path) if path.exists() else {}
    if str(year) not in years:
        raise ThresholdNotFoundError(
            f"A threshold is a percentage of {name} of {year}, but checkers/shared has "
            f"{', '.join(key for key in years if key.isdecimal()) or 'no such table'}. "
            "Add the year.",
            table=name,
            year=year,
        )
    stated = years[str(year)]
    check_table(path, f"[{year}]", stated, _KINDS["by_size"] | EVIDENCE, ("by_size", "source"))
    return _size_table(f"{name} of {year}", stated)
