"""`benyfits-data prove`: elements reachable or dead, readers equal, the fewest pairs."""

import itertools
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from benyfits_data.cli.options import (
    COUNT,
    DEFAULT_HOUSEHOLDS,
    FILE,
    NounGroup,
    example,
    known_edition,
    option,
    rows_edition_option,
    seed_option,
    solver_options,
)
from benyfits_data.cli.progress import progress, spinner
from benyfits_data.cli.tables import as_objects, count_of, json_option, print_json, print_table

if TYPE_CHECKING:
    from benyfits_data.editions import Edition
    from benyfits_data.language.source import Element
    from benyfits_data.language.z3_backend import Verdict


programs_argument = click.argument("programs", nargs=-1, metavar="[PROGRAM]...")
edition_or_all_option = option(
    "--edition",
    type=int,
    callback=known_edition,
    show_default="every published edition",
    help="The year whose rules and amounts apply.",
)


@click.group(cls=NounGroup, epilog=example("benyfits-data prove checkers FairFaresNYC"))
def command() -> None:
    """Prove which lines of checkers can run, that readers agree, and that datasets are small."""


@command.command(
    epilog=example(
        "benyfits-data prove checkers",
        "benyfits-data prove checkers FairFaresNYC --edition 2026 --households 0",
    )
)
@programs_argument
@edition_or_all_option
@solver_options
@json_option
def checkers(
    programs: tuple[str, ...],
    edition: int | None,
    workers: int,
    households: int,
    cache: Path,
    as_json: bool,
) -> None:
    """Prove every line and branch of every checker reachable or dead.

    Each is covered (a sampled household runs it), reachable (a household found by the Z3 solver
    runs it), dead (no possible household can) or unknown (the solver gave up). With several
    editions also: which programs changed. Without PROGRAM also: which constraints follow from the
    others. JSON holds every verdict with its household. Exits with 1 if a line is dead, or anything
    unknown; branches may be dead, such as those of `is None` for what is never None there.
    """
    from benyfits_data.language.z3_backend import World, prove_constraints

    editions = _editions(edition)
    verdicts = _prove_elements(editions, programs, workers, households, cache)
    if not as_json:
        _print_elements(verdicts)
    with spinner("proving constraints"):
        constraints = [] if programs else prove_constraints(World())
    if constraints and not as_json:
        for verdict in constraints:
            if verdict.status != "needed":
                click.echo(f"constraint {verdict.name}: {verdict.status} by the others")
        counts = _counted(("needed", "implied", "unknown"), (one.status for one in constraints))
        click.echo(f"{len(constraints)} constraints hold together: {counts}")
    with spinner("comparing editions"):
        changes = [_changes(*pair, programs) for pair in itertools.pairwise(editions)]
    if as_json:
        print_json(
            {
                "elements": [_as_json(verdict) for verdict in verdicts],
                "constraints": {verdict.name: verdict.status for verdict in constraints},
                "changes": changes,
            }
        )
    else:
        for change in changes:
            changed = change["changed"]
            names = ", ".join(f"{name} ({way})" for name, way in changed.items())
            same = count_of(change["same"], "program")
            click.echo(
                f"{change['from']} to {change['to']}: {same} proven the same, "
                f"{len(changed)} decide a household otherwise{': ' if names else ''}{names}"
            )
    if any(
        one.status == "unknown" or (one.status == "dead" and isinstance(one.element, int))
        for one in verdicts
    ):
        sys.exit(1)


@command.command(epilog=example("benyfits-data prove readers --pairs 1000000"))
@programs_argument
@edition_or_all_option
@option("--pairs", type=COUNT, default=100_000, help="Pairs of a household and a program.")
@seed_option
@json_option
def readers(
    programs: tuple[str, ...], edition: int | None, pairs: int, seed: int, as_json: bool
) -> None:
    """Compare the NumPy reader with CPython under coverage.py: label, lines and branches."""
    compared = _compare(_editions(edition), programs, pairs, seed)
    if as_json:
        print_json({"pairs": compared, "agree": True})
    else:
        what = "NumPy and CPython under coverage.py agree on label, lines and branches"
        click.echo(f"{count_of(compared, 'pair')}: {what}")


@command.command(epilog=example("benyfits-data prove fewest output/2026/diverse.jsonl"))
@click.argument("dataset", type=FILE)
@programs_argument
@rows_edition_option
@option(
    "--objective",
    type=click.Choice(["branches", "lines"]),
    default="branches",
    help="What must be run: every line; or also every condition both ways (branches).",
)
@solver_options
@json_option
def fewest(
    dataset: Path,
    programs: tuple[str, ...],
    edition: int | None,
    objective: Literal["branches", "lines"],
    workers: int,
    households: int,
    cache: Path,
    as_json: bool,
) -> None:
    """Prove how many pairs are needed at least to run what the pairs of DATASET run.

    Prints for each program: its pairs in the dataset; how few possible households are known to run
    the same; the number that is proven to be needed, of all possible households of one to six
    members; and the gap between the first and the last. JSON holds the households, where they are
    fewer.
    """
    from benyfits_data.adequacy.fewest_pairs import prove_fewest
    from benyfits_data.adequacy.noticed import Solver
    from benyfits_data.dataset import Dataset
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.sample import sample_households

    rows = Dataset.read(dataset)
    editions = sorted({row.edition for row in rows})
    if not rows:
        raise click.UsageError(f"{dataset} has no rows. Give a dataset of ours.")
    if edition is None and len(editions) > 1:
        years = " and ".join(map(str, editions))
        raise click.UsageError(f"The rows of {dataset} are of editions {years}. Say --edition.")
    rules = load_edition(edition or editions[0])
    asked = {
        name: [at for at, row in enumerate(rows) if name in row.programs]
        for name in _asked(rules, programs)
    }
    others = [sample_households(households, rules, seed=0)] if households else []
    solver = Solver(workers, folder=cache)
    with progress("proving", sum(map(bool, asked.values()))) as tick:
        lines_only = objective == "lines"
        bounds = list(
            prove_fewest(
                rules, rows.households, asked, others, solver, lines_only=lines_only, tick=tick
            )
        )
    header = ("program", "pairs", "possible", "proven", "gap")
    cells = [(one.program, one.pairs, one.possible, one.proven, one.gap) for one in bounds]
    total = ("Total", *(sum(getattr(one, name) for one in bounds) for name in header[1:]))
    if not as_json:
        print_table(
            header, [*(row for row, one in zip(cells, bounds, strict=True) if one.gap), total]
        )
        return
    each = as_objects(header, cells)
    for content, one in zip(each, bounds, strict=True):
        content["households"] = [household.facts() for household in one.households]
    counts = dict(zip(header[1:], total[1:], strict=True))
    print_json({"edition": rules.year, "objective": objective, **counts, "programs": each})


def _editions(edition: int | None) -> list["Edition"]:
    from benyfits_data.editions import EDITIONS, load_edition

    return [load_edition(year) for year in ([edition] if edition else EDITIONS)]


def _prove_elements(
    editions: Sequence["Edition"],
    programs: Sequence[str],
    workers: int,
    households: int,
    cache: Path,
) -> list["Verdict"]:
    from benyfits_data.fuzz.sample import sample_households
    from benyfits_data.language.source import place
    from benyfits_data.language.z3_backend import Task, covered_elements, prove_many

    tasks = []
    for edition in editions:
        covered: dict[str, frozenset[Element]] = {}
        if households:
            covered = covered_elements(edition, sample_households(households, edition, seed=0))
        for name in _asked(edition, programs):
            tasks.append(Task(edition.year, name, covered.get(name, frozenset())))
    with progress("proving", len(tasks)) as tick:
        proven = prove_many(tasks, workers, folder=cache, tick=tick)
        verdicts = [verdict for its in proven for verdict in its]
    return sorted(verdicts, key=lambda one: (one.edition, one.program, place(one.element)))


def _asked(edition: "Edition", programs: Sequence[str]) -> list[str]:
    return [edition.program(name).name for name in programs] or list(edition.programs)


def _counted(names: Sequence[str], statuses: Iterable[str]) -> str:
    counts = Counter(statuses)
    return ", ".join(f"{counts[name]} {name}" for name in names)


def _print_elements(verdicts: Sequence["Verdict"]) -> None:
    from benyfits_data.editions import load_edition
    from benyfits_data.language.source import named, place

    for verdict in verdicts:
        if verdict.status in ("dead", "unknown"):
            path = load_edition(verdict.edition).program(verdict.program).checker_path
            line = place(verdict.element)[0]
            text = path.read_text(encoding="utf-8").splitlines()[line - 1].strip()
            where = f"{verdict.status} in {verdict.edition}: {path}:{line}"
            summary = f"{named(verdict.element)}: {text} ({verdict.seconds:.1f} s)"
            click.echo(f"{where}: {summary}")
    for year, its in itertools.groupby(verdicts, key=lambda verdict: verdict.edition):
        proven = list(its)
        for kind, words in ((int, "lines"), (tuple, "branches")):
            statuses = [verdict.status for verdict in proven if isinstance(verdict.element, kind)]
            summary = _counted(("covered", "reachable", "dead", "unknown"), statuses)
            click.echo(f"{year}: {len(statuses)} {words}: {summary}")


def _as_json(verdict: "Verdict") -> dict[str, Any]:
    household = verdict.household
    return {
        "program": verdict.program,
        "edition": verdict.edition,
        "element": verdict.element,
        "status": verdict.status,
        "seconds": round(verdict.seconds, 3),
        "household": None if household is None else household.facts(),
    }


def _changes(before: "Edition", after: "Edition", programs: Sequence[str]) -> dict[str, Any]:
    """Return which programs decide some household otherwise in a later edition, and how."""
    from benyfits_data.language.z3_backend import program_difference

    names = [name for name in _asked(before, programs) if name in after.programs]
    changed = {}
    for name in names:
        household = program_difference(before.programs[name], after.programs[name])
        if household is not None:
            is_lost = before.programs[name].is_eligible(household)
            changed[name] = "loses" if is_lost else "gains"
    same = len(names) - len(changed)
    return {"from": before.year, "to": after.year, "same": same, "changed": changed}


def _compare(editions: Sequence["Edition"], programs: Sequence[str], pairs: int, seed: int) -> int:
    """Return on how many pairs both readers agree.

    Raises:
        ProofError: They disagree on one.
    """
    from benyfits_data.errors import ProofError
    from benyfits_data.fuzz.sample import sample_households
    from benyfits_data.language.reader_agreement import compare_readers

    compared = 0
    with progress("comparing", pairs) as tick:
        for edition in editions:
            names = _asked(edition, programs)
            n = -(-pairs // len(editions) // len(names))
            for start in range(0, n, DEFAULT_HOUSEHOLDS):
                households = sample_households(
                    min(DEFAULT_HOUSEHOLDS, n - start), edition, seed + start
                )
                disagreements = compare_readers(edition, households, names, tick)
                if disagreements:
                    raise ProofError(disagreements[0].describe(), disagreements=disagreements)
                compared += len(households) * len(names)
    return compared
