"""`benyfits-data programs`: list, show, compare, lint and begin the programs."""

from datetime import UTC, datetime
from pathlib import Path

import click

from benyfits_data.cli import options
from benyfits_data.cli.frame import Listing, Report, noun, option, say, verb
from benyfits_data.progress import progress
from benyfits_data.wording import count_of

households_option = option(
    "--households",
    type=click.IntRange(min=0),
    default=20_000,
    help="Households of the synthetic city whose labels are compared; 0 draws none.",
)
witnesses_option = option(
    "--witnesses/--no-witnesses",
    default=True,
    help="Search for a smallest household that shows each difference.",
)


command = noun("List, show, compare, check and begin benefit programs.", "programs list")


@verb("programs list --edition 2026", of=command)
@options.edition
def list_programs(edition: int) -> Listing:
    """List the programs of an edition: name, title, agency."""
    from benyfits_data.editions import load_edition

    rows = [(of.name, of.title, of.agency) for of in load_edition(edition).values()]
    return Listing(("program", "title", "agency"), rows)


@verb("programs show FairFaresNYC --edition 2026", of=command)
@click.argument("name")
@options.edition
def show(name: str, edition: int) -> Report:
    """Show a program: its text, values with sources and notes, omissions, lines, readings."""
    from benyfits_data.editions import load_edition
    from benyfits_data.upkeep.program_account import ProgramAccount

    account = ProgramAccount(load_edition(edition).program(name))
    effects = f"benyfits-data programs readings {account.program.name} --edition {edition}"
    notes = [f"next: {effects}"] if account.program.readings else []
    return Report(list(account.lines()), account.as_json(), notes)


@verb("programs lint FairFaresNYC head_start", of=command)
@click.argument("names", nargs=-1)
@option("--rules", "lists_rules", is_flag=True, help="List the rules by code, and check nothing.")
def lint(names: tuple[str, ...], lists_rules: bool) -> Listing | Report:
    """Check program folders in every edition: language, clauses, thresholds, texts, examples.

    NAMES are programs or their folders; without any, all are checked. Every problem names its rule
    by a code. Exits with 1 if anything is wrong.
    """
    from benyfits_data.language.findings import RULES

    if lists_rules:
        return Listing(("code", "rule"), [*RULES.items()])
    from benyfits_data.editions.workspace import find_folder, program_folders
    from benyfits_data.lint.program_folder import lint_folder
    from benyfits_data.lint.text_rules import latest_day

    folders = [find_folder(name) for name in names] or program_folders()
    problems = set()
    with progress("programs", len(folders)) as tick:
        for folder in folders:
            problems |= set(lint_folder(folder, latest_day()))
            tick(1)
    listed = sorted(problems)
    lines = [str(problem).replace(f"{Path.cwd()}/", "") for problem in listed]
    note = f"{count_of(folders, 'program')}, {count_of(listed, 'problem')}"
    return Report(lines, listed, [note], failed=bool(listed))


@verb("programs diff 2024 2026 FairFaresNYC ThreeK", of=command)
@click.argument("old", type=int)
@click.argument("new", type=int)
@click.argument("programs", nargs=-1)
@households_option
@option("--dataset", type=options.FILE, help="Name the rows of this dataset whose labels change.")
@witnesses_option
def diff(
    old: int,
    new: int,
    programs: tuple[str, ...],
    households: int,
    dataset: Path | None,
    witnesses: bool,
) -> Report:
    """Compare editions OLD and NEW: texts side by side, values with sources, whose answer changes.

    Prints Markdown. Without PROGRAMS, all of them; those that did not change are only counted.
    """
    from benyfits_data.dataset import read_rows
    from benyfits_data.editions import load_edition
    from benyfits_data.language.z3_backend import World
    from benyfits_data.population.synthesis import synthesize
    from benyfits_data.upkeep.edition_diff import compare

    before, after = load_edition(old), load_edition(new)
    with progress("drawing the city"):
        city = synthesize(households, seed=0) if households else None
    rows, world = read_rows(dataset) if dataset else (), World() if witnesses else None
    with progress("comparing programs", len(programs or {**before, **after})) as tick:
        report = compare(before, after, programs, city=city, rows=rows, world=world, tick=tick)
    return Report([report.markdown()], report.as_json())


@verb(
    "programs readings SectionEightHousingChoiceVoucherProgram",
    "programs readings --edition 2024 --households 0 --no-witnesses",
    of=command,
)
@click.argument("names", nargs=-1)
@options.edition
@households_option
@witnesses_option
def readings(names: tuple[str, ...], edition: int, households: int, witnesses: bool) -> Report:
    """Show what programs' sources leave open, and what each other reading would change.

    NAMES are programs; without any, all of them. A star marks the option in force. Each other
    option comes with the share of the city whose label it changes, and with a smallest household
    that separates the two: the question to put to the city.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.language.z3_backend import World
    from benyfits_data.population.synthesis import synthesize
    from benyfits_data.upkeep.reading_effects import measure_readings

    rules = load_edition(edition)
    chosen = [rules.program(name).name for name in names] or list(rules.programs)
    asked = [name for name in chosen if rules.program(name).readings]
    with progress("drawing the city"):
        city = synthesize(households, seed=0) if households and asked else None
    effects = []
    n_readings = sum(len(rules.program(name).readings) for name in asked)
    with progress("measuring readings", n_readings) as tick:
        for effect in measure_readings(rules, asked, city, World() if witnesses else None):
            effects.append(effect)
            tick(1)
    of = f"{len(asked)} of {count_of(chosen, 'program')} of {edition}"
    content = [effect.as_json() for effect in effects]
    note = f"{count_of(effects, 'reading')} in {of}"
    return Report([f"{effect}\n" for effect in effects], content, [note])


@verb("programs new SchoolMeals --since 2027", of=command)
@click.argument("name")
@option("--since", type=int, required=True, help="The first edition it is part of, a draft.")
def new(name: str, since: int) -> None:
    """Write the folder of a new program; `programs lint NAME` then says what to fill in.

    NAME is letters only, each word with a capital.
    """
    from benyfits_data.upkeep.edition_register import new_program

    folder = new_program(name, since, datetime.now(UTC).date())
    click.echo(folder)
    say(f"next: fill in what `benyfits-data programs lint {name}` names")


@verb("programs edit FairFaresNYC", of=command)
@click.argument("name")
def edit(name: str) -> None:
    """Copy a program of the package into the workspace, where it may be changed."""
    from benyfits_data.editions.workspace import find_folder, writable

    click.echo(writable(find_folder(name) / "checker.py").parent)
