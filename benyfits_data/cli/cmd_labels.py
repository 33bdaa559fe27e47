"""`benyfits-data label`, `audit`, `explain`: what our checkers say, of whom, and why."""

import csv
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from benyfits_data.cli.options import (
    FILE,
    ROWS,
    Layout,
    example,
    format_option,
    option,
    overwrite_option,
    rows_edition_option,
)
from benyfits_data.cli.progress import spinner
from benyfits_data.cli.tables import count_of, json_option, print_json, some_of
from benyfits_data.errors import DatasetFormatError

if TYPE_CHECKING:
    from benyfits_data.dataset import LabelledRow, PartialRow
    from benyfits_data.dataset.labelling import Basis

SOME_REJECTED = 3
"""The exit code when some rows were rejected and the others labelled."""
_MOST_CAUSES = 20
_SUMMED = {"wrong label", "impossible household", "unknown program", "missing part"}
"""Kinds of findings that are counted by what they are about, since one cause has many rows."""


@click.command(
    epilog=example(
        "benyfits-data label households.jsonl --output labels.jsonl",
        "benyfits-data label - --output - < households.jsonl",
        "benyfits-data label households.jsonl --basis",
    )
)
@click.argument("file", type=ROWS)
@format_option
@rows_edition_option
@option(
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default=Path("-"),
    show_default="standard output",
    help="The file for the labels; CSV if its name ends so, otherwise JSON Lines.",
)
@option(
    "--lenient",
    is_flag=True,
    help="Label also rows that would be rejected; each says what was assumed in it.",
)
@option("--basis", is_flag=True, help="Name the missing facts that each label depends on.")
@option(
    "--prove", is_flag=True, help="With --basis: let Z3 prove labels that seem to depend on facts."
)
@overwrite_option
def label(
    file: Path,
    layout: Layout,
    edition: int | None,
    output: Path,
    lenient: bool,
    basis: bool,
    prove: bool,
    overwrite: bool,
) -> None:
    """Label households with our checkers: one line each, in the order of the file.

    FILE is JSON Lines, CSV or Parquet (`-`: standard input), in our layout or the published one.
    Rows may be partial, down to {"members": [{"age": 30}]}: missing facts take defaults that fit
    the given ones. A row with an unknown fact, a value outside its domain or an impossible
    household goes to FILE.rejected.jsonl with every reason; the command then exits with 3.

    With --basis each row has a `basis`: for each program the missing facts that its label depends
    on. An empty list is a proof: the label is the same whatever the missing facts are.
    """
    from benyfits_data.dataset import (
        RejectedRow,
        ToldReader,
        check_replaceable,
        label_rows,
        read_each_row,
    )
    from benyfits_data.staged_writes import write_atomically

    refused = Path("rejected.jsonl" if str(file) == "-" else f"{file}.rejected.jsonl")
    # Before anything is written: rejected rows that find no place at the end would be lost.
    files = [refused] if str(output) == "-" else [output, refused]
    check_replaceable(files, {}, overwrite=overwrite)
    rows = read_each_row(file, layout)
    reader = ToldReader(prove=prove) if basis else None
    counts = {"labelled": 0, "rejected": 0, "assumed": 0}
    refused_lines = []
    with _written(output) as target:
        write = _csv_writer(target) if output.suffix == ".csv" else _json_writer(target)
        for row in label_rows(rows, edition, lenient=lenient, basis_reader=reader):
            if isinstance(row, RejectedRow):
                counts["rejected"] += 1
                refused_lines.append(json.dumps(row.as_json(), ensure_ascii=False) + "\n")
            else:
                counts["labelled"] += 1
                counts["assumed"] += bool(row.assumed or row.impossible)
                write(row)
        # First, so that there are never labels without the rows that they lack.
        if refused_lines:
            write_atomically(refused, "".join(refused_lines))
    _report(counts, refused)


def _report(counts: dict[str, int], refused: Path) -> None:
    click.echo(f"{count_of(counts['labelled'], 'household')} labelled", err=True)
    if counts["assumed"]:
        click.echo(
            f"{counts['assumed']} of them rest on assumptions or are impossible, as their rows say",
            err=True,
        )
    if counts["rejected"]:
        click.echo(f"{counts['rejected']} rejected, with reasons in {refused}", err=True)
        sys.exit(SOME_REJECTED)


@contextmanager
def _written(output: Path) -> Iterator[TextIO]:
    """Give a file that appears under its name only when it is whole; or standard output."""
    from benyfits_data.staged_writes import writing

    if str(output) == "-":
        yield sys.stdout
        return
    with writing(output) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="")
        yield text
        text.detach()


def _json_writer(target: TextIO) -> "Callable[[LabelledRow], None]":
    def write(row: "LabelledRow") -> None:
        target.write(json.dumps(row.as_json(), ensure_ascii=False) + "\n")

    return write


def _csv_writer(target: TextIO) -> "Callable[[LabelledRow], None]":
    table = csv.writer(target, lineterminator="\n")
    header: list[str] = []

    def write(row: "LabelledRow") -> None:
        if not header:
            header.extend(row.labels)
            table.writerow(["id", "edition", *header, "assumed", *(["basis"] if row.basis else [])])
        assumed = "; ".join((*row.assumed, *row.impossible))
        labels = [str(row.labels.get(name, "")).lower() for name in header]
        hangs = [
            f"{name}: {', '.join(facts)}" for name, facts in (row.basis or {}).items() if facts
        ]
        table.writerow(
            [row.id, row.edition, *labels, assumed, *(["; ".join(hangs)] * (row.basis is not None))]
        )

    return write


@click.command(epilog=example("benyfits-data audit output/2026/diverse.jsonl"))
@click.argument("file", type=ROWS)
@format_option
@rows_edition_option
@json_option
def audit(file: Path, layout: Layout, edition: int | None, as_json: bool) -> None:
    """Report everything that is wrong with a dataset; exits with 1 if anything is.

    FILE is JSON Lines, CSV or Parquet (`-`: standard input), in our layout or the published one.
    Every label in `labels` and in `eligible` is compared with ours, every household with the
    constraints; ids, programs and parts of rows are checked too. Missing facts are filled in.
    """
    from benyfits_data.dataset import audit_rows, read_each_row

    with spinner("auditing"):
        report = audit_rows(read_each_row(file, layout), edition)
    if as_json:
        print_json(report.as_json())
    else:
        compared = count_of(report.compared, "label")
        click.echo(f"{count_of(report.households, 'household')}, {compared} compared with ours")
        for kind in dict.fromkeys(finding.kind for finding in report.findings):
            of_kind = report.of(kind)
            rows = {one.row for one in of_kind}
            click.echo(f"{kind}: {len(of_kind)} in {count_of(rows, 'row')}")
            # One cause has many rows, and is printed once.
            causes: dict[str, list[str]] = {}
            for one in of_kind:
                cause = one.what if kind in _SUMMED else f"{one.what} {one.says}"
                causes.setdefault(cause, []).append(one.row)
            most = sorted(causes.items(), key=lambda item: -len(item[1]))[:_MOST_CAUSES]
            for cause, ids in most:
                click.echo(f"  {cause}: {len(ids)} ({some_of(list(dict.fromkeys(ids)))})")
            if len(causes) > _MOST_CAUSES:
                click.echo(f"  and {len(causes) - _MOST_CAUSES} more; --json names all")
        if report.is_clean:
            click.echo("nothing wrong")
    if not report.is_clean:
        raise SystemExit(1)


@click.command(
    epilog=example(
        "benyfits-data explain output/2026/diverse.jsonl diverse-2026-01 FairFaresNYC IDNYC"
    )
)
@click.argument("dataset", type=FILE)
@click.argument("identifier", metavar="ID")
@click.argument("programs", nargs=-1, metavar="[PROGRAM]...")
@rows_edition_option
@option("--all", "everything", is_flag=True, help="Print every condition that was tested.")
@json_option
def explain(
    dataset: Path,
    identifier: str,
    programs: tuple[str, ...],
    edition: int | None,
    everything: bool,
    as_json: bool,
) -> None:
    """Explain why household ID of DATASET is eligible for each PROGRAM or not.

    Printed are the answer, the clauses that decided it, and the household's values with the limits
    that they were compared with. Without PROGRAM: all programs that the row asks about. Of a
    household that is described in part, each answer says whether it follows from the facts that are
    given, or on which assumed facts it depends.
    """
    from benyfits_data.dataset import ToldReader, edition_of
    from benyfits_data.language import explain as prose
    from benyfits_data.language.partial import household_facts, told_facts

    row = _find(dataset, identifier)
    household = row.household()
    rules = edition_of(row, edition)
    chosen = [rules.program(name) for name in programs or row.programs or rules]
    explanations = [prose.explain(program, household) for program in chosen]
    basis: Basis = {}
    if told_facts(row.facts).keys() < household_facts(household).keys():
        names = [program.name for program in chosen]
        basis = ToldReader().find_basis(row.facts, household, rules, possible=True, programs=names)
    if as_json:
        print_json(
            [
                asdict(explanation)
                | {"summary": explanation.summary}
                | ({"hangs_on": list(basis[program.name])} if basis else {})
                for program, explanation in zip(chosen, explanations, strict=True)
            ]
        )
        return
    texts = [
        f"{identifier}, {explanation.in_full() if everything else explanation}"
        + (f"\n{_say_basis(basis[program.name])}" if basis else "")
        for program, explanation in zip(chosen, explanations, strict=True)
    ]
    click.echo("\n\n".join(texts))


def _find(dataset: Path, identifier: str) -> "PartialRow":
    """Return the row of a household, which may be described in part.

    Raises:
        DatasetFormatError: There is no such row, or it cannot be taken as it stands.
        ImpossibleHouseholdError: The household breaks a constraint.
    """
    from benyfits_data.dataset import read_each_row
    from benyfits_data.household.model import Household
    from benyfits_data.spelling import suggest

    known = []
    for row in read_each_row(dataset, "ours"):
        if isinstance(row, DatasetFormatError):
            continue
        known.append(row.id)
        if row.id == identifier:
            if row.faults:
                raise DatasetFormatError(
                    f"{dataset}:{row.line}: {row.faults[0]}. Correct it.", path=dataset
                )
            Household.complete(**row.facts)
            return row
    ids = f"{known[0]} to {known[-1]}" if known else "no households at all"
    raise DatasetFormatError(
        f"{dataset} has no household {identifier!r}, but {ids}. "
        f"{suggest(identifier, known, 'Name one of those.')}",
        path=dataset,
        id=identifier,
    )


def _say_basis(facts: tuple[str, ...]) -> str:
    if not facts:
        return "This follows from the facts that are given, whatever the others may be."
    return f"This depends on facts that are not given and were assumed: {', '.join(facts)}."
