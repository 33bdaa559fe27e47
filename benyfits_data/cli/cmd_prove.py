"""`benyfits-data prove`: elements reachable or dead, constraints needed, editions compared."""

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
    example,
    option,
    solver_options,
)
from benyfits_data.cli.progress import progress
from benyfits_data.cli.tables import as_objects, json_option, print_json, print_table

if TYPE_CHECKING:
    from benyfits_data.adequacy.noticed import Solver
    from benyfits_data.editions import Edition
    from benyfits_data.language.source import Element
    from benyfits_data.language.z3_backend import Verdict


@click.command(
    epilog=example(
        "benyfits-data prove",
        "benyfits-data prove FairFaresNYC --edition 2026 --households 0",
        "benyfits-data prove --pairs 1000000",
        "benyfits-data prove --fewest output/diverse.jsonl",
    )
)
@click.argument("programs", nargs=-1, metavar="[PROGRAM]...")
@option("--edition", type=int, help="One year; every edition unless given.")
@solver_options
@option(
    "--pairs",
    type=COUNT,
    help="Instead: compare the NumPy reader with CPython under coverage.py on this many pairs of "
    "a household and a program.",
)
@option(
    "--fewest",
    type=FILE,
    help="Instead: prove below how many pairs no selection of possible households runs what the "
    "pairs of this dataset run.",
)
@option(
    "--objective",
    type=click.Choice(["branches", "lines"]),
    default="branches",
    help="With --fewest: what must be run: branches is lines and branches.",
)
@json_option
def command(
    programs: tuple[str, ...],
    edition: int | None,
    jobs: int,
    households: int,
    seed: int,
    patience: float,
    cache: Path,
    pairs: int | None,
    fewest: Path | None,
    objective: Literal["branches", "lines"],
    as_json: bool,
) -> None:
    """Prove every line and branch of every checker reachable or dead.

    One is covered (a sampled household runs it), reachable (a household found by the Z3 solver
    runs it), dead (no possible household can) or unknown (the solver gave up). With several
    editions also: which programs changed. Without PROGRAM also: which constraints the others
    imply. JSON holds every verdict with its household. Exits with 1 if a line is dead, or anything
    unknown: a branch may be dead, where `is None` is asked of what cannot be None there.

    With --fewest: how many pairs each program has in the dataset, how few possible households are
    known to run the same (in the JSON, where they are fewer), and below which number no possible
    households of one to six members can; a gap is what a program has more than that.
    """
    from benyfits_data.adequacy.noticed import Solver
    from benyfits_data.editions import EDITIONS, load_edition
    from benyfits_data.language.z3_backend import World, prove_constraints

    if fewest is not None:
        if pairs is not None:
            raise click.UsageError("--fewest and --pairs ask for different proofs. Give one.")
        solver = Solver(jobs, patience, cache)
        _fewest(fewest, edition, programs, objective, households, seed, solver, as_json)
        return
    editions = [load_edition(year) for year in ([edition] if edition else EDITIONS)]
    if pairs is not None:
        compared = _compare(editions, programs, pairs, seed)
        if as_json:
            print_json({"pairs": compared, "agree": True})
        else:
            what = "NumPy and CPython under coverage.py agree on label, lines and branches"
            click.echo(f"{compared:,} pairs: {what}")
        return
    found = _prove_elements(editions, programs, jobs, households, seed, patience, cache)
    if not as_json:
        _print_elements(found)
    constraints = [] if programs else prove_constraints(World(patience))
    if constraints and not as_json:
        for verdict in constraints:
            if verdict.status != "needed":
                click.echo(f"constraint {verdict.name}: {verdict.status} by the others")
        told = _counted(("needed", "implied", "unknown"), (it.status for it in constraints))
        click.echo(f"{len(constraints)} constraints hold together: {told}")
    changes = [_changes(*pair, programs) for pair in itertools.pairwise(editions)]
    if as_json:
        print_json(
            {
                "elements": [_as_json(verdict) for verdict in found],
                "constraints": {verdict.name: verdict.status for verdict in constraints},
                "changes": changes,
            }
        )
    else:
        for it in changes:
            names = ", ".join(f"{name} ({way})" for name, way in it["changed"].items())
            click.echo(
                f"{it['from']} to {it['to']}: {it['same']} programs proven the same, "
                f"{len(it['changed'])} decide a household otherwise: {names}"
            )
    if any(
        it.status == "unknown" or (it.status == "dead" and isinstance(it.element, int))
        for it in found
    ):
        sys.exit(1)


def _fewest(
    path: Path,
    year: int | None,
    programs: Sequence[str],
    objective: Literal["branches", "lines"],
    households: int,
    seed: int,
    solver: "Solver",
    as_json: bool,
) -> None:
    """Print for a dataset how many pairs it has, how few are possible, and how few are proven."""
    from benyfits_data.adequacy.fewest_pairs import prove_fewest
    from benyfits_data.dataset import Dataset
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.sample import sample_households

    rows = Dataset.read(path)
    editions = sorted({row.edition for row in rows})
    if not rows:
        raise click.UsageError(f"{path} has no rows. Give a dataset of ours.")
    if year is None and len(editions) > 1:
        told = " and ".join(map(str, editions))
        raise click.UsageError(f"The rows of {path} are of editions {told}. Say --edition.")
    edition = load_edition(year or editions[0])
    asked = {
        name: [at for at, row in enumerate(rows) if name in row.programs]
        for name in _asked(edition, programs)
    }
    others = [sample_households(households, edition, seed)] if households else []
    with progress("Proving", sum(map(bool, asked.values()))) as tick:
        lines_only = objective == "lines"
        found = list(
            prove_fewest(
                edition, rows.households, asked, others, solver, lines_only=lines_only, tick=tick
            )
        )
    header = ("program", "pairs", "possible", "proven", "gap")
    cells = [(one.program, one.pairs, one.possible, one.proven, one.gap) for one in found]
    total = ("Total", *(sum(getattr(one, name) for one in found) for name in header[1:]))
    if not as_json:
        print_table(
            header, [*(own for own, one in zip(cells, found, strict=True) if one.gap), total]
        )
        return
    each = as_objects(header, cells)
    for own, one in zip(each, found, strict=True):
        own["households"] = [household.facts() for household in one.households]
    counts = dict(zip(header[1:], total[1:], strict=True))
    print_json({"edition": edition.year, "objective": objective, **counts, "programs": each})


def _prove_elements(
    editions: Sequence["Edition"],
    programs: Sequence[str],
    jobs: int,
    households: int,
    seed: int,
    patience: float,
    cache: Path,
) -> list["Verdict"]:
    from benyfits_data.fuzz.sample import sample_households
    from benyfits_data.language.source import place
    from benyfits_data.language.z3_backend import Task, covered_elements, prove_many

    tasks = []
    for edition in editions:
        covered: dict[str, frozenset[Element]] = {}
        if households:
            covered = covered_elements(edition, sample_households(households, edition, seed))
        for name in _asked(edition, programs):
            tasks.append(Task(edition.year, name, covered.get(name, frozenset())))
    with progress("Proving", len(tasks)) as tick:
        found = prove_many(tasks, jobs, patience, cache, tick)
        verdicts = [verdict for its in found for verdict in its]
    return sorted(verdicts, key=lambda it: (it.edition, it.program, place(it.element)))


def _asked(edition: "Edition", programs: Sequence[str]) -> list[str]:
    return [edition.program(name).name for name in programs] or list(edition.programs)


def _counted(names: Sequence[str], found: Iterable[str]) -> str:
    counts = Counter(found)
    return ", ".join(f"{counts[name]} {name}" for name in names)


def _print_elements(found: Sequence["Verdict"]) -> None:
    from benyfits_data.editions import load_edition
    from benyfits_data.language.source import named, place

    for verdict in found:
        if verdict.status in ("dead", "unknown"):
            path = load_edition(verdict.edition).program(verdict.program).checker_path
            line = place(verdict.element)[0]
            text = path.read_text(encoding="utf-8").splitlines()[line - 1].strip()
            where = f"{verdict.status} in {verdict.edition}: {path}:{line}"
            told = f"{named(verdict.element)}: {text} ({verdict.seconds:.1f} s)"
            click.echo(f"{where}: {told}")
    for year, its in itertools.groupby(found, key=lambda verdict: verdict.edition):
        proven = list(its)
        for kind, words in ((int, "lines"), (tuple, "branches")):
            statuses = [verdict.status for verdict in proven if isinstance(verdict.element, kind)]
            told = _counted(("covered", "reachable", "dead", "unknown"), statuses)
            click.echo(f"{year}: {len(statuses)} {words}: {told}")


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
    with progress("Comparing", pairs) as tick:
        for edition in editions:
            names = _asked(edition, programs)
            n = -(-pairs // len(editions) // len(names))
            for start in range(0, n, DEFAULT_HOUSEHOLDS):
                households = sample_households(
                    min(DEFAULT_HOUSEHOLDS, n - start), edition, seed + start
                )
                found = compare_readers(edition, households, names, tick)
                if found:
                    raise ProofError(found[0].describe(), disagreements=found)
                compared += len(households) * len(names)
    return compared
