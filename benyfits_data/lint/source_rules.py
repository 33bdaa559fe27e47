"""The linter of sources: every clause has a place in the source, quotes are short."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone

from benyfits_data.editions import EDITIONS, Program
from benyfits_data.errors import BenyfitsError
from benyfits_data.language.grammar import LintFinding

LONGEST_QUOTE = 5
"""Words of a source that one place may quote: sources are formalised, not copied."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def check_sources(program: Program) -> Iterator[LintFinding]:
    """Yield what is wrong with the sources of a program's text in its edition."""
    path = program.folder / "sources.toml"
    try:
        sources = program.sources
    except BenyfitsError as error:
        yield LintFinding(path, 0, "S01", str(error).removeprefix(f"{path}: ").rstrip("."), "")
        return
    if sources is None:
        if path.exists():
            found = f"no source of edition {program.edition}"
            yield LintFinding(path, 0, "S02", found, f"Add [{program.edition}].")
        return
    where = f"edition {program.edition}"
    if sources.year == program.edition and sources.is_unchanged and sources.read is None:
        found = (
            f"[{sources.year}] says that the text is unchanged, and nobody says when it was read"
        )
        instead = f"Add read there, or below [{sources.year}] of shared/editions.toml."
        yield LintFinding(path, 0, "S07", found, instead)
    if sources.year != program.edition and program.edition in EDITIONS:
        yield LintFinding(
            path,
            0,
            "S02",
            f"no source of {where}",
            f"Add [{program.edition}], with same_as = {sources.year} where it says the same.",
        )
    try:
        known = set(program.clauses)
    except BenyfitsError:
        return  # The template reports it.
    claimed = {clause for claim in sources.claims for clause in claim.clauses}
    for clause in sorted(claimed - known):
        found = f"{where} claims clause {clause}, which the text does not have"
        yield LintFinding(path, 0, "S03", found, f"The text has {', '.join(sorted(known))}.")
    parts = {clause: clause.rstrip(_LETTERS) for clause in known | claimed}
    for clause in sorted(known - claimed):
        of_parts = {part for part, number in parts.items() if number == clause}
        if parts[clause] in claimed or of_parts & claimed:
            continue
        found = f"{where}: nothing says where clause {clause} comes from"
        yield LintFinding(path, 0, "S04", found, "Add its place in the source.")
    for claim in sources.claims:
        if len(claim.phrase.split()) > LONGEST_QUOTE:
            yield LintFinding(
                path,
                0,
                "S05",
                f"{where}: the phrase {claim.phrase!r} has more than {LONGEST_QUOTE} words",
                "Quote fewer; the place says where the rest stands.",
            )
    places = [claim.place for claim in sources.claims]
    for place in (*places, *(omission.place for omission in sources.omissions)):
        if not place.strip():
            yield LintFinding(path, 0, "S06", f"{where}: a place is empty", "Say where it stands.")
    for omission in sources.omissions:
        if not omission.says.strip():
            yield LintFinding(
                path, 0, "S06", f"{where}: an omission says nothing", "Say what is left out."
            )


def latest_day() -> date:
    """Return the day that it is now where days begin first."""
    return datetime.now(timezone(timedelta(hours=14))).date()


def check_days(program: Program, today: date) -> Iterator[LintFinding]:
    """Yield the days on which texts were read and values verified that are still to come."""
    text = program.sources
    if text and text.read and text.read > today:
        found = f"the text of {text.year} was read on {text.read}, after today, {today}"
        yield LintFinding(program.folder / "sources.toml", 0, "S08", found, "Correct the day.")
    for entry in map(program.thresholds.entry, program.thresholds.names()):
        if isinstance(entry.verified, date) and entry.verified > today:
            found = f"{entry.name}.{entry.since} was verified on {entry.verified}, after {today}"
            path = program.folder / "thresholds.toml"
            yield LintFinding(path, 0, "S08", found, "Correct the day.")
