"""`benyfits-data label`, `audit`, `explain`: what our checkers say, of whom, and why."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from benyfits_data.cli import options
from benyfits_data.cli.frame import Report, option, say, verb
from benyfits_data.progress import progress
from benyfits_data.wording import count_of

SOME_REJECTED = 3
"""The exit code when some rows were rejected and the others labelled."""
_SHOWN_REJECTS = 3


@verb(
    "label households.jsonl --output labels.jsonl",
    "label - --output - < households.jsonl",
    "label households.jsonl --basis",
)
@click.argument("file", type=options.ROWS)
@options.layout
@options.rows_edition
@option(
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default=Path("-"),
    show_default="standard output",
    help="The file for the labels.",
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
@options.overwrite
def label(
    file: Path,
    layout: options.Layout,
    edition: int | None,
    output: Path,
    lenient: bool,
    basis: bool,
    prove: bool,
    overwrite: bool,
) -> None:
    """Label households with our checkers: one line each, in the order of the file.

    FILE is JSON Lines (`-`: standard input), in our layout or the published one. Rows may be
    partial, down to {"members": [{"age": 30}]}: missing facts take defaults that fit the given
    ones. A row with an unknown fact, a value outside its domain or an impossible household goes to
    OUTPUT.rejected.jsonl (FILE.rejected.jsonl without --output) with every reason; the command then
    exits with 3.

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
    from benyfits_data.staged_writes import write_atomically, writing_text

    named = file if str(output) == "-" else output
    refused = Path("rejected.jsonl" if str(named) == "-" else f"{named}.rejected.jsonl")
    # Before anything is written: rejected rows that find no place at the end would be lost.
    files = [refused] if str(output) == "-" else [output, refused]
    check_replaceable(files, {}, overwrite=overwrite)
    rows = read_each_row(file, layout)
    reader = ToldReader(prove=prove) if basis else None
    labelled = assumed = 0
    rejected = list[RejectedRow]()
    with writing_text(output) as target:
        for row in label_rows(rows, edition, lenient=lenient, basis_reader=reader):
            if isinstance(row, RejectedRow):
                rejected.append(row)
                continue
            labelled += 1
            assumed += bool(row.assumed or row.impossible)
            target.write(json.dumps(row.as_json(), ensure_ascii=False) + "\n")
        # First, so that there are never labels without the rows that they lack.
        if rejected:
            lines = (json.dumps(row.as_json(), ensure_ascii=False) for row in rejected)
            write_atomically(refused, "".join(f"{line}\n" for line in lines))
    say(f"{count_of(labelled, 'household')} labelled")
    if assumed:
        say(f"{assumed} of them rest on assumptions or are impossible, as their rows say")
    if rejected:
        say(f"{len(rejected)} rejected, with reasons in {refused}")
        for row in rejected[:_SHOWN_REJECTS]:
            say(f"  {row}")
        if len(rejected) > _SHOWN_REJECTS:
            say(f"  and {len(rejected) - _SHOWN_REJECTS} more")
        sys.exit(SOME_REJECTED)


@verb("audit output/2026/diverse.jsonl")
@click.argument("file", type=options.ROWS)
@options.layout
@options.rows_edition
def audit(file: Path, layout: options.Layout, edition: int | None) -> Report:
    """Report everything that is wrong with a dataset; exits with 1 if anything is.

    FILE is JSON Lines (`-`: standard input), in our layout or the published one.
    Every label in `labels` and in `eligible` is compared with ours, every household with the
    constraints; ids, programs and parts of rows are checked too. Missing facts are filled in.
    """
    from benyfits_data.dataset import audit_rows, read_each_row

    with progress("auditing"):
        report = audit_rows(read_each_row(file, layout), edition)
    return Report(list(report.lines()), report.as_json(), failed=not report.is_clean)


@verb("explain output/2026/diverse.jsonl diverse-2026-01 FairFaresNYC IDNYC")
@click.argument("dataset", type=options.FILE)
@click.argument("identifier", metavar="ID")
@click.argument("programs", nargs=-1, metavar="[PROGRAM]...")
@options.rows_edition
@option("--all", "everything", is_flag=True, help="Print every condition that was tested.")
def explain(
    dataset: Path, identifier: str, programs: tuple[str, ...], edition: int | None, everything: bool
) -> Report:
    """Explain why household ID of DATASET is eligible for each PROGRAM or not.

    Printed are the answer, the clauses that decided it, and the household's values with the limits
    that they were compared with. Without PROGRAM: all programs that the row asks about. Of a
    household that is described in part, each answer says whether it follows from the facts that are
    given, or on which assumed facts it depends.
    """
    from benyfits_data.dataset import ToldReader, edition_of, find_row
    from benyfits_data.language import explain as prose

    row = find_row(dataset, identifier)
    household = row.household()
    rules = edition_of(row, edition)
    chosen = [rules.program(name) for name in programs or row.programs or rules]
    basis = {}
    if row.is_partial():
        names = [program.name for program in chosen]
        basis = ToldReader().find_basis(row.facts, household, rules, possible=True, programs=names)
    texts, content = [], []
    for program in chosen:
        explanation = prose.explain(program, household)
        text = f"{identifier}, {explanation.in_full() if everything else explanation}"
        about = asdict(explanation) | {"summary": explanation.summary}
        if basis:
            facts = basis[program.name]
            text += f"\n{_say_basis(facts)}"
            about["hangs_on"] = list(facts)
        texts.append(text)
        content.append(about)
    return Report(["\n\n".join(texts)], content)


def _say_basis(facts: tuple[str, ...]) -> str:
    if not facts:
        return "This follows from the facts that are given, whatever the others may be."
    return f"This depends on facts that are not given and were assumed: {', '.join(facts)}."
