"""`benyfits-data mutants`: would a dataset notice a wrong checker?"""

import json
import os
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benyfits_data.cli.options import (
    edition_option,
    example,
    format_option,
    jobs_option,
    option,
    patience_option,
    proofs_option,
    seed_option,
)
from benyfits_data.cli.progress import progress

if TYPE_CHECKING:
    from benyfits_data.editions import Edition
    from benyfits_data.household.model import Household
    from benyfits_data.language.mutants import MutantVerdict

DEFAULT_POOL = 10_000


@click.command(
    epilog=example("benyfits-data mutants output/diverse.jsonl output/representative.jsonl")
)
@click.argument("datasets", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@edition_option
@format_option
@jobs_option
@option(
    "--pool",
    type=click.IntRange(min=1),
    default=DEFAULT_POOL,
    help="Households sampled first; only mutants that none of them detects need a proof.",
)
@seed_option
@patience_option
@proofs_option
@option("--program", "programs", multiple=True, help="Only this program; may be given repeatedly.")
@option("--json", "as_json", is_flag=True, help="Print figures for machines.")
@option("--missed", is_flag=True, help="List every mutant that a dataset does not detect.")
def command(
    datasets: tuple[Path, ...],
    edition: int,
    layout: str,
    jobs: int,
    pool: int,
    seed: int,
    patience: float,
    cache: Path,
    programs: tuple[str, ...],
    as_json: bool,
    missed: bool,
) -> None:
    """Measure how many wrong checkers a dataset tells from the right ones.

    Every checker is changed by one plausible mistake at a time: a boundary, a threshold, a dropped
    clause, another feature. Changes that alter no possible household's answer are proven
    equivalent by Z3 and left out. A dataset detects a mutant if one of its pairs of a household and
    a program gets another answer. Without DATASET the mutants are counted only.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.seeds import sample_households
    from benyfits_data.language.mutants import judge_many

    rules = load_edition(edition)
    names = [rules.program(name).name for name in programs] or list(rules.programs)
    households = sample_households(pool, rules, seed)
    judged: dict[str, list[MutantVerdict]] = {}
    with progress("Judging", len(names)) as tick:
        for found in judge_many(rules, households, names, jobs, patience, cache, tick):
            if found:
                judged[found[0].mutant.program] = found
    judged = dict(sorted(judged.items()))
    figures: dict[str, Any] = {"edition": edition, "mutants": _counted(judged), "datasets": {}}
    escaped: dict[str, list[MutantVerdict]] = {}
    for path in datasets:
        report, escaped[str(path)] = _measured(rules, path, layout, judged)
        figures["datasets"][str(path)] = report
    if as_json:
        click.echo(json.dumps(figures, indent=2))
        return
    _print(figures)
    if missed:
        for dataset, mutants in escaped.items():
            for one in mutants:
                where = "thresholds" if one.mutant.line is None else f"line {one.mutant.line}"
                click.echo(
                    f"{dataset} misses {one.mutant.program} {where}: "
                    f"{one.mutant.kind}: {one.mutant.change}"
                )


def _counted(judged: dict[str, list["MutantVerdict"]]) -> dict[str, Any]:
    status: dict[str, Counter[str]] = defaultdict(Counter)
    for one in (one for found in judged.values() for one in found):
        status[one.mutant.kind][one.status] += 1
    total = sum(status.values(), Counter())
    return {
        "made": total.total(),
        **{name: total[name] for name in ("wrong", "equivalent", "unknown")},
        "by_kind": {kind: dict(counts) for kind, counts in sorted(status.items())},
    }


def _measured(
    rules: "Edition", path: Path, layout: str, judged: dict[str, list["MutantVerdict"]]
) -> tuple[dict[str, Any], list["MutantVerdict"]]:
    """Return the figures of a dataset, and the wrong checkers that it does not detect."""
    from benyfits_data.household.columns import Households
    from benyfits_data.language.mutants import detect_mutants

    asked = _pairs(path, layout, set(rules.programs))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    escaped = []
    for name, found in judged.items():
        wrong = [one for one in found if one.status == "wrong"]
        detected = [False] * len(wrong)
        if asked.get(name):
            table = Households.from_households(asked[name])
            mutants = {name: [one.mutant for one in wrong]}
            detected = list(detect_mutants(rules, table, mutants).detected(name))
        for one, is_detected in zip(wrong, detected, strict=True):
            counts[one.mutant.kind]["wrong"] += 1
            counts[one.mutant.kind]["detected"] += bool(is_detected)
            if not is_detected:
                escaped.append(one)
    total = sum(counts.values(), Counter())
    return {
        "pairs": sum(map(len, asked.values())),
        "detected": total["detected"],
        "wrong": total["wrong"],
        "share": total["detected"] / total["wrong"] if total["wrong"] else None,
        "by_kind": {kind: dict(told) for kind, told in sorted(counts.items())},
    }, escaped


def _pairs(path: Path, layout: str, programs: set[str]) -> dict[str, list["Household"]]:
    """Return the households that are interested in each program."""
    from benyfits_data.dataset import read_lines, read_partial_rows

    asked: dict[str, list[Household]] = defaultdict(list)
    rows = read_partial_rows(path, "published" if layout == "published" else "ours")
    for row, (_, content) in zip(rows, read_lines(path), strict=True):
        told = content.get("programs", content.get("edge_case_programs", row.labels))
        household = row.household()
        for name in dict.fromkeys(told):
            if name in programs:
                asked[name].append(household)
    return asked


def _print(figures: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    made = figures["mutants"]
    click.echo(
        f"{made['made']} mutants of the checkers of {figures['edition']}: {made['wrong']} wrong, "
        f"{made['equivalent']} proven equivalent, {made['unknown']} unknown"
    )
    table = Table("mistake", "made", "equivalent", *figures["datasets"])
    for kind, counts in made["by_kind"].items():
        table.add_row(
            kind,
            str(sum(counts.values())),
            str(counts.get("equivalent", 0)),
            *(_share(report["by_kind"].get(kind)) for report in figures["datasets"].values()),
        )
    table.add_row(
        "all",
        str(made["made"]),
        str(made["equivalent"]),
        *map(_share, figures["datasets"].values()),
    )
    Console(width=None if os.isatty(1) else 120).print(table)


def _share(counts: dict[str, Any] | None) -> str:
    if not counts:
        return ""
    return f"{counts['detected']} of {counts['wrong']}, {counts['detected'] / counts['wrong']:.1%}"
