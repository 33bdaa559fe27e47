"""`benyfits-data mutants`: would a dataset notice a wrong checker?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benyfits_data.cli.options import (
    FILE,
    FOLDER,
    Layout,
    example,
    format_option,
    option,
    rows_edition_option,
    solver_options,
)
from benyfits_data.cli.progress import progress, spinner
from benyfits_data.cli.tables import count_of, json_option, print_json, print_table

if TYPE_CHECKING:
    from benyfits_data.adequacy.noticed import Known, Noticeable, ThoroughReader
    from benyfits_data.dataset import PartialRow
    from benyfits_data.household.columns import Households
    from benyfits_data.language.source import Element

Sets = dict[str, tuple[int, "dict[str, set[Element]]"]]
"""Number of pairs, and what they cover by program, by name of a dataset."""

ELEMENTS = ("branches", "independence pairs", "lines")
"""Kinds of what is no mutant."""


@click.command(
    epilog=example(
        "benyfits-data mutants output/2026/diverse.jsonl output/2026/representative.jsonl"
    )
)
@click.argument("datasets", nargs=-1, type=FILE)
@rows_edition_option
@format_option
@solver_options
@option("--program", "programs", multiple=True, help="Only this program; may be given repeatedly.")
@option("--missed", is_flag=True, help="List every mutant that a dataset does not detect.")
@option("--output", type=FOLDER, help="Write tables there too, for the site.")
@json_option
def command(
    datasets: tuple[Path, ...],
    edition: int | None,
    layout: Layout,
    workers: int,
    households: int,
    cache: Path,
    programs: tuple[str, ...],
    missed: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Measure what a dataset notices: lines, branches, independence pairs, wrong checkers.

    Every checker is changed by one plausible mistake at a time: a boundary, a threshold, a dropped
    clause, another feature. A dataset detects such a mutant if one of its pairs of a household and
    a program gets another answer. It covers an independence pair if a condition decides alone both
    by holding and by failing: were it turned over, the checker would answer otherwise. What Z3
    proves impossible is left out: mutants that change no possible household's answer, and
    conditions that never decide alone. Without DATASETS they are only counted.
    """
    from dataclasses import replace

    from benyfits_data.adequacy.noticed import Solver, ThoroughReader, items, judge_all
    from benyfits_data.dataset import read_partial_rows, to_csv, write_atomically
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.corpus import collect
    from benyfits_data.fuzz.sample import sample_households
    from benyfits_data.household.columns import Households

    rows_of = {path: list(read_partial_rows(path, layout)) for path in datasets}
    rules = whole = load_edition(_own_edition(rows_of) if edition is None else edition)
    if programs:
        some = [rules.program(name) for name in programs]
        rules = replace(rules, programs={one.name: one for one in some})
    coverage_of = ThoroughReader(rules)
    tables = {
        path: Households.from_households([row.household() for row in rows])
        for path, rows in rows_of.items()
    }
    # With the files' own households, what any of them shows counts as possible for all.
    shown = [table for table in tables.values() if len(table)]
    with spinner("sampling households"):
        corpus = collect(rules, [sample_households(max(households, 1), whole, seed=0), *shown])
    with progress("Judging", len(rules.programs)) as tick:
        known = judge_all(corpus, coverage_of, Solver(workers, folder=cache), tick)
    listed = items(coverage_of)
    with spinner("comparing datasets"):
        sets = {
            str(path): _covered(coverage_of, rows_of[path], table) for path, table in tables.items()
        }
    escaped = _escaped(listed, known, sets)
    header, rows = _table(listed, known, sets)
    if len({path.stem for path in tables}) == len(tables):
        stems = {str(path): path.stem for path in tables}
        header = tuple(stems.get(column, column) for column in header)
    if output is not None:
        header_of_missed = ("data set", "program", "where", "mistake", "change")
        write_atomically(output / "mutants.csv", to_csv(header, rows).encode())
        write_atomically(output / "mutants.missed.csv", to_csv(header_of_missed, escaped).encode())
    figures = {"edition": rules.year, **_figures(listed, known, sets)}
    lines = ["{} misses {} {}: {}: {}".format(*fields) for fields in escaped] if missed else []
    if as_json:
        print_json(figures | ({"missed": lines} if missed else {}))
        return
    made = figures["mutants"]
    click.echo(
        f"{count_of(made['made'], 'mutant')} of the checkers of {rules.year}: "
        f"{made['wrong']} wrong, {made['equivalent']} proven equivalent, {made['unknown']} unknown"
    )
    print_table(header, rows)
    for line in lines:
        click.echo(line)


def _own_edition(rows_of: "Mapping[Path, Sequence[PartialRow]]") -> int:
    """Return the edition of all rows, the newest where none says any; several are refused."""
    from benyfits_data.editions import DEFAULT_EDITION

    files = {row.edition or DEFAULT_EDITION: path for path, rows in rows_of.items() for row in rows}
    if len(files) > 1:
        places = ", ".join(f"{year} in {files[year]}" for year in sorted(files))
        raise click.UsageError(
            f"The rows are of several editions: {places}. Expected one. Give files of one edition, "
            "or say with --edition by whose rules all are to be measured."
        )
    return next(iter(files), DEFAULT_EDITION)


def _covered(
    coverage_of: "ThoroughReader", rows: "Sequence[PartialRow]", table: "Households"
) -> tuple[int, "dict[str, set[Element]]"]:
    """Return the number of pairs of a dataset, and what they cover by program."""
    import numpy as np

    from benyfits_data.adequacy.noticed import covered_by

    asked = {name: np.zeros(len(rows), np.bool_) for name in coverage_of.edition.programs}
    for at, row in enumerate(rows):
        for name in row.labels if row.programs is None else row.programs:
            if name in asked:
                asked[name][at] = True
    pairs = sum(int(which.sum()) for which in asked.values())
    return pairs, covered_by(coverage_of, table, asked)


def _escaped(listed: "Sequence[Noticeable]", known: "Known", sets: Sets) -> list[tuple[str, ...]]:
    """Return the wrong checkers that each dataset does not detect."""
    missed: list[tuple[str, ...]] = []
    for path, (_, covered) in sets.items():
        for item in listed:
            mutant = item.mutant
            if mutant and item.status(covered[item.program], known) == "shown":
                where = "thresholds" if mutant.line is None else f"line {mutant.line}"
                missed.append((path, mutant.program, where, mutant.kind, mutant.change))
    return missed


def _counts(
    listed: "Sequence[Noticeable]", known: "Known", covered: "Mapping[str, set[Element]]"
) -> dict[str, Counter[str]]:
    """Return how many items are covered, shown to be possible, impossible, unknown, by kind."""
    counts: dict[str, Counter[str]] = {}
    for item in listed:
        status = item.status(covered.get(item.program, set()), known)
        counts.setdefault(item.kind, Counter())[status] += 1
    return dict(sorted(counts.items(), key=lambda one: (one[0] not in ELEMENTS, one[0])))


def _figures(listed: "Sequence[Noticeable]", known: "Known", sets: Sets) -> dict[str, Any]:
    """Return all counts for machines."""
    made = _counts(listed, known, {})
    mutants = {kind: counts for kind, counts in made.items() if kind not in ELEMENTS}
    whole = sum(mutants.values(), Counter[str]())
    return {
        "elements": {kind: _made(counts) for kind, counts in made.items() if kind in ELEMENTS},
        "mutants": {
            **_as_mutants(whole),
            "by_kind": {kind: _as_mutants(counts) for kind, counts in mutants.items()},
        },
        "datasets": {path: _of_set(listed, known, *measured) for path, measured in sets.items()},
    }


def _made(counts: Counter[str]) -> dict[str, int]:
    return {"made": counts.total(), **{name: counts[name] for name in ("impossible", "unknown")}}


def _as_mutants(counts: Counter[str]) -> dict[str, int]:
    return {
        "made": counts.total(),
        "wrong": counts["shown"] + counts["covered"],
        "equivalent": counts["impossible"],
        "unknown": counts["unknown"],
    }


def _of_set(
    listed: "Sequence[Noticeable]",
    known: "Known",
    pairs: int,
    covered: "Mapping[str, set[Element]]",
) -> dict[str, Any]:
    counts = _counts(listed, known, covered)
    by_kind = {
        kind: {"wrong": n["covered"] + n["shown"], "detected": n["covered"]}
        for kind, n in counts.items()
        if kind not in ELEMENTS
    }
    wrong, detected = (sum(n[name] for n in by_kind.values()) for name in ("wrong", "detected"))
    return {
        "pairs": pairs,
        "detected": detected,
        "wrong": wrong,
        "share": detected / wrong if wrong else None,
        "elements": {
            kind: {"possible": n["covered"] + n["shown"], "covered": n["covered"]}
            for kind, n in counts.items()
            if kind in ELEMENTS
        },
        "by_kind": by_kind,
    }


def _table(
    listed: "Sequence[Noticeable]", known: "Known", sets: Sets
) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Return header and rows: elements, mutants by mistake, all mutants."""
    made = _counts(listed, known, {})
    columns = [_counts(listed, known, covered) for _, covered in sets.values()]
    for counts in (made, *columns):
        counts["all mutants"] = sum(
            (n for kind, n in counts.items() if kind not in ELEMENTS), Counter[str]()
        )
    rows = [
        (kind, n.total(), n["impossible"], *(_share(one[kind]) for one in columns))
        for kind, n in made.items()
    ]
    return ("what", "made", "impossible", *sets), rows


def _share(counts: Counter[str]) -> str:
    possible = counts["covered"] + counts["shown"]
    if not possible:
        return ""
    return f"{counts['covered']} of {possible}, {counts['covered'] / possible:.1%}"
