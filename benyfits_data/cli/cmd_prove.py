"""`benyfits-data prove`: elements reachable or dead, constraints needed, editions compared."""

import itertools
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benyfits_data.cli.options import COUNT, DEFAULT_POOL, example, option, solver_options
from benyfits_data.cli.progress import progress
from benyfits_data.cli.tables import json_option, print_json

if TYPE_CHECKING:
    from benyfits_data.editions import Edition
    from benyfits_data.language.source import Element
    from benyfits_data.language.z3_backend import Verdict


@click.command(
    epilog=example(
        "benyfits-data prove",
        "benyfits-data prove FairFaresNYC --edition 2026 --pool 0",
        "benyfits-data prove --pairs 1000000",
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
@json_option
def command(
    programs: tuple[str, ...],
    edition: int | None,
    jobs: int,
    pool: int,
    seed: int,
    patience: float,
    cache: Path,
    pairs: int | None,
    as_json: bool,
) -> None:
    """Prove every line and branch of every checker reachable or dead.

    One is covered (a sampled household runs it), reachable (a household found by the Z3 solver
    runs it), dead (no possible household can) or unknown (the solver gave up). With several
    editions also: which programs changed. Without PROGRAM also: which constraints the others
    imply. JSON holds every verdict with its household. Exits with 1 if a line is dead, or anything
    unknown: a branch may be dead, where `is None` is asked of what cannot be None there.
    """
    from benyfits_data.editions import EDITIONS, load_edition
    from benyfits_data.language.z3_backend import World, prove_constraints

    editions = [load_edition(year) for year in ([edition] if edition else EDITIONS)]
    if pairs is not None:
        compared = _compare(editions, programs, pairs, seed)
        if as_json:
            print_json({"pairs": compared, "agree": True})
        else:
            what = "NumPy and CPython under coverage.py agree on label, lines and branches"
            click.echo(f"{compared:,} pairs: {what}")
        return
    found = _prove_elements(editions, programs, jobs, pool, seed, patience, cache)
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


def _prove_elements(
    editions: Sequence["Edition"],
    programs: Sequence[str],
    jobs: int,
    pool: int,
    seed: int,
    patience: float,
    cache: Path,
) -> list["Verdict"]:
    from benyfits_data.fuzz.seeds import sample_households
    from benyfits_data.language.source import place
    from benyfits_data.language.z3_backend import Task, covered_elements, prove_many

    tasks = []
    for edition in editions:
        covered: dict[str, frozenset[Element]] = {}
        if pool:
            covered = covered_elements(edition, sample_households(pool, edition, seed))
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
    from benyfits_data.fuzz.seeds import sample_households
    from benyfits_data.language.reader_agreement import compare_readers

    compared = 0
    with progress("Comparing", pairs) as tick:
        for edition in editions:
            names = _asked(edition, programs)
            n = -(-pairs // len(editions) // len(names))
            for start in range(0, n, DEFAULT_POOL):
                households = sample_households(min(DEFAULT_POOL, n - start), edition, seed + start)
                found = compare_readers(edition, households, names, tick)
                if found:
                    raise ProofError(found[0].describe(), disagreements=found)
                compared += len(households) * len(names)
    return compared
