"""`benyfits-data label`: what our checkers say of any households."""

import csv
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from benyfits_data.cli.options import (
    NEW_FILE,
    ROWS,
    Layout,
    example,
    format_option,
    option,
    overwrite_option,
    rows_edition_option,
)
from benyfits_data.errors import RejectedRowError

if TYPE_CHECKING:
    from benyfits_data.dataset import LabelledRow

SOME_REJECTED = 3
"""The exit code when some rows were rejected and the others labelled."""


@click.command(
    epilog=example(
        "benyfits-data label households.jsonl --output labels.jsonl",
        "benyfits-data label - --output - < households.jsonl",
        "benyfits-data label households.jsonl --told",
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
    "--rejected", type=NEW_FILE, help="The file for rejected rows.  [default: FILE.rejected.jsonl]"
)
@option("--strict", is_flag=True, help="Stop at the first row that cannot be taken.")
@option("--lenient", is_flag=True, help="Label every household; rows say what was assumed in them.")
@option(
    "--told", is_flag=True, help="Say of each label on which facts that were not told it hangs."
)
@option(
    "--prove", is_flag=True, help="With --told: let Z3 prove labels that seem to hang on facts."
)
@overwrite_option
def command(
    file: Path,
    layout: Layout,
    edition: int | None,
    output: Path,
    rejected: Path | None,
    strict: bool,
    lenient: bool,
    told: bool,
    prove: bool,
    overwrite: bool,
) -> None:
    """Label households with our checkers: one line each, in the order of the file.

    FILE is JSON Lines, CSV or Parquet (`-`: standard input), in our layout or the published one.
    Rows may be partial, down to {"members": [{"age": 30}]}: facts not told take defaults that fit
    those told. A row with an unknown fact, a value outside its domain or an impossible household
    is rejected: it goes to a file of its own with every reason, and the command exits with 3.

    With --told each row has a `basis`: for each program a list of facts. An empty list is a proof:
    whatever the facts that were not told may be, the label is the same. Otherwise the label holds
    while the facts in the list are as they were filled in; without any of them it is open.
    """
    from benyfits_data.dataset import (
        RejectedRow,
        ToldReader,
        check_replaceable,
        label_rows,
        read_each_row,
    )
    from benyfits_data.staged_writes import is_left_unfinished, write_atomically

    refused = rejected or Path("rejected.jsonl" if str(file) == "-" else f"{file}.rejected.jsonl")
    # Before anything is written: rejected rows that find no place at the end would be lost.
    files = [] if str(output) == "-" else [output]
    if not files or not is_left_unfinished(output):  # What was killed then wrote rejected rows.
        files.append(refused)
    check_replaceable(files, {}, overwrite=overwrite)
    rows = read_each_row(file, layout)
    reader = ToldReader(prove=prove) if told else None
    counts = {"labelled": 0, "rejected": 0, "assumed": 0}
    refused_lines = []
    with _written(output) as target:
        write = _csv_writer(target) if output.suffix == ".csv" else _json_writer(target)
        for row in label_rows(rows, edition, lenient=lenient, told=reader):
            if isinstance(row, RejectedRow):
                fact, reason = row.reasons[0]
                if strict:
                    raise RejectedRowError(
                        f"{file}: {row.id} (line {row.line}) cannot be labelled: {fact} {reason}. "
                        "Correct it, or leave --strict out to label the others.",
                        line=row.line,
                    )
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
    click.echo(f"{counts['labelled']} households labelled", err=True)
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
