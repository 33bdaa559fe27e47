"""`benyfits-data editions`: prepare a year, fill it in, publish it, keep the past as it was."""

from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from textwrap import shorten

import click

from benyfits_data.cli import options
from benyfits_data.cli.frame import Listing, Report, noun, option, say, verb
from benyfits_data.errors import (
    ProgramFolderError,
    PublishedEditionError,
    SpreadsheetError,
    UnknownEditionError,
)
from benyfits_data.progress import progress
from benyfits_data.wording import count_of

command = noun(
    "Prepare a new year, fill it in, publish it, and keep the past as it was.", "editions list"
)


def _latest_year() -> int:
    from benyfits_data.editions import edition_years

    return max(edition_years())


year_argument = click.argument("year", type=int, default=_latest_year)


@verb("editions list", of=command)
def list_editions() -> Report:
    """List the editions: year, status, what it inherits from, programs, corrections.

    The start of each correction's reason follows; JSON holds the whole, and names the programs.
    """
    from benyfits_data.editions import load_edition, load_register

    header = ("edition", "status", "inherits from", "programs", "corrections")
    rows, content, notes = [], [], []
    for of in load_register().values():
        row = (of.year, of.status, of.inherits_from, len(load_edition(of.year)))
        rows.append((*row, len(of.corrections)))
        corrections = [correction.as_json() for correction in of.corrections]
        content.append(dict(zip(header, (*row, corrections), strict=True)))
        for correction in of.corrections:
            changed = count_of(correction.programs, "program")
            reason = shorten(correction.reason, 70, placeholder=" ...")
            notes.append(f"edition {of.year}, {correction.day}, {changed}: {reason}")
    return Report([Listing(header, rows)], content, notes)


@verb("editions status 2026", of=command)
@year_argument
@option("--stale", is_flag=True, help="Only what nobody has looked at.")
def status(year: int, stale: bool) -> Report:
    """Say for the text and the values of each program what changed and what was looked at.

    A text counts as unchanged only if that year's was read and says the same. The list in which it
    was read is named where it is a copy kept by others. Notes and omissions follow, then what may
    change the edition soon. Without YEAR, the latest edition.
    """
    from benyfits_data.editions import check_edition, load_register
    from benyfits_data.upkeep.freshness import edition_status, say_counts

    check_edition(year)
    record = load_register()[year]
    statuses = edition_status(record)
    shown = [of for of in statuses if of.is_stale or not stale]
    rows = [(of.program, of.say_text(), of.say_values(), " | ".join(of.notes)) for of in shown]
    notes = [f"edition {year}, {line}" for line in say_counts(statuses)]
    notes += [f"to watch: {line}" for line in record.watch]
    content = [asdict(of) | {"state": of.state} for of in shown]
    return Report([Listing(("program", "text", "values", "notes"), rows)], content, notes)


@verb("editions amounts 2026", of=command)
@year_argument
def amounts(year: int) -> Listing:
    """List the amounts by household size: of which guideline they are, and the day they were seen.

    Amounts that are no share of a shared table are stated one by one. Without YEAR, the latest
    edition.
    """
    from benyfits_data.editions import check_edition
    from benyfits_data.upkeep.freshness import amounts_by_size

    check_edition(year)
    header = ("program", "threshold", "share of", "smallest size", "verified", "source")
    return Listing(header, amounts_by_size(year))


@verb("editions new 2027 --from 2026", of=command)
@click.argument("year", type=int)
@option("--from", "source", type=int, required=True, help="The edition it inherits from.")
def new(year: int, source: int) -> None:
    """Prepare a year as a draft: every value is inherited until it is changed."""
    from benyfits_data.upkeep.edition_register import prepare

    prepare(year, source)
    say(f"edition {year} is a draft that inherits from {source}")
    say(f"next: benyfits-data editions export {year} --output values.csv")


@verb("editions export 2027 --output values.csv", of=command)
@click.argument("year", type=int)
@option("--output", type=options.NEW_FILE, help="The file; standard output if not given.")
def export(year: int, output: Path | None) -> None:
    """Write all values of an edition as one table for a spreadsheet program.

    One row a value: program (or `shared` for tables that many programs use), threshold, key
    (`value`, a size, or a part of a percentage), value, unit, source, day verified, note.
    """
    from benyfits_data.dataset import write_atomically
    from benyfits_data.editions import load_edition
    from benyfits_data.upkeep.stated_values import export_table, stated_values

    load_edition(year)
    table = export_table(year, stated_values(year))
    if output is None:
        click.echo(table, nl=False)
        return
    write_atomically(output, table)
    say(f"{output}: {count_of(table.count(chr(10)) - 1, 'row')}")


@verb("editions import values.csv", of=command)
@click.argument("path", type=options.FILE)
@option("--dry-run", is_flag=True, help="Check and report, but write nothing.")
def import_table(path: Path, dry_run: bool) -> None:
    """Read a filled-in table back: all of it, or nothing if a row is wrong.

    Only what differs from the edition is written, under the edition's year, with comments and
    order of the files kept. Rows that are left out stay as they are. Where a
    shared table changes, the values that stay a percentage of an earlier year of it are listed.
    """
    from benyfits_data.lint.text_rules import latest_day
    from benyfits_data.upkeep.changes import find_changes, left_behind, write_changes
    from benyfits_data.upkeep.stated_values import read_table

    rows = read_table(path)
    changes, faults = find_changes(rows, latest_day())
    for fault in faults:
        say(f"{path}: {fault}")
    if faults:
        raise SpreadsheetError(
            f"{path}: {count_of(faults, 'problem')}, nothing was written. "
            "Correct the rows and import again.",
            path=path,
            faults=faults,
        )
    for change in changes:
        click.echo(str(change))
    behind = list(left_behind(changes, int(rows[0].edition)))
    files = [] if dry_run else write_changes(changes)
    values = sum(change.is_new_value for change in changes)
    re_verified = len(changes) - values
    written = count_of(files, "file")
    say(f"{count_of(values, 'new value')}, {re_verified} re-verified, {written} written")
    for line in behind:
        say(line)


@verb("editions compare programs.csv --edition 2026", of=command)
@click.argument("file", type=options.FILE)
@click.argument("earlier", type=options.FILE, required=False)
@options.edition
def compare(file: Path, earlier: Path | None, edition: int) -> Report:
    """Say which programs and lines of the city's list are new, gone or changed.

    FILE is the dataset "Benefits and Programs", kvhd-5fmu of data.cityofnewyork.us as downloaded,
    as CSV. Programs are new or gone beside those of the edition, by the city's id; lines of a
    program changed since the EARLIER download.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.upkeep.city_check import Finding, check_listing, read_listing

    listing = read_listing(file)
    before = read_listing(earlier) if earlier else ()
    findings = check_listing(load_edition(edition), listing, before)
    counts = Counter(finding.kind for finding in findings)
    counted = ", ".join(f"{n} {kind}" for kind, n in counts.most_common()) or "nothing to look at"
    note = f"{count_of(listing, 'program')} of the city, edition {edition}: {counted}"
    table = Listing(Finding._fields, findings)
    return Report([table], table.objects(), [note])


@verb("editions reviewed 2027 IDNYC Homebase --on 2026-11-28", of=command)
@click.argument("year", type=int)
@click.argument("programs", nargs=-1, required=True)
@option(
    "--on",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The day the texts were read.  [default: today]",
)
def reviewed(year: int, programs: tuple[str, ...], day: datetime | None) -> None:
    """Record that programs were looked at and stand as their program folders say.

    For programs without numbers, whose text alone has to be read again.
    """
    from benyfits_data.lint.text_rules import latest_day
    from benyfits_data.upkeep.edition_register import review

    read = (day or _now()).date()
    if read > latest_day():
        raise UnknownEditionError(f"--on {read} lies in the future. Name the day of reading.")
    review(year, programs, read)
    say(f"{count_of(programs, 'program')} reviewed for {year}")


@verb("editions publish 2027", of=command)
@click.argument("year", type=int)
@option("--unreviewed", is_flag=True, help="Publish what nobody has looked at, too.")
def publish(year: int, unreviewed: bool) -> None:
    """Publish an edition: its digest is fixed, and every later change of it is found.

    Refused while a program folder of it breaks a rule of `programs lint`, and while texts or values
    are inherited that nobody has looked at.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.lint.program_folder import lint_program
    from benyfits_data.lint.text_rules import latest_day
    from benyfits_data.upkeep.edition_register import check_publishable, check_reviewed
    from benyfits_data.upkeep.edition_register import publish as fix

    say(f"edition {year}: comparing it with what was published")
    check_publishable(year)
    if not unreviewed:
        say(f"edition {year}: counting what nobody has looked at")
        check_reviewed(year)
    programs = load_edition(year).programs.values()
    say(f"edition {year}: linting {count_of(programs, 'program')}")
    problems = []
    with progress("programs", len(programs)) as tick:
        for program in programs:
            problems += lint_program(program, latest_day())
            tick(1)
    for problem in problems:
        say(str(problem))
    if problems:
        raise ProgramFolderError(
            f"Edition {year} has {count_of(problems, 'problem')} and stays a draft. Mend "
            "them first."
        )
    say(f"edition {year}: writing digests")
    click.echo(f"edition {year} is published: {fix(year)}")


@verb("editions verify", of=command)
@click.argument("years", type=int, nargs=-1)
def verify(years: tuple[int, ...]) -> Report:
    """Check that published editions are as they were published.

    Exits with 1 and names every program whose text, rule, values or sources changed.
    """
    from benyfits_data.editions import check_edition
    from benyfits_data.upkeep.edition_register import problems

    for year in years:
        check_edition(year)
    differences = problems(years=years)
    if not differences:
        return Report([], [], ["published editions are as they were published"])
    error = PublishedEditionError(
        f"{count_of(differences, 'difference')} from what was published. "
        "Undo the change, or record it: `benyfits-data editions correct YEAR --reason TEXT`.",
        problems=differences,
    )
    return Report(differences, differences, failed=error)


@verb('editions correct 2024 --reason "the age was misread"', of=command)
@click.argument("year", type=int)
@option("--reason", required=True, help="Why the published edition had to change.")
@option(
    "--changelog",
    type=options.FILE,
    default="CHANGELOG.md",
    help="Where the reason is recorded for readers.",
)
def correct(year: int, reason: str, changelog: Path) -> None:
    """Record why a published edition changed, after changing its program folders.

    The reason goes into the register, into the changelog, and into the manifest of every dataset
    built from the edition.
    """
    from benyfits_data.upkeep.edition_register import correct as record

    if not reason.strip():
        raise UnknownEditionError("--reason is empty. Say what was wrong and how it was found.")
    programs = record(year, reason.strip(), _now().date(), changelog=changelog)
    click.echo(f"edition {year} corrected: {', '.join(programs)}")


def _now() -> datetime:
    return datetime.now(UTC)


@verb("init my-benefits")
@click.argument("folder", type=options.FOLDER)
def init(folder: Path) -> None:
    """Make a workspace: a folder for editions and programs of one's own.

    Commands run in it, or in a folder below it, read its programs and editions over those of the
    package, and write there. BENYFITS_WORKSPACE names a workspace from anywhere.
    """
    from benyfits_data.editions.workspace import init_workspace

    init_workspace(folder)
    say(f"{folder} is a workspace")
    say(f"next: cd {folder}; benyfits-data editions new YEAR --from YEAR")
