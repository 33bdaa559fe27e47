"""The linter of texts: their numbers come from one place, and their clauses from a source."""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from functools import partial
from string import ascii_lowercase

from benyfits_data.editions import EDITIONS, Program
from benyfits_data.editions.toml_file import read_text, read_toml
from benyfits_data.errors import BenyfitsError
from benyfits_data.language.findings import LintFinding
from benyfits_data.lint.template_names import names_in, template_of

JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_FRONT_MATTER = re.compile(r"\A\+\+\+\n.*?\n\+\+\+\n", re.DOTALL)
_ALLOWED = (
    re.compile(r"^\s*\d+\.\s", re.MULTILINE),
    # References to other parts of the text: clause 3, clauses 3a, 3b and 4.
    re.compile(
        r"\b(?:clause|condition|part)s?\s+\d+[a-z]?\b"
        r"(?:(?:,\s*(?:and\s+|or\s+)?|\s+(?:and|or|to|through)\s+)\d+[a-z]?\b)*",
        re.IGNORECASE,
    ),
    # Names: Section 8, Form W-2, Title XIX, Local Law 11, COVID-19, DD-214, 3-K, 9/11, 401(k).
    re.compile(
        r"\b(?:Section|Title|Form|Law|Schedule|Article|Chapter|Part|Type|Act|Rule|Phase|Level|"
        r"Class|Tier|Medicare|Pub\.|Publication|Chapter)\s+\d+[\w()-]*"
    ),
    re.compile(r"\b[A-Za-z]+-\d+[A-Za-z]?\b|\b\d+-[A-Z]+\b|\b9/11\b|\b\d+\([a-z]\)|\b[A-Z]+\d+\b"),
    # School and program years that are a name of their own: 2015-16.
    re.compile(r"\b20\d\d-\d\d\b"),
)
_NUMBER = re.compile(
    r"\$?\d[\d,.]*(?:st|nd|rd|th|%)?"
    r"|\b(?:thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|"
    r"fifty|sixty|seventy|eighty|ninety|hundred|thousand)\b",
    re.IGNORECASE,
)


def literal_numbers(template: str) -> Iterator[tuple[int, str]]:
    """Yield each number outside Jinja that is no list marker, reference or name, with its line."""
    bare = template
    for pattern in (_FRONT_MATTER, JINJA, *_ALLOWED):
        bare = pattern.sub(blank, bare)
    for match in _NUMBER.finditer(bare):
        yield bare.count("\n", 0, match.start()) + 1, match[0].rstrip(".,")


def blank(match: re.Match[str]) -> str:
    """Return as many lines of nothing in place of some words."""
    return re.sub(r"[^\n]", "\0", match[0])


def check_numbers(program: Program) -> Iterator[LintFinding]:
    """Yield the numbers that stand in a program's texts by hand."""
    for path, code in ((program.requirements_path, "T06"), (program.plain_path, "P04")):
        if path is not None:
            for line, number in literal_numbers(read_text(path)):
                says = f"the number {number} stands in the text by hand"
                yield LintFinding(path, line, code, says)


def check_plain_text(program: Program) -> Iterator[LintFinding]:
    """Yield what is wrong with a program's plain text in its edition, besides its numbers."""
    path = program.plain_path
    if path is None:
        return
    if read_text(path).startswith("+++"):
        yield LintFinding(path, 1, "P01", "a front matter")
    thresholds, template = program.thresholds, template_of(path)
    known = {*thresholds.names(), *thresholds.of_readings(), "edition"}
    # Thresholds of other editions may stand behind a test of the edition.
    of_all_editions = read_toml(program.folder / "thresholds.toml").keys()
    for name in sorted(names_in(template) - known - of_all_editions) if template else ():
        says = f"{name}, which is no threshold of the program in any edition"
        yield LintFinding(path, 0, "P03", says, f"It has {', '.join(sorted(known))}.")
    try:
        program.plain()
    except BenyfitsError as error:
        yield LintFinding.of(error, path, "P02")


def check_sources(program: Program) -> Iterator[LintFinding]:
    """Yield what is wrong with the sources of a program's text in its edition."""
    path, year = program.folder / "sources.toml", program.edition
    at = partial(LintFinding, path, 0)
    try:
        sources = program.sources
    except BenyfitsError as error:
        yield LintFinding.of(error, path, "S01")
        return
    if sources is None:
        yield at("S02", f"no source of edition {year}", f"Add [{year}].")
        return
    if sources.year == year and sources.is_unchanged and sources.read is None:
        says = f"[{year}] says that the text is unchanged, and nobody says when it was read"
        yield at("S07", says, f"Add read there, or below [{year}] of shared/editions.toml.")
    if sources.year != year and year in EDITIONS:
        instead = f"Add [{year}], with same_as = {sources.year} where it says the same."
        yield at("S02", f"no source of edition {year}", instead)
    try:
        known = set(program.clauses)
    except BenyfitsError:
        return  # The template reports it.
    claimed = {clause for claim in sources.claims for clause in claim.clauses}
    for clause in sorted(claimed - known):
        says = f"edition {year} claims clause {clause}, which the text does not have"
        yield at("S03", says, f"The text has {', '.join(sorted(known))}.")
    wholes = {clause.rstrip(ascii_lowercase) for clause in claimed}
    for clause in sorted(known - claimed - wholes):
        if clause.rstrip(ascii_lowercase) not in claimed:
            yield at("S04", f"edition {year}: nothing says where clause {clause} comes from")
    places = [claim.place for claim in sources.claims]
    for place in (*places, *(omission.place for omission in sources.omissions)):
        if not place.strip():
            yield at("S06", f"edition {year}: a place is empty", "Say where it stands.")
    for omission in sources.omissions:
        if not omission.says.strip():
            yield at("S06", f"edition {year}: an omission says nothing", "Say what is left out.")


def latest_day() -> date:
    """Return the day that it is now where days begin first."""
    return datetime.now(timezone(timedelta(hours=14))).date()


def check_days(program: Program, today: date) -> Iterator[LintFinding]:
    """Yield the days on which texts were read and values verified that are still to come."""
    text = program.sources
    if text and text.read and text.read > today:
        says = f"the text of {text.year} was read on {text.read}, after today, {today}"
        yield LintFinding(program.folder / "sources.toml", 0, "S08", says)
    for entry in program.thresholds.entries.values():
        if isinstance(entry.verified, date) and entry.verified > today:
            says = f"{entry.name}.{entry.since} was verified on {entry.verified}, after {today}"
            yield LintFinding(program.folder / "thresholds.toml", 0, "S08", says)
