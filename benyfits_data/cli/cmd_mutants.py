"""`benyfits-data mutants`: would a dataset notice a wrong checker?"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benyfits_data.cli.options import (
    FILE,
    FOLDER,
    Layout,
    edition_option,
    example,
    format_option,
    option,
    solver_options,
)
from benyfits_data.cli.progress import progress
from benyfits_data.cli.tables import json_option, print_json, print_table

if TYPE_CHECKING:
    from benyfits_data.editions import Edition
    from benyfits_data.household.model import Household
    from benyfits_data.language.mutants import MutantVerdict


@click.command(
    epilog=example("benyfits-data mutants output/diverse.jsonl output/representative.jsonl")
)
@click.argument("datasets", nargs=-1, type=FILE)
@edition_option
@format_option
@solver_options
@option("--program", "programs", multiple=True, help="Only this program; may be given repeatedly.")
@option("--missed", is_flag=True, help="List every mutant that a dataset does not detect.")
@option("--output", type=FOLDER, help="Write tables there too, for the report and the site.")
@json_option
def command(
    datasets: tuple[Path, ...],
    edition: int,
    layout: Layout,
    jobs: int,
    pool: int,
    seed: int,
    patience: float,
    cache: Path,
    programs: tuple[str, ...],
    missed: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Measure how many wrong checkers a dataset tells from the right ones.

    Every checker is changed by one plausible mistake at a time: a boundary, a threshold, a dropped
    clause, another feature. Changes that alter no possible household's answer are proven
    equivalent by Z3 and left out. A dataset detects a mutant if one of its pairs of a household and
    a program gets another answer. Without DATASET the mutants are counted only.
    """
    from benyfits_data.dataset import to_csv, write_atomically
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.seeds import sample_households
    from benyfits_data.language.mutants import judge_many

    rules = load_edition(edition)
    names = [rules.program(name).name for name in programs] or list(rules.programs)
    households = sample_households(max(pool, 1), rules, seed)
    with progress("Judging", len(names)) as tick:
        found = judge_many(rules, households, names, jobs, patience, cache, tick)
        judged = sorted((one for its in found for one in its), key=lambda one: one.mutant.program)
    statuses = Counter(one.status for one in judged)
    figures: dict[str, Any] = {
        "edition": edition,
        "mutants": {
            "made": len(judged),
            **{name: statuses[name] for name in ("wrong", "equivalent", "unknown")},
            "by_kind": _by_kind((one, one.status) for one in judged),
        },
        "datasets": {},
    }
    wrong = [one for one in judged if one.status == "wrong"]
    escaped: list[tuple[str, ...]] = []
    for path in datasets:
        pairs, detected = _detected(rules, _pairs(path, layout, set(rules.programs)), wrong)
        told = [(one, it) for one, it in zip(wrong, detected, strict=True)]
        figures["datasets"][str(path)] = {
            "pairs": pairs,
            "detected": sum(detected),
            "wrong": len(wrong),
            "share": sum(detected) / len(wrong) if wrong else None,
            "by_kind": {
                kind: {"wrong": counts.total(), "detected": counts["detected"]}
                for kind, counts in _by_kind(
                    (one, "detected" if it else "missed") for one, it in told
                ).items()
            },
        }
        for mutant in (one.mutant for one, it in told if not it):
            where = "thresholds" if mutant.line is None else f"line {mutant.line}"
            escaped.append((str(path), mutant.program, where, mutant.kind, mutant.change))
    lines = ["{} misses {} {}: {}: {}".format(*it) for it in escaped] if missed else []
    header, rows = _table(figures)
    if output is not None:
        header_of_missed = ("data set", "program", "where", "mistake", "change")
        write_atomically(output / "mutants.csv", to_csv(header, rows).encode())
        write_atomically(output / "mutants.missed.csv", to_csv(header_of_missed, escaped).encode())
    if as_json:
        print_json(figures | ({"missed": lines} if missed else {}))
        return
    made = figures["mutants"]
    click.echo(
        f"{made['made']} mutants of the checkers of {edition}: {made['wrong']} wrong, "
        f"{made['equivalent']} proven equivalent, {made['unknown']} unknown"
    )
    print_table(header, rows)
    for line in lines:
        click.echo(line)


def _by_kind(told: Iterable[tuple["MutantVerdict", str]]) -> dict[str, Counter[str]]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one, what in told:
        counts[one.mutant.kind][what] += 1
    return dict(sorted(counts.items()))


def _detected(
    rules: "Edition", asked: dict[str, list["Household"]], wrong: list["MutantVerdict"]
) -> tuple[int, list[bool]]:
    """Return the number of pairs of a dataset, and of each wrong checker whether it is detected."""
    from benyfits_data.household.columns import Households
    from benyfits_data.language.mutants import detect_mutants

    detected: list[bool] = []
    for name, its in groupby(wrong, key=lambda one: one.mutant.program):
        mutants = [one.mutant for one in its]
        if name in asked:
            table = Households.from_households(asked[name])
            detected += map(bool, detect_mutants(rules, table, {name: mutants}).detected(name))
        else:
            detected += [False] * len(mutants)
    return sum(map(len, asked.values())), detected


def _pairs(path: Path, layout: Layout, programs: set[str]) -> dict[str, list["Household"]]:
    """Return the households that are interested in each program."""
    from benyfits_data.dataset import read_lines, read_partial_rows

    asked: dict[str, list[Household]] = defaultdict(list)
    rows = read_partial_rows(path, layout)
    for row, (_, content) in zip(rows, read_lines(path), strict=True):
        told = content.get("programs", content.get("edge_case_programs", row.labels))
        household = row.household()
        for name in dict.fromkeys(told):
            if name in programs:
                asked[name].append(household)
    return asked


def _table(figures: dict[str, Any]) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    made, datasets = figures["mutants"], figures["datasets"].values()
    rows = [
        (
            kind,
            counts.total(),
            counts["equivalent"],
            *(_share(it["by_kind"].get(kind)) for it in datasets),
        )
        for kind, counts in made["by_kind"].items()
    ]
    rows.append(("all", made["made"], made["equivalent"], *map(_share, datasets)))
    return ("mistake", "made", "equivalent", *figures["datasets"]), rows


def _share(counts: Mapping[str, Any] | None) -> str:
    if not counts:
        return ""
    return f"{counts['detected']} of {counts['wrong']}, {counts['detected'] / counts['wrong']:.1%}"
