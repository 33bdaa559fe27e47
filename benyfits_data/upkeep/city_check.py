"""What the city's texts print and our program folders lack, and what the texts print no more."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from benyfits_data.editions import Edition, Program, SizeTable
from benyfits_data.language.source import features_read
from benyfits_data.upkeep.city_listing import CityProgram, ProgramMatching, match_programs
from benyfits_data.upkeep.numerals import Numeral, find_numerals
from benyfits_data.upkeep.stated_values import program_values

KINDS = (
    "changed value",
    "gone",
    "sentence gone",
    "sentence new",
    "renamed",
    "phrase no longer printed",
    "new",
    "number we lack",
    "no longer printed",
)
"""What can be found; first what most likely is a change."""
_ENDS = re.compile(r"(?<=[.!?;])\s+|\n+")
_LEAST_WORDS = 4
"""Shorter pieces of a text are headings and cells."""
_DAYS = {"days": 1.0, "weeks": 7.0, "months": 30.44, "years": 365.25}
_CLOSE = 0.25
_UNITS = {"dollars a year": "dollars", "dollars a month": "dollars", "hours a week": "hours"}
_TELLING = frozenset({*_DAYS, "dollars", "percent", "date", "grade", "GPA", "hours", "credits"})
"""Kinds of numbers that are found in texts; counts of people and plain factors are not."""
# Amounts are printed in whole dollars: twelve rounded months are up to six dollars off a year.
_PERIODS = {1.0: 1.0, 12.0: 6.5, 1 / 12: 1.0, 52.0: 26.5, 1 / 52: 1.0}


@dataclass(frozen=True)
class Finding:
    """One thing for a maintainer to look at.

    Attributes:
        kind: One of `KINDS`.
        program: Ours, or the city's name where we have none.
        says: What was found.
    """

    kind: str
    program: str
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
    """Return what differs between an edition and the city's list, in the order of `KINDS`.

    Args:
        edition: Ours.
        listing: The city's list.
        before: An earlier download of it, whose sentences are compared; none unless given.
    """
    matching = match_programs(edition, listing)
    findings = [
        Finding("new", city.name, f"row {city.row}: {city.plain_name or city.eligibility[:80]}")
        for city in matching.new
    ]
    findings += [
        Finding("gone", program.name, f"the list has no {program.title}")
        for program in matching.gone
    ]
    for match in matching.matches:
        program, city = match.program, match.city
        if match.is_renamed:
            says = f"row {city.row} calls it {city.name!r}, we {program.title!r}"
            findings.append(Finding("renamed", program.name, says))
        findings += check_numbers(program, city.eligibility)
        if city.id:
            findings += _lost_phrases(program, city.eligibility)
    findings += _compare_downloads(matching, match_programs(edition, before)) if before else []
    return sorted(
        findings, key=lambda finding: (KINDS.index(finding.kind), finding.program, finding.says)
    )


def _lost_phrases(program: Program, text: str) -> Iterator[Finding]:
    """Yield the phrases that clauses quote and a text no longer prints."""
    printed = _folded(text)
    for claim in program.sources.claims if program.sources else ():
        if claim.phrase and not claim.source and _folded(claim.phrase) not in printed:
            says = f"{claim.phrase!r}, from which clause {', '.join(claim.clauses)} comes"
            yield Finding("phrase no longer printed", program.name, says)


def _compare_downloads(now: ProgramMatching, before: ProgramMatching) -> Iterator[Finding]:
    """Yield the sentences of each program that changed since an earlier download."""
    texts = {match.program.name: match.city.eligibility for match in before.matches}
    for match in now.matches:
        name = match.program.name
        if name in texts:
            old, new = _sentences(texts[name]), _sentences(match.city.eligibility)
            for kind, here, there in (("gone", old, new), ("new", new, old)):
                for folded, sentence in here.items():
                    if folded not in there:
                        yield Finding(f"sentence {kind}", name, sentence)


def _sentences(text: str) -> dict[str, str]:
    """Return the sentences and list items of a plain text that say something, by their letters."""
    pieces = (" ".join(piece.strip("|-*\u2022 ").split()) for piece in _ENDS.split(text))
    long_enough = (
        piece for piece in pieces if len(piece.split()) >= _LEAST_WORDS and "|" not in piece
    )
    return {_folded(piece): piece for piece in long_enough}


def _folded(text: str) -> str:
    """Return a text's letters and digits, small, with single blanks."""
    return " ".join(re.findall(r"[a-z0-9$%]+", text.lower().replace("\u2019", "'")))


def check_numbers(program: Program, text: str) -> Iterator[Finding]:
    """Yield what differs between the numbers of a program and those in the city's text about it."""
    known, printed = list(known_numbers(program)), find_numerals(text)
    unprinted = [
        amount for amount in known if not any(is_same(number, amount) for number in printed)
    ]
    for numeral in printed:
        if any(is_same(numeral, number) for number in known):
            continue
        near = _nearest(numeral, unprinted)
        if near is not None:
            unprinted.remove(near)
            says = f"{near.threshold} is {near.says}, the text prints: {numeral.says!r}"
            yield Finding("changed value", program.name, says)
        elif (numeral.kind, numeral.value) != ("grade", 0):
            # Kindergarten is a place as often as a limit.
            says = f"{_say(numeral.kind, numeral.value)} in {numeral.says!r}"
            yield Finding("number we lack", program.name, says)
    for number in unprinted:
        if not number.table and not number.is_silent:
            says = f"{number.threshold}, {number.says}"
            yield Finding("no longer printed", program.name, says)
    for table in dict.fromkeys(row.table for row in known if row.table):
        rows = [row for row in known if row.table == table]
        amounts = [row for row in rows if row.kind != "percent"]
        missing = [amount for amount in amounts if amount in unprinted]
        # A text that prints the percentage, or none of the amounts, need not print the other.
        is_percent = any(row.kind == "percent" and row not in unprinted for row in rows)
        if missing and len(missing) < len(amounts) and not is_percent:
            listed = ", ".join(f"{row.threshold} {row.says}" for row in missing)
            says = f"{len(missing)} of {len(amounts)} amounts: {listed}"
            yield Finding("no longer printed", program.name, says)


def known_numbers(program: Program) -> Iterator[KnownNumber]:
    """Yield every number of a program: amounts, percentages behind them, and those of its facts."""
    for entry in program_values(program):
        kind, factor = _UNITS.get(entry.unit, entry.unit), 1.0
        if entry.unit == "share" and not isinstance(entry.value, SizeTable | date):
            kind, factor = ("percent", 100.0) if entry.value <= 1 else ("times", 1.0)
        silent = bool(entry.only_in_text) or kind not in _TELLING
        if isinstance(entry.value, date):
            amounts = [(entry.name, kind, float(entry.value.toordinal()))]
        elif not isinstance(entry.value, SizeTable):
            amounts = [(entry.name, kind, float(entry.value) * factor)]
        else:
            table = entry.value
            amounts = [
                (f"{entry.name}[{row}]", kind, float(table[row])) for row in sorted(table.rows)
            ]
            if "percent" in entry.stated:
                amounts.insert(0, (entry.name, "percent", float(entry.stated["percent"])))
            if table.each_additional is not None:
                amounts.append((f"{entry.name}, each more", kind, float(table.each_additional)))
        of = entry.name if isinstance(entry.value, SizeTable) else ""
        for name, kind_of_it, number in amounts:
            yield KnownNumber(name, kind_of_it, number, _say(kind_of_it, number), of, silent)
    # A fact may hold a number itself: lived apart for six months.
    for fact in sorted(features_read(program.checker)):
        for held in find_numerals(fact.replace("_", " ")):
            yield KnownNumber(fact, held.kind, held.value, _say(held.kind, held.value), "", True)


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
    if any(f"{word} {number}" in words for word in ("over", "older than", "above")):
        return int(known.value == number + 1)
    if any(f"{word} {number}" in words for word in ("under", "younger than", "below", "before")):
        return int(known.value == number - 1)
    if re.search(rf"\b{number}( years)?( old)?,? (or|and) (younger|under)", words):
        return int(known.value == number + 1)
    return 0


def _nearest(numeral: Numeral, unprinted: Sequence[KnownNumber]) -> KnownNumber | None:
    """Return the number of the program that most likely was replaced by a printed one."""
    near = [
        (abs(numeral.value - amount.value) / max(abs(amount.value), 1.0), position)
        for position, amount in enumerate(unprinted)
        if amount.kind == numeral.kind
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
