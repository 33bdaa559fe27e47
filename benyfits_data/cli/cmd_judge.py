"""`benyfits-data judge`: programs that somebody has, run and proven against our checkers."""

import json
from pathlib import Path

import click

from benyfits_data.cli import options
from benyfits_data.cli.cmd_results import report_tables
from benyfits_data.cli.frame import Report, option, verb
from benyfits_data.progress import progress


@verb("judge programs/", "judge programs.csv --output out")
@click.argument("programs", type=options.PLACE)
@options.edition
@options.workers
@option("--output", type=options.FOLDER, help="Write verdicts as JSON, and a page, there too.")
def judge(programs: Path, edition: int, workers: int, output: Path | None) -> Report:
    """Judge programs that decide a benefit program: equivalent to ours, or who shows that not.

    PROGRAMS is a folder of PROGRAM.py, PROGRAM.ANYTHING.py or PROGRAM/ANYTHING.py, or a CSV file
    with the columns name, program and source. Each defines `check(hh)`. They run in a sandbox,
    without files or network; no model is called.
    """
    from benyfits_data.evaluation.results.program_tables import judged_tables, render_programs
    from benyfits_data.evaluation.rules.rule_verdicts import as_record, judge_all, read_programs
    from benyfits_data.staged_writes import write_files

    written = read_programs(programs, edition)
    with progress("judging programs", len(written)) as tick:
        verdicts = list(judge_all(written, edition, workers, tick))
    records = [as_record(*both, edition) for both in zip(written, verdicts, strict=True)]
    tables = judged_tables(records)
    files = {
        "verdicts.json": json.dumps(records, indent=1, default=str) + "\n",
        "verdicts.html": render_programs(tables, [(programs.name, records)]),
    }
    paths = write_files(output, files) if output else []
    return report_tables(tables, notes=map(str, paths))
