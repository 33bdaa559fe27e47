"""`benyfits-data editions`: prepare a year, fill it in, publish it, keep the past as it was."""

from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from textwrap import shorten

import click

from benyfits_data.cli.options import (
    FILE,
    FOLDER,
    NEW_FILE,
    NounGroup,
    edition_option,
    example,
    option,
)
from benyfits_data.cli.progress import progress
from benyfits_data.cli.tables import (
    Form,
    count_of,
    json_option,
    print_json,
    print_table,
    table_options,
)
from benyfits_data.errors import (
    ProgramFolderError,
    PublishedEditionError,
    SpreadsheetError,
    UnknownEditionError,
)


@click.group(cls=NounGroup, epilog=example("benyfits-data editions list"))
def command() -> None:
    """Prepare a new year, fill it in, publish it, and keep the past as it was."""


@command.command("list", epilog=example("benyfits-data editions list"))
@table_options
def list_editions(form: Form) -> None:
    """List the editions: year, status, what it inherits from, programs, corrections.

    The start of each correction's reason follows; JSON holds the whole, and names the programs.
    """
    from benyfits_data.editions import load_edition, load_register

    records = load_register().values()
    rows = [
        (
            record.year,
            record.status,
            record.inherits_from,
            len(load_edition(record.year)),
            [correction.as_json() for correction in record.corrections]
            if form == "json"
            else len(record.corrections),
        )
        for record in records
    ]
    header = ("edition", "status", "inherits from", "programs", "corrections")
    print_table(header, rows, form=form)
    for record in records:
        for correction in record.corrections:
            changed = count_of(correction.programs, "program")
            reason = shorten(correction.reason, 70, placeholder=" ...")
            line = f"edition {record.year}, {correction.day}, {changed}: {reason}"
            click.echo(line, err=True)


@command.command(epilog=example("benyfits-data editions status 2026"))
@click.argument("year", type=int, required=False)
@option("--stale", is_flag=True, help="Only what nobody has looked at.")
@table_options
def status(year: int | None, stale: bool, form: Form) -> None:
    """Say for the text and the values of each program what changed and what was looked at.

    A text counts as unchanged only if that year's was read and says the same. The list in which it
    was read is named where it is a copy kept by others. Notes and omissions follow. Without YEAR,
    the latest edition.
    """
    from benyfits_data.editions import edition_years, load_edition, load_register
    from benyfits_data.upkeep.freshness import edition_status

    wanted = year or max(edition_years())
    load_edition(wanted)
    statuses = edition_status(load_register()[wanted])
    shown = [one for one in statuses if one.is_stale or not stale]
    if form == "json":
        print_json([asdict(one) | {"state": one.state} for one in shown])
    else:
        rows = [
            (one.program, one.say_text(), one.say_values(), " | ".join(one.notes)) for one in shown
        ]
        print_table(("program", "text", "values", "notes"), rows, form=form)
    for what in ("text", "values"):
        counts = Counter(getattr(one, what) for one in statuses)
        counted = ", ".join(f"{counts[state]} {state}" for state in sorted(counts))
        click.echo(f"edition {wanted}, {what}: {counted}", err=True)


@command.command(epilog=example("benyfits-data editions new 2027 --from 2026"))
@click.argument("year", type=int)
@option("--from", "source", type=int, required=True, help="The edition it inherits from.")
def new(year: int, source: int) -> None:
    """Prepare a year as a draft: every value is inherited until it is changed."""
    from benyfits_data.upkeep.edition_register import prepare

    prepare(year, source)
    click.echo(f"edition {year} is a draft that inherits from {source}", err=True)
    click.echo(f"next: benyfits-data editions export {year} --output values.csv", err=True)


@command.command(epilog=example("benyfits-data editions export 2027 --output values.csv"))
@click.argument("year", type=int)
@option("--output", type=NEW_FILE, help="The file; standard output if not given.")
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
    click.echo(f"{output}: {count_of(table.count(chr(10)) - 1, 'row')}", err=True)


@command.command("import", epilog=example("benyfits-data editions import values.csv"))
@click.argument("path", type=FILE)
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
        click.echo(f"{path}: {fault}", err=True)
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
    click.echo(
        f"{count_of(values, 'new value')}, {len(changes) - values} re-verified, "
        f"{count_of(files, 'file')} written",
        err=True,
    )
    for line in behind:
        click.echo(line, err=True)


@command.command(epilog=example("benyfits-data editions compare programs.csv --edition 2026"))
@click.argument("file", type=FILE)
@click.argument("earlier", type=FILE, required=False)
@edition_option
@table_options
def compare(file: Path, earlier: Path | None, edition: int, form: Form) -> None:
    """Compare the programs that the city publishes with an edition.

    FILE is the dataset "Benefits and Programs", kvhd-5fmu of data.cityofnewyork.us as downloaded,
    as CSV. Shown are programs that are new, gone or renamed, numbers that ours lack,
    thresholds and quoted phrases that the city no longer prints, and lines that changed since
    the EARLIER download; likely changes first. Programs are matched by the city's id, then by name.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.upkeep.city_check import Finding, check_listing, read_listing

    listing = read_listing(file)
    before = read_listing(earlier) if earlier else ()
    findings = check_listing(load_edition(edition), listing, before)
    print_table(Finding._fields, findings, form=form)
    counts = Counter(finding.kind for finding in findings)
    counted = ", ".join(f"{n} {kind}" for kind, n in counts.most_common()) or "nothing to look at"
    click.echo(
        f"{count_of(listing, 'program')} of the city, edition {edition}: {counted}", err=True
    )


@command.command(
    epilog=example("benyfits-data editions reviewed 2027 IDNYC Homebase --on 2026-11-28")
)
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
    click.echo(f"{count_of(programs, 'program')} reviewed for {year}", err=True)


@command.command(epilog=example("benyfits-data editions publish 2027"))
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

    click.echo(f"edition {year}: comparing it with what was published", err=True)
    check_publishable(year)
    if not unreviewed:
        click.echo(f"edition {year}: counting what nobody has looked at", err=True)
        check_reviewed(year)
    programs = load_edition(year).programs.values()
    click.echo(f"edition {year}: linting {count_of(programs, 'program')}", err=True)
    problems = []
    with progress("programs", len(programs)) as tick:
        for program in programs:
            problems += lint_program(program, latest_day())
            tick(1)
    for problem in problems:
        click.echo(str(problem), err=True)
    if problems:
        raise ProgramFolderError(
            f"Edition {year} has {count_of(problems, 'problem')} and stays a draft. Mend "
            "them first."
        )
    click.echo(f"edition {year}: writing digests", err=True)
    click.echo(f"edition {year} is published: {fix(year)}")


@command.command(epilog=example("benyfits-data editions verify"))
@click.argument("years", type=int, nargs=-1)
@json_option
def verify(years: tuple[int, ...], as_json: bool) -> None:
    """Check that published editions are as they were published.

    Exits with 1 and names every program whose text, rule, values or sources changed.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.upkeep.edition_register import problems

    for year in years:
        load_edition(year)
    differences = problems(years=years)
    if as_json:
        print_json(differences)
    else:
        click.echo("".join(f"{problem}\n" for problem in differences), nl=False)
    if differences:
        raise PublishedEditionError(
            f"{count_of(differences, 'difference')} from what was published. "
            "Undo the change, or record it: `benyfits-data editions correct YEAR --reason TEXT`.",
            problems=differences,
        )
    click.echo("published editions are as they were published", err=True)


@command.command(
    epilog=example('benyfits-data editions correct 2024 --reason "the age was misread"')
)
@click.argument("year", type=int)
@option("--reason", required=True, help="Why the published edition had to change.")
@option(
    "--changelog",
    type=FILE,
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


@click.command(epilog=example("benyfits-data init my-benefits"))
@click.argument("folder", type=FOLDER)
def init(folder: Path) -> None:
    """Make a workspace: a folder for editions and programs of one's own.

    Commands run in it, or in a folder below it, read its programs and editions over those of the
    package, and write there. BENYFITS_WORKSPACE names a workspace from anywhere.
    """
    from benyfits_data.editions.workspace import init_workspace

    init_workspace(folder)
    click.echo(f"{folder} is a workspace", err=True)
    click.echo(f"next: cd {folder}; benyfits-data editions new YEAR --from YEAR", err=True)
