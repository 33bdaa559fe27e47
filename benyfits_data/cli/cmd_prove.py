"""`benyfits-data prove`: lines reachable or dead, constraints needed, editions compared."""

import itertools
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benyfits_data.cli.options import (
    example,
    jobs_option,
    option,
    patience_option,
    proofs_option,
    seed_option,
)
from benyfits_data.cli.progress import progress

if TYPE_CHECKING:
    from benyfits_data.editions import Edition
    from benyfits_data.language.z3_backend import Verdict

DEFAULT_POOL = 10_000


@click.command(
    epilog=example(
        "benyfits-data prove",
        "benyfits-data prove FairFaresNYC --edition 2026 --pool 0",
        "benyfits-data prove --pairs 1000000",
    )
)
@click.argument("programs", nargs=-1, metavar="[PROGRAM]...")
@option("--edition", type=int, help="One year; every edition unless given.")
@jobs_option
@option(
    "--pool",
    type=click.IntRange(min=0),
    default=DEFAULT_POOL,
    help="Households sampled first; only lines that none of them runs are proven. 0 proves all.",
)
@seed_option
@patience_option
@proofs_option
@option(
    "--verdicts",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write every verdict, with its household, to a JSON Lines file.",
)
@option(
    "--pairs",
    type=click.IntRange(min=1),
    help="Instead: compare the NumPy reader with CPython under coverage.py on this many pairs of "
    "a household and a program.",
)
def command(
    programs: tuple[str, ...],
    edition: int | None,
    jobs: int,
    pool: int,
    seed: int,
    patience: float,
    cache: Path,
    verdicts: Path | None,
    pairs: int | None,
) -> None:
    """Prove every line of every checker reachable or dead.

    A line is covered (a sampled household runs it), reachable (a household found by the Z3 solver
    runs it), dead (no possible household can) or unknown (the solver gave up). With several
    editions also: which programs changed. Without PROGRAM also: which constraints the others
    imply. Exits with 1 if a line is dead or unknown.
    """
    from benyfits_data.editions import EDITIONS, load_edition

    editions = [load_edition(year) for year in ([edition] if edition else EDITIONS)]
    if pairs is not None:
        _compare(editions, programs, pairs, seed)
        return
    found = _prove_lines(editions, programs, jobs, pool, seed, patience, cache)
    _print_lines(found)
    if verdicts is not None:
        _write_verdicts(verdicts, found)
    if not programs:
        _print_constraints(patience)
    if len(editions) > 1:
        _print_changes(editions, programs)
    if any(verdict.status in ("dead", "unknown") for verdict in found):
        sys.exit(1)


def _prove_lines(
    editions: Sequence["Edition"],
    programs: Sequence[str],
    jobs: int,
    pool: int,
    seed: int,
    patience: float,
    cache: Path,
) -> list["Verdict"]:
    from benyfits_data.fuzz.seeds import sample_households
    from benyfits_data.language.z3_backend import Task, covered_lines, prove_many

    tasks = []
    for edition in editions:
        covered: dict[str, frozenset[int]] = {}
        if pool:
            covered = covered_lines(edition, sample_households(pool, edition, seed))
        for name in _asked(edition, programs):
            tasks.append(Task(edition.year, name, covered.get(name, frozenset())))
    found: list[Verdict] = []
    with progress("Proving", len(tasks)) as tick:
        for verdicts in prove_many(tasks, jobs, patience, cache, tick):
            found += verdicts
    return sorted(found, key=lambda verdict: (verdict.edition, verdict.program, verdict.line))


def _asked(edition: "Edition", programs: Sequence[str]) -> list[str]:
    return [edition.program(name).name for name in programs] or list(edition.programs)


def _print_lines(found: Sequence["Verdict"]) -> None:
    from benyfits_data.editions import load_edition

    for verdict in found:
        if verdict.status in ("dead", "unknown"):
            path = load_edition(verdict.edition).program(verdict.program).checker_path
            text = path.read_text(encoding="utf-8").splitlines()[verdict.line - 1].strip()
            click.echo(
                f"{verdict.status} in {verdict.edition}: {path}:{verdict.line}: {text} "
                f"({verdict.seconds:.1f} s)"
            )
    years = sorted({verdict.edition for verdict in found})
    for year in years:
        counts = Counter(verdict.status for verdict in found if verdict.edition == year)
        told = ", ".join(
            f"{counts[status]} {status}" for status in ("covered", "reachable", "dead", "unknown")
        )
        click.echo(f"{year}: {counts.total()} lines: {told}")


def _write_verdicts(path: Path, found: Sequence["Verdict"]) -> None:
    from benyfits_data.dataset import write_atomically

    rows = (
        {
            "program": verdict.program,
            "edition": verdict.edition,
            "line": verdict.line,
            "status": verdict.status,
            "seconds": round(verdict.seconds, 3),
            "household": None if verdict.household is None else verdict.household.facts(),
        }
        for verdict in found
    )
    write_atomically(path, "".join(json.dumps(row) + "\n" for row in rows))


def _print_constraints(patience: float) -> None:
    from benyfits_data.language.z3_backend import World, prove_constraints

    verdicts = prove_constraints(World(patience))
    for verdict in verdicts:
        if verdict.status != "needed":
            click.echo(f"constraint {verdict.name}: {verdict.status} by the others")
    counts = Counter(verdict.status for verdict in verdicts)
    click.echo(
        f"{len(verdicts)} constraints hold together: {counts['needed']} needed, "
        f"{counts['implied']} implied, {counts['unknown']} unknown"
    )


def _print_changes(editions: Sequence["Edition"], programs: Sequence[str]) -> None:
    from benyfits_data.language.z3_backend import program_difference

    for before, after in itertools.pairwise(editions):
        changed = []
        names = [name for name in _asked(before, programs) if name in after.programs]
        for name in names:
            household = program_difference(before.programs[name], after.programs[name])
            if household is not None:
                was = before.programs[name].is_eligible(household)
                changed.append(f"{name} ({'loses' if was else 'gains'})")
        click.echo(
            f"{before.year} to {after.year}: {len(names) - len(changed)} programs proven the same, "
            f"{len(changed)} decide a household otherwise: {', '.join(changed)}"
        )


def _compare(editions: Sequence["Edition"], programs: Sequence[str], pairs: int, seed: int) -> None:
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
    click.echo(f"{compared:,} pairs: NumPy and CPython under coverage.py agree on label and lines")
