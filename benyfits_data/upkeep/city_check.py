"""The city's dataset "Benefits and Programs" (kvhd-5fmu) as downloaded, compared with an edition.

The names of its fields are those of the Socrata API: the data dictionary of its predecessor
(2j8u-wtju), listed on splitgraph.com, has `program_name` and the like; public programs that read
kvhd-5fmu also name `language`, `plain_language_program_name` and `plain_language_eligibility`,
whose texts hold HTML. Downloads as a table head their columns
with these names, or with those people read, `Program Name`.
"""

import csv
import html
import io
import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from benyfits_data.editions import Edition, Program, SizeTable
from benyfits_data.errors import DatasetFormatError
from benyfits_data.language.source import features_read
from benyfits_data.upkeep.numerals import Numeral, find_numerals
from benyfits_data.upkeep.stated_values import program_values

KINDS = (
    "changed value",
    "gone",
    "line gone",
    "line new",
    "renamed",
    "phrase no longer printed",
    "new",
    "number we lack",
    "no longer printed",
)
"""What can be found; first what most likely is a change."""
NAME, TEXT = "program_name", "plain_language_eligibility"
_ID = re.compile(r"\s*(P\d{3})(?:en)?\s*$")
"""The city's id of a program in English, in whatever column it stands."""
_SMALL_WORDS = frozenset(
    ("the", "of", "and", "for", "a", "an", "in", "to", "nyc", "ny", "nys", "new", "york", "program")
)
_ENGLISH = {"", "en", "eng", "english"}
_TAGS = (
    (re.compile(r"</?(?:p|div|[uo]l|li|table|tr|br|h[1-6])\b[^>]*>", re.IGNORECASE), "\n"),
    (re.compile(r"<t[dh]\b[^>]*>", re.IGNORECASE), " | "),
    (re.compile(r"<!--.*?-->|</?[a-z][^>]*>", re.IGNORECASE | re.DOTALL), ""),
)
"""What stands for each tag in plain text."""

_DAYS = {"days": 1.0, "weeks": 7.0, "months": 30.44, "years": 365.25}
_CLOSE = 0.25
_UNITS = {"dollars a year": "dollars", "dollars a month": "dollars", "hours a week": "hours"}
_KINDS_PRINTED = frozenset(
    {*_DAYS, "dollars", "percent", "date", "grade", "GPA", "hours", "credits"}
)
"""Kinds of numbers that are found in texts; counts of people and plain factors are not."""
# Amounts are printed in whole dollars: twelve rounded months are up to six dollars off a year.
_PERIODS = {1.0: 1.0, 12.0: 6.5, 1 / 12: 1.0, 52.0: 26.5, 1 / 52: 1.0}


class CityProgram(NamedTuple):
    """A program as the city describes it.

    Attributes:
        row: Its row in the file; the header is row 1.
        name: Its name.
        plain_name: What it does in a few words; may be empty.
        eligibility: Who may get it, as plain text.
        id: The city's id of it, such as `P013`; empty where the row has none.
    """

    row: int
    name: str
    plain_name: str
    eligibility: str
    id: str = ""


def read_listing(path: Path) -> list[CityProgram]:
    """Return the English rows of a download.

    Raises:
        DatasetFormatError: The file is no CSV, lacks a column, or has no English rows.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetFormatError(f"{path} cannot be read: {error}.", path=path) from error
    csv.field_size_limit(10_000_000)
    programs = []
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        fields = {
            re.sub(r"[^a-z0-9]+", "_", key.strip().lower()).strip("_"): (
                "" if value is None or value == "NULL" else str(value)
            )
            for key, value in row.items()
            if key is not None  # Cells beyond the header.
        }
        missing = [name for name in (NAME, TEXT) if name not in fields]
        if missing:
            raise DatasetFormatError(
                f"{path}: row {number} has no {' and no '.join(missing)}, but "
                f"{', '.join(sorted(fields))}. Download the dataset kvhd-5fmu as CSV.",
                path=path,
                row=number,
            )
        if fields.get("language", "").strip().lower() in _ENGLISH and fields[NAME].strip():
            programs.append(
                CityProgram(
                    number,
                    strip_tags(fields[NAME]).strip(),
                    strip_tags(fields.get("plain_language_program_name", "")).strip(),
                    strip_tags(fields[TEXT]),
                    next(
                        (match[1] for value in fields.values() if (match := _ID.match(value))), ""
                    ),
                )
            )
    if not programs:
        raise DatasetFormatError(f"{path} has no rows in English.", path=path)
    return programs


def strip_tags(text: str) -> str:
    """Return HTML as plain text: blocks on lines of their own, cells of tables between bars."""
    if _TAGS[0][0].search(text):
        text = " ".join(text.split())  # Lines of HTML are no lines of the page.
    for tag, instead in _TAGS:
        text = tag.sub(instead, text)
    text = html.unescape(text).replace("\xa0", " ").replace("\u200b", "")
    lines = (re.sub(r"[ \t]+", " ", line).strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


class Finding(NamedTuple):
    """One thing for a maintainer to look at.

    Attributes:
        kind: One of `KINDS`.
        program: Ours, or the city's name where we have none.
        says: What was found.
    """

    kind: str
    program: str
    says: str


def check_listing(
    edition: Edition, listing: Sequence[CityProgram], before: Sequence[CityProgram] = ()
) -> list[Finding]:
    """Return what differs between an edition and the city's list, in the order of `KINDS`.

    Args:
        edition: Ours.
        listing: The city's list.
        before: An earlier download of it, whose lines are compared; none unless given.
    """
    matches, earlier = match_programs(edition, listing), match_programs(edition, before)
    matched = {city.row for city in matches.values()}
    findings = [
        Finding("new", city.name, f"row {city.row}: {city.plain_name or city.eligibility[:80]}")
        for city in listing
        if city.row not in matched
    ]
    for name, program in edition.items():
        if name not in matches:
            findings.append(Finding("gone", name, f"the list has no {program.title}"))
            continue
        city = matches[name]
        if _plain(city.name) not in _names(program):
            says = f"row {city.row} calls it {city.name!r}, we {program.title!r}"
            findings.append(Finding("renamed", name, says))
        findings += check_numbers(program, city.eligibility)
        if city.id:
            findings += _lost_phrases(program, city.eligibility)
        if name in earlier:
            old, new = earlier[name].eligibility.splitlines(), city.eligibility.splitlines()
            findings += [Finding("line gone", name, line) for line in old if line not in new]
            findings += [Finding("line new", name, line) for line in new if line not in old]
    return sorted(findings, key=lambda finding: (KINDS.index(finding.kind), *finding))


def match_programs(edition: Edition, listing: Sequence[CityProgram]) -> dict[str, CityProgram]:
    """Return the city's rows by our names: by their id, or else by name where ids do not differ."""
    ids = {city.id: city for city in listing if city.id}
    by_name = {_plain(city.name): city for city in listing}
    matches = {}
    for name, program in edition.items():
        known = program.sources.program_id if program.sources else ""
        named = (by_name[each] for each in sorted(_names(program)) if each in by_name)
        same = (city for city in named if not (known and city.id and city.id != known))
        if city := ids.get(known) or next(same, None):
            matches[name] = city
    return matches


def _names(program: Program) -> set[str]:
    return {_plain(program.title), _plain(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", program.name))}


def _plain(name: str) -> str:
    """Return the words of a name that say something: possessives and plurals are no other name."""
    plain = re.sub(r"\s*\([^)]*\)", "", name).lower().replace("\u2019", "'").replace("'s", "")
    words = re.findall(r"[a-z0-9]+", plain)
    return "".join(word.rstrip("s") for word in words if word not in _SMALL_WORDS)


def _lost_phrases(program: Program, text: str) -> Iterator[Finding]:
    """Yield the phrases that clauses quote and a text no longer prints."""
    printed = _folded(text)
    for claim in program.sources.claims if program.sources else ():
        if claim.phrase and not claim.source and _folded(claim.phrase) not in printed:
            says = f"{claim.phrase!r}, from which clause {', '.join(claim.clauses)} comes"
            yield Finding("phrase no longer printed", program.name, says)


def _folded(text: str) -> str:
    """Return a text's letters and digits, small, with single blanks."""
    return " ".join(re.findall(r"[a-z0-9$%]+", text.lower().replace("\u2019", "'")))


class KnownNumber(NamedTuple):
    """One number of a program.

    Attributes:
        name: Its threshold, with the size where it is a row of a table.
        kind: As in `Numeral`.
        value: The number; of a date its ordinal day.
        table: The table it is a row of; empty for a single number.
        is_silent: Whether nobody expects a text to print it: a value only in our text.
    """

    name: str
    kind: str
    value: float
    table: str = ""
    is_silent: bool = True

    def __str__(self) -> str:
        return _say(self.kind, self.value)


def check_numbers(program: Program, text: str) -> Iterator[Finding]:
    """Yield what differs between the numbers of a program and those in the city's text about it."""
    known, numerals = list(known_numbers(program)), find_numerals(text)
    unprinted = [one for one in known if not any(is_same(numeral, one) for numeral in numerals)]
    for numeral in numerals:
        if any(is_same(numeral, one) for one in known):
            continue
        near = _nearest(numeral, unprinted)
        if near is not None:
            unprinted.remove(near)
            says = f"{near.name} is {near}, the text prints: {numeral.says!r}"
            yield Finding("changed value", program.name, says)
        elif (numeral.kind, numeral.value) != ("grade", 0):
            # Kindergarten is a place as often as a limit.
            says = f"{_say(numeral.kind, numeral.value)} in {numeral.says!r}"
            yield Finding("number we lack", program.name, says)
    printed = [one for one in known if one not in unprinted]
    percentages = {one.table for one in printed if one.kind == "percent"}
    # A text that prints the percentage, or none of the amounts, need not print the other.
    tables = {one.table for one in printed} - percentages | {""}
    for one in unprinted:
        if one.table in tables and one.kind != "percent" and not (one.is_silent and not one.table):
            yield Finding("no longer printed", program.name, f"{one.name}, {one}")


def known_numbers(program: Program) -> Iterator[KnownNumber]:
    """Yield every number of a program: amounts, percentages behind them, and those of its facts."""
    for entry in program_values(program):
        kind, value = _UNITS.get(entry.unit, entry.unit), entry.value
        is_silent = bool(entry.only_in_text) or kind not in _KINDS_PRINTED
        if isinstance(value, SizeTable):
            if "percent" in entry.stated:
                percent = float(entry.stated["percent"])
                yield KnownNumber(entry.name, "percent", percent, entry.name)
            rows: dict[object, float] = {size: value[size] for size in sorted(value.rows)}
            rows |= {"each more": value.each_additional} if value.each_additional else {}
            for size, amount in rows.items():
                yield KnownNumber(f"{entry.name}[{size}]", kind, float(amount), entry.name)
        elif isinstance(value, date):
            yield KnownNumber(entry.name, kind, float(value.toordinal()), "", is_silent)
        elif kind == "share":
            kind, factor = ("percent", 100.0) if value <= 1 else ("times", 1.0)
            is_silent = bool(entry.only_in_text) or kind not in _KINDS_PRINTED
            yield KnownNumber(entry.name, kind, value * factor, "", is_silent)
        else:
            yield KnownNumber(entry.name, kind, float(value), "", is_silent)
    # A fact may hold a number itself: lived apart for six months.
    for fact in sorted(features_read(program.checker)):
        for part in find_numerals(fact.replace("_", " ")):
            yield KnownNumber(fact, part.kind, part.value)


def is_same(numeral: Numeral, known: KnownNumber) -> bool:
    """Return whether a printed number may stand for one of a program.

    Amounts may be printed by the year, month or week. An age and the next one are the same limit
    in other words (`13 or younger`, `under 14`). Six months may be 183 days.
    """
    if numeral.kind == known.kind == "dollars":
        return any(
            abs(numeral.value * factor - known.value) < slack for factor, slack in _PERIODS.items()
        )
    if numeral.kind in _DAYS and known.kind in _DAYS:
        if numeral.kind == known.kind:
            is_age = known.kind == "years"
            return numeral.value == known.value or (is_age and _is_neighbour(numeral, known))
        days, ours = numeral.value * _DAYS[numeral.kind], known.value * _DAYS[known.kind]
        return abs(days - ours) <= 0.03 * ours
    return numeral.kind == known.kind and numeral.value == known.value


def _is_neighbour(numeral: Numeral, known: KnownNumber) -> bool:
    """Return whether words name an age by its neighbour: `under 18` for at most 17."""
    number = f"{numeral.value:g}"
    return any(
        known.value == numeral.value + step and re.search(words, numeral.says.lower())
        for words, step in (
            (rf"(over|older than|above) {number}", 1),
            (rf"(under|younger than|below|before) {number}", -1),
            (rf"\b{number}( years)?( old)?,? (or|and) (younger|under)", 1),
        )
    )


def _nearest(numeral: Numeral, unprinted: Sequence[KnownNumber]) -> KnownNumber | None:
    """Return the number of the program that most likely was replaced by a printed one."""
    # Dates are ordinal days, of which five years are a small share.
    reach = 5 * 366 / 700_000 if numeral.kind == "date" else _CLOSE
    near = [
        (abs(numeral.value - one.value), position)
        for position, one in enumerate(unprinted)
        if one.kind == numeral.kind
        and abs(numeral.value - one.value) <= reach * max(abs(one.value), 1.0)
    ]
    return unprinted[min(near)[1]] if near else None


def _say(kind: str, value: float) -> str:
    if kind == "dollars":
        return f"${value:,.2f}".removesuffix(".00")
    if kind == "percent":
        return f"{value:g}%"
    if kind == "date":
        return date.fromordinal(int(value)).isoformat()
    return f"{value:g} {kind}"
