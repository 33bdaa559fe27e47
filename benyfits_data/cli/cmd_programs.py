"""`benyfits-data programs`: list, show, compare, lint and begin the programs."""

import re
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from benyfits_data.cli.options import (
    FILE,
    NEW_FILE,
    NounGroup,
    edition_option,
    example,
    folder_option,
    option,
)
from benyfits_data.cli.progress import progress, spinner
from benyfits_data.cli.role_options import read_settings, server_options
from benyfits_data.cli.tables import (
    Form,
    count_of,
    json_option,
    print_json,
    print_table,
    table_options,
)
from benyfits_data.errors import UnknownProgramError

if TYPE_CHECKING:
    from benyfits_data.upkeep.edition_diff import Flips

FRAGMENT = Path("fragments") / "programs-diff.html"
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


@click.group(cls=NounGroup, epilog=example("benyfits-data programs list"))
def command() -> None:
    """List, show, compare, check and begin benefit programs."""


@command.command("list", epilog=example("benyfits-data programs list --edition 2026"))
@edition_option
@table_options
def list_programs(edition: int, form: Form) -> None:
    """List the programs of an edition: name, title, agency."""
    from benyfits_data.editions import load_edition

    rows = [(one.name, one.title, one.agency) for one in load_edition(edition).values()]
    print_table(("program", "title", "agency"), rows, form=form)


@command.command(epilog=example("benyfits-data programs show FairFaresNYC --edition 2026"))
@click.argument("name")
@edition_option
@json_option
def show(name: str, edition: int, as_json: bool) -> None:
    """Show a program: its text, values with sources and notes, omissions, lines, readings."""
    from benyfits_data.editions import SizeTable, load_edition
    from benyfits_data.editions.switches import lines_off
    from benyfits_data.language.source import Source
    from benyfits_data.upkeep.freshness import source_lines

    program = load_edition(edition).program(name)
    entries = [program.thresholds.entry(name) for name in program.thresholds.names()]
    lines: dict[str, list[int]] = {clause: [] for clause in program.clauses}
    for line, clauses in Source.of(program.checker).decisions.items():
        for clause in clauses:
            lines.setdefault(clause, []).append(line)  # `programs lint` names unknown clauses.
    off, switches = lines_off(program.checker), program.thresholds.switches()
    if as_json:
        about = ("name", "title", "agency", "level", "category", "unit", "edition", "ended")
        content = {key: getattr(program, key) for key in about}
        content["requirements"], content["checker"] = program.requirements(), program.checker_path
        content |= {"thresholds": list(map(asdict, entries)), "lines": lines, "off": off}
        content["source"] = asdict(program.sources) if program.sources else None
        content["readings"] = list(map(asdict, program.readings))
        content["plain"] = program.plain() if program.plain_path else None
        print_json(content)
        return
    click.echo(f"{program.title} ({program.name}), edition {edition}")
    click.echo(f"{program.agency}; {program.level}; {program.category}; unit: {program.unit}\n")
    if program.ended:
        click.echo(f"Ended: {program.ended}.\n")
    click.echo(program.requirements())
    for entry in entries:
        value = "" if isinstance(entry.value, SizeTable) else f" = {entry.value}"
        seen = f"set in {entry.since}, verified {entry.verified}"
        click.echo(f"{entry.name}{value} ({entry.unit}): {seen}\n  {entry.source}")
        if entry.note:
            click.echo(f"  Note: {entry.note}")
    for told_line in source_lines(program):
        click.echo(told_line)
    click.echo(f"\n{program.checker_path}")
    for clause, its in lines.items():
        if its:
            click.echo(f"clause {clause}: line {', '.join(map(str, its))}")
    if off:
        states = ", ".join(f"{switch} {'on' if on else 'off'}" for switch, on in switches.items())
        click.echo(f"off in {edition} ({states}): line {', '.join(map(str, off))}")
    for reading in program.readings:
        options = ", ".join(option_.id for option_ in reading.others)
        click.echo(f"reading {reading.id}: {reading.question} {reading.in_force}, not {options}")
        click.echo(f"  {reading.why} {reading.standing}")
    if program.readings:
        effects = f"benyfits-data programs readings {program.name} --edition {edition}"
        click.echo(f"next: {effects}", err=True)


@command.command(epilog=example("benyfits-data programs lint FairFaresNYC head_start"))
@click.argument("names", nargs=-1)
@option("--rules", "lists_rules", is_flag=True, help="List the rules by code, and check nothing.")
@json_option
def lint(names: tuple[str, ...], lists_rules: bool, as_json: bool) -> None:
    """Check program folders in every edition: language, clauses, thresholds, texts, examples.

    NAMES are programs or their folders; without any, all are checked. Every problem names its rule
    by a code. Exits with 1 if anything is wrong.
    """
    from benyfits_data.lint.rules import RULES

    if lists_rules:
        print_table(("code", "rule"), RULES.items(), form="json" if as_json else "text")
        return
    from benyfits_data.editions import workspace
    from benyfits_data.lint.program_folder import lint_folder
    from benyfits_data.lint.text_rules import latest_day

    folders = [_folder(name) for name in names] or workspace.program_folders()
    problems = set()
    with progress("programs", len(folders)) as tick:
        for folder in folders:
            problems |= set(lint_folder(folder, latest_day()))
            tick(1)
    listed = sorted(problems)
    if as_json:
        print_json([asdict(problem) for problem in listed])
    else:
        for problem in listed:
            click.echo(str(problem).replace(f"{Path.cwd()}/", ""))
    click.echo(f"{count_of(folders, 'program')}, {count_of(listed, 'problem')}", err=True)
    if listed:
        raise SystemExit(1)


@command.command(epilog=example("benyfits-data programs diff 2024 2026 FairFaresNYC ThreeK"))
@click.argument("old", type=int)
@click.argument("new", type=int)
@click.argument("programs", nargs=-1)
@households_option
@option("--dataset", type=FILE, help="Name the rows of this dataset whose labels change.")
@witnesses_option
@folder_option
@json_option
def diff(
    old: int,
    new: int,
    programs: tuple[str, ...],
    households: int,
    dataset: Path | None,
    witnesses: bool,
    output: Path,
    as_json: bool,
) -> None:
    """Compare editions OLD and NEW: texts side by side, values with sources, whose answer changes.

    Prints Markdown. Without PROGRAMS, all of them; those that did not change are only counted. The
    same content is written for the site to OUTPUT/fragments/programs-diff.html.
    """
    from benyfits_data.dataset import read_rows, write_atomically
    from benyfits_data.editions import load_edition
    from benyfits_data.household.columns import Households
    from benyfits_data.language.z3_backend import World
    from benyfits_data.population.synthesis import synthesize
    from benyfits_data.upkeep.edition_diff import compare, count_flips
    from benyfits_data.upkeep.edition_diff_report import EditionDiff, as_content, render_diff
    from benyfits_data.upkeep.witnesses import find_witness

    editions = load_edition(old), load_edition(new)
    comparisons = compare(*editions, programs)
    moved = [one.name for one in comparisons if one.kind in ("rule", "amount")]

    city: dict[str, Flips] = {}
    if households:
        with spinner("drawing the city"):
            city = count_flips(*editions, synthesize(households, seed=0), moved)
    witness_of = {}
    if witnesses and moved:
        world = World()
        with progress("searching households", len(moved)) as tick:
            for name in moved:
                pair = editions[0].program(name), editions[1].program(name)
                witness_of[name] = [find_witness(*pair, way, world) for way in ("gains", "loses")]
                tick(1)
    flips: dict[str, Flips] = {}
    if dataset is not None:
        rows = read_rows(dataset)
        asked = Households.from_households([row.household for row in rows])
        flips = count_flips(*editions, asked, moved, [row.id for row in rows])
    report = EditionDiff((old, new), comparisons, witness_of, city, flips)
    if as_json:
        print_json(as_content(report))
    else:
        click.echo(render_diff(report, "md"), nl=False)
    write_atomically(output / FRAGMENT, render_diff(report, "html"))
    click.echo(f"{output / FRAGMENT}", err=True)


@command.command(
    epilog=example(
        "benyfits-data programs readings SectionEightHousingChoiceVoucherProgram",
        "benyfits-data programs readings --edition 2024 --households 0 --no-witnesses",
    )
)
@click.argument("names", nargs=-1)
@edition_option
@households_option
@witnesses_option
@json_option
def readings(
    names: tuple[str, ...],
    edition: int,
    households: int,
    witnesses: bool,
    as_json: bool,
) -> None:
    """Show what programs' sources leave open, and what each other reading would change.

    NAMES are programs; without any, all of them. A star marks the option in force. Each other
    option comes with the share of the city whose label it changes, and with a smallest household
    that separates the two: the question to put to the city.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.language.z3_backend import World
    from benyfits_data.population.synthesis import synthesize
    from benyfits_data.upkeep.witnesses import measure_readings

    rules = load_edition(edition)
    chosen = [rules.program(name).name for name in names] or list(rules.programs)
    asked = [name for name in chosen if rules.program(name).readings]
    with spinner("drawing the city"):
        city = synthesize(households, seed=0) if households and asked else None
    effects = []
    n_readings = sum(len(rules.program(name).readings) for name in asked)
    with progress("measuring readings", n_readings) as tick:
        for effect in measure_readings(rules, asked, city, World() if witnesses else None):
            effects.append(effect)
            tick(1)
    if as_json:
        print_json([effect.as_json() for effect in effects])
        return
    for effect in effects:
        click.echo(f"{effect}\n")
    of = f"{len(asked)} of {count_of(chosen, 'program')} of {edition}"
    click.echo(f"{count_of(effects, 'reading')} in {of}", err=True)


def _folder(name: str) -> Path:
    """Return a program folder, by the program's name or title or its own name."""
    from benyfits_data.editions.toml_file import read_text
    from benyfits_data.editions.workspace import program_folders
    from benyfits_data.spelling import fold, suggest

    folders = {}
    for folder in program_folders():
        text = read_text(folder / "requirements.md")
        spellings = re.findall(r'^(?:name|title) = "(.*)"$', text, re.MULTILINE)
        for spelling in (folder.name, *spellings):
            folders[fold(spelling)] = folder
    if match := folders.get(fold(name)):
        return match
    hint = suggest(
        name,
        [one.name for one in folders.values()],
        "`benyfits-data programs list` names them all.",
    )
    raise UnknownProgramError(f"No program is named {name!r}. {hint}", program=name)


@command.command(epilog=example("benyfits-data programs new SchoolMeals --since 2027"))
@click.argument("name")
@option("--since", type=int, required=True, help="The first edition it is part of, a draft.")
def new(name: str, since: int) -> None:
    """Write the folder of a new program; `programs lint NAME` then says what to fill in.

    NAME is letters only, each word with a capital.
    """
    from benyfits_data.upkeep.edition_register import new_program

    folder = new_program(name, since, datetime.now(UTC).date())
    click.echo(folder)
    click.echo(f"next: fill in what `benyfits-data programs lint {name}` names", err=True)


@command.command(epilog=example("benyfits-data programs edit FairFaresNYC"))
@click.argument("name")
def edit(name: str) -> None:
    """Copy a program of the package into the workspace, where it may be changed."""
    from benyfits_data.editions.workspace import writable

    click.echo(writable(_folder(name) / "checker.py").parent)


@command.command(
    epilog=example("benyfits-data programs draft FairFaresNYC --model openai/gpt-4o --text new.md")
)
@click.argument("name")
@option("--model", "models", required=True, help="The model that writes.")
@option("--text", type=FILE, help="The new text; that of the edition if not given.")
@edition_option
@households_option
@server_options
@option("--output", type=NEW_FILE, help="Write the program there; else nothing is written.")
@json_option
def draft(
    name: str, models: str, text: Path | None, edition: int, households: int,
    output: Path | None, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Have a model write the checker of a new text, and show what changes for whom.

    The program is held against the edition's checker: proven the same, or with a smallest household
    that it decides otherwise and the share of the synthetic city for which it does.
    """
    from benyfits_data.dataset import write_atomically
    from benyfits_data.editions import load_edition
    from benyfits_data.errors import EvaluationError
    from benyfits_data.evaluation.models import choose_roles
    from benyfits_data.evaluation.rules.rules_task import describe_change, play_rules, read_records
    from benyfits_data.evaluation.run_options import Options

    roles = {**choose_roles(), "code": choose_roles(models=models)["code"]}
    settings = read_settings(roles, given, {}, ())
    program = load_edition(edition).program(name).name
    with TemporaryDirectory() as folder:
        options = Options(roles=roles, settings=settings, log_dir=Path(folder))
        log = play_rules(
            options,
            edition=edition,
            programs=program,
            text=text and text.read_text(encoding="utf-8"),
            city=households,
        )
        (record,) = read_records(log)
    if record["verdict"]["status"] == "no_program":
        raise EvaluationError(f"{models} wrote no program: {record['verdict']['failure']}")
    if as_json:
        print_json(record)
    else:
        click.echo(f"{record['source']}\n{describe_change(record)}")
    if output is not None:
        write_atomically(output, record["source"])
        click.echo(output, err=True)
