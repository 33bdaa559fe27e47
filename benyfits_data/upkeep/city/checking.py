"""What the city's texts print and our program folders lack, and what the texts print no more."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from benyfits_data.editions import Edition, Program, SizeTable
from benyfits_data.upkeep.city.city_sentences import (
    changed_sentences,
    lost_phrases,
    unknown_sentences,
)
from benyfits_data.upkeep.city.listing import CityProgram
from benyfits_data.upkeep.city.numerals import Numeral, find_numerals
from benyfits_data.upkeep.city.program_matching import (
    ProgramMatch,
    ProgramMatching,
    match_programs,
)
from benyfits_data.upkeep.stated_values import program_values

_DAYS = {"days": 1.0, "weeks": 7.0, "months": 30.44, "years": 365.25}
_CLOSE = 0.25
_ORDER = {"dollars": 80, "percent": 75, "date": 65, "years": 60, "grade": 55, "GPA": 55}
_UNITS = {"dollars a year": "dollars", "dollars a month": "dollars", "hours a week": "hours"}
_TELLING = frozenset({*_ORDER, *_DAYS, "hours", "credits"})
"""Kinds of numbers that are found in texts; counts of people and plain factors are not."""
# Amounts are printed in whole dollars: twelve rounded months are up to six dollars off a year.
_PERIODS = {1.0: 1.0, 12.0: 6.5, 1 / 12: 1.0, 52.0: 26.5, 1 / 52: 1.0}


@dataclass(frozen=True)
class Finding:
    """One thing for a maintainer to look at.

    Attributes:
        suspicion: From 0 to 100; what most likely is a change comes first.
        program: Ours, or the city's name where we have none.
        kind: `changed value`, `number we lack`, `no longer printed`, `sentence we lack`,
            `phrase no longer printed`, `sentence gone`, `sentence new`, `new`, `gone`, `renamed`.
        says: What was found.
    """

    suspicion: int
    program: str
    kind: str
    says: str


@dataclass(frozen=True)
class KnownNumber:
    """One number of a program.

    Attributes:
        threshold: Its threshold, with the size where it is a row of a table.
        kind: As in `Numeral`.
        value: The number; of a date its ordinal day.
        says: The number as people read it.
        table: The table it is a row of; empty for a single number.
        is_silent: Whether nobody expects a text to print it: a value only in our text.
    """

    threshold: str
    kind: str
    value: float
    says: str
    table: str
    is_silent: bool


def check_listing(
    edition: Edition, listing: Sequence[CityProgram], before: Sequence[CityProgram] = ()
) -> list[Finding]:
    """Return what differs between an edition and the city's list, most suspicious first.

    Args:
        edition: Ours.
        listing: The city's list.
        before: An earlier download of it, whose sentences are compared; none unless given.
    """
    matching = match_programs(edition, listing)
    findings = [Finding(70, city.name, "new", _introduce(city)) for city in matching.new]
    findings += [
        Finding(90, program.name, "gone", f"the list has no {program.title}")
        for program in matching.gone
    ]
    for match in matching.matches:
        if match.is_renamed:
            says = f"row {match.city.row} calls it {match.city.name!r}, we {match.program.title!r}"
            findings.append(Finding(85, match.program.name, "renamed", says))
        findings += check_program(match.program, match.city)
        findings += _check_sentences(match)
    findings += _compare_downloads(matching, match_programs(edition, before)) if before else []
    return sorted(findings, key=lambda it: (-it.suspicion, it.program, it.kind, it.says))


def _check_sentences(match: ProgramMatch) -> Iterator[Finding]:
    """Yield sentences that we do not take up; phrases that are gone, where the row is sure."""
    name, text = match.program.name, match.city.eligibility
    for share, sentence in unknown_sentences(match.program, text):
        # The fewer of its words we say, the likelier it is news.
        yield Finding(round(44 - 40 * share), name, "sentence we lack", sentence)
    if match.is_known:
        for phrase, clauses in lost_phrases(match.program, text):
            says = f"{phrase!r}, from which clause {', '.join(clauses)} comes"
            yield Finding(80, name, "phrase no longer printed", says)


def _compare_downloads(now: ProgramMatching, before: ProgramMatching) -> Iterator[Finding]:
    """Yield the sentences of each program that changed since an earlier download."""
    old = {match.program.name: match.city.eligibility for match in before.matches}
    for match in now.matches:
        name = match.program.name
        for what, sentence in changed_sentences(old.get(name, ""), match.city.eligibility):
            if name in old:
                yield Finding(88, name, f"sentence {what}", sentence)


def _introduce(city: CityProgram) -> str:
    code = f" {city.code}" if city.code else ""
    return f"row {city.row}{code}: {city.plain_name or city.eligibility[:80]}"


def check_program(program: Program, city: CityProgram) -> list[Finding]:
    """Return what differs between a program and the city's text about it."""
    known = list(known_numbers(program))
    printed = find_numerals(city.eligibility)
    lacking = [it for it in printed if not any(is_same(it, number) for number in known)]
    unprinted = [it for it in known if not any(is_same(number, it) for number in printed)]
    findings = []
    for numeral in lacking:
        near = _nearest(numeral, unprinted)
        if near is not None:
            unprinted.remove(near)
            says = f"{near.threshold} is {near.says}, the text prints: {numeral.says!r}"
            findings.append(Finding(100, program.name, "changed value", says))
        else:
            # Kindergarten is a place as often as a limit.
            is_place = (numeral.kind, numeral.value) == ("grade", 0)
            score = 15 if is_place else _ORDER.get(numeral.kind, 40)
            says = f"{_say(numeral.kind, numeral.value)} in {numeral.says!r}"
            findings.append(Finding(score, program.name, "number we lack", says))
    return findings + list(_unprinted(program, unprinted, known))


def _unprinted(
    program: Program, unprinted: Sequence[KnownNumber], known: Sequence[KnownNumber]
) -> Iterator[Finding]:
    percentages = {it.table for it in known if it.kind == "percent" and it.table}
    printed_percentages = percentages - {it.table for it in unprinted if it.kind == "percent"}
    done: set[str] = set()
    for number in unprinted:
        if number.table and number.table not in done:
            done.add(number.table)
            rows = [it for it in known if it.table == number.table and it.kind != "percent"]
            missing = [it for it in unprinted if it.table == number.table and it.kind != "percent"]
            # A text that prints the percentage or the amounts need not print the other.
            if number.table in printed_percentages or not missing:
                continue
            listed = ", ".join(f"{it.threshold} {it.says}" for it in missing[:4])
            more = f" and {len(missing) - 4} more" if len(missing) > 4 else ""
            score = 30 if len(missing) == len(rows) else 50
            says = f"{len(missing)} of {len(rows)} amounts: {listed}{more}"
            yield Finding(score, program.name, "no longer printed", says)
        elif not number.table:
            score = 10 if number.is_silent else 45
            says = f"{number.threshold}, {number.says}"
            yield Finding(score, program.name, "no longer printed", says)


def known_numbers(program: Program) -> Iterator[KnownNumber]:
    """Yield every number of a program: amounts, and percentages that they are computed by."""
    for entry in program_values(program):
        kind, factor = _UNITS.get(entry.unit, entry.unit), 1.0
        if entry.unit == "share" and not isinstance(entry.value, SizeTable | date):
            kind, factor = ("percent", 100.0) if entry.value <= 1 else ("times", 1.0)
        silent = bool(entry.only_in_text) or kind not in _TELLING
        if isinstance(entry.value, date):
            told = [(entry.name, kind, float(entry.value.toordinal()))]
        elif not isinstance(entry.value, SizeTable):
            told = [(entry.name, kind, float(entry.value) * factor)]
        else:
            table = entry.value
            told = [(f"{entry.name}[{it}]", kind, float(table[it])) for it in sorted(table.rows)]
            if "percent" in entry.stated:
                told.insert(0, (entry.name, "percent", float(entry.stated["percent"])))
            if table.each_additional is not None:
                told.append((f"{entry.name}, each more", kind, float(table.each_additional)))
        of = entry.name if isinstance(entry.value, SizeTable) else ""
        for name, kind_of_it, number in told:
            yield KnownNumber(name, kind_of_it, number, _say(kind_of_it, number), of, silent)


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
            return abs(numeral.value - known.value) <= (_turns(numeral, known) if is_age else 0)
        days, ours = numeral.value * _DAYS[numeral.kind], known.value * _DAYS[known.kind]
        return abs(days - ours) <= 0.03 * ours
    return numeral.kind == known.kind and numeral.value == known.value


def _turns(numeral: Numeral, known: KnownNumber) -> int:
    """Return 1 where words name an age by its neighbour: `under 18` for at most 17."""
    words, number = numeral.says.lower(), int(numeral.value)
    if any(f"{it} {number}" in words for it in ("over", "older than", "above")):
        return int(known.value == number + 1)
    if any(f"{it} {number}" in words for it in ("under", "younger than", "below", "before")):
        return int(known.value == number - 1)
    if re.search(rf"\b{number}( years)?( old)?,? (or|and) (younger|under)", words):
        return int(known.value == number + 1)
    return 0


def _nearest(numeral: Numeral, unprinted: Sequence[KnownNumber]) -> KnownNumber | None:
    """Return the number of the program that most likely was replaced by a printed one."""
    near = [
        (abs(numeral.value - it.value) / max(abs(it.value), 1.0), position)
        for position, it in enumerate(unprinted)
        if it.kind == numeral.kind
    ]
    if not near:
        return None
    distance, position = min(near)
    reach = 5 * 366 / 700_000 if numeral.kind == "date" else _CLOSE
    return unprinted[position] if distance <= reach else None


def _say(kind: str, value: float) -> str:
    if kind == "dollars":
        return f"${value:,.2f}".removesuffix(".00")
    if kind == "percent":
        return f"{value:g}%"
    if kind == "date":
        return date.fromordinal(int(value)).isoformat()
    return f"{value:g} {kind}"
