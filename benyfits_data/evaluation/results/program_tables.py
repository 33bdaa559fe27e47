"""Programs that models wrote, in the task `rules` or as somebody has them: tables and pages."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import pandas as pd
from inspect_ai.log import EvalLog, read_eval_log

from benyfits_data.evaluation.results.metrics import SMALLEST_SAMPLE
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.score_figure import inline_scores
from benyfits_data.evaluation.results.tables import UNDEFINED, Table, tabulate
from benyfits_data.evaluation.rules.rule_verdicts import Status
from benyfits_data.evaluation.rules.rules_task import RECORD, describe_household
from benyfits_data.intervals import wilson
from benyfits_data.templating import templates

STATUSES = get_args(Status)
COLUMNS = ("program", "clauses", "verdict", "right", "says", "decided by", "why", "household")
NOTE = (
    "Equivalent: proven for every possible household. City: the share of the synthetic "
    "city decided alike; what is not proven counts as nothing. Feedback: households given back."
)
JUDGED_NOTE = (
    "Equivalent: proven for every possible household of up to six members. No difference: on the "
    "households that it ran on; why tells what kept it from being proven."
)

ProgramRecord = Mapping[str, Any]
"""A judged program, as `rule_verdicts.as_record` makes it."""
Judged = Sequence[tuple[str, Sequence[ProgramRecord]]]
"""The name of each group of programs, and the programs."""
TEMPLATES = Path(__file__).parent / "templates"


def split_logs(paths: Iterable[Path]) -> tuple[list[EvalLog], list[Path]]:
    """Return the logs of the task `rules`, read, and the paths of all others."""
    ours, others = list[EvalLog](), list[Path]()
    for path in paths:
        is_rules = False
        with suppress(Exception):  # Who reads the others says what is wrong with a file.
            is_rules = read_eval_log(str(path), header_only=True).eval.task.endswith("rules")
        if is_rules:
            ours.append(read_eval_log(str(path)))
        else:
            others.append(path)
    return ours, others


def read_judged(logs: Iterable[EvalLog]) -> list[tuple[str, list[ProgramRecord]]]:
    """Return each run's name and the programs that it wrote, with their texts."""
    runs = []
    for log in logs:
        settings = (log.eval.metadata or {}).get("rules", {})
        code: Any = (log.eval.model_roles or {}).get("code", log.eval)
        who = settings.get("player") or code.model
        name = f"{who} {settings.get('edition')} {settings.get('texts')} {settings.get('facts')}"
        kept = [(str(sample.input), sample.store.get(RECORD)) for sample in log.samples or []]
        records: list[ProgramRecord] = [
            {**record, "name": record["program"], "text": text} for text, record in kept if record
        ]
        if records:
            runs.append((name, records))
    return runs


def rules_tables(judged: Judged) -> list[Table]:
    """Return the runs compared, and each program that is not equivalent, with its household."""
    wrong = [
        (name, *program_cells(record).values())
        for name, records in judged
        for record in records
        if record["verdict"]["status"] != "equivalent"
    ]
    runs = [(name, *_summary(records)) for name, records in judged]
    columns = "run; programs; equivalent; interval; in all trials; with readings; city; feedback; "
    columns += "; ".join(STATUSES[2:]).replace("_", " ")
    tables = [
        tabulate("Programs written from their texts", columns, runs, NOTE),
        tabulate("Programs that are not equivalent", ("run", *COLUMNS), wrong),
    ]
    return [table for table in tables if table.rows]


def judged_tables(records: Sequence[ProgramRecord]) -> list[Table]:
    """Return how many programs got each verdict, and what is known of each."""
    counts = Counter(record["verdict"]["status"] for record in records)
    rows = [(status.replace("_", " "), counts[status]) for status in STATUSES if counts[status]]
    each = [
        (record["name"], *program_cells(record).values(), record["verdict"]["n_households"])
        for record in records
    ]
    columns = ("name", *COLUMNS, "households run")
    return [
        tabulate("Verdicts", "verdict; programs", rows),
        tabulate("Judged programs", columns, each, JUDGED_NOTE),
    ]


def program_cells(record: ProgramRecord) -> dict[str, Any]:
    """Return what tables and pages say of a judged program, by the names of `COLUMNS`."""
    verdict = record["verdict"]
    why = verdict["failure"] or verdict["reading"]
    if not why and verdict["line"] is not None:
        why = f"its line {verdict['line']}"
    household = verdict["household"] and describe_household(verdict["household"])
    right, says = (
        UNDEFINED if verdict[key] is None else str(verdict[key]) for key in ("label", "answer")
    )
    cells = (
        *(record["program"], record["clauses"], verdict["status"].replace("_", " "), right, says),
        *(", ".join(verdict["clauses"]) or UNDEFINED, why or UNDEFINED),
        household.replace("\n", "; ") if household else UNDEFINED,
    )
    return dict(zip(COLUMNS, cells, strict=True))


def render_programs(tables: Sequence[Table], judged: Judged) -> str:
    """Return a page of judged programs below the tables of their verdicts."""
    page = templates(TEMPLATES).get_template("judged.jinja")
    return page.render(tables=tables, programs=_shown(judged))


def render_section(
    runs: Sequence[Run],
    paper: Sequence[Mapping[str, str]],
    tables: Sequence[Table],
    judged: Judged = (),
) -> str:
    """Return the section as an HTML fragment: picture, tables, every program judged.

    Args:
        runs: Runs of dialogs.
        paper: The published rows.
        tables: What is compared.
        judged: The programs of each run of the task `rules`.
    """
    page = templates(TEMPLATES).get_template("evaluation.jinja")
    picture = inline_scores(runs, paper)
    return page.render(picture=picture, tables=tables, programs=_shown(judged))


def _shown(judged: Judged) -> list[tuple[str, list[dict[str, Any]]]]:
    return [(name, [{**record, **program_cells(record)} for record in of]) for name, of in judged]


def _summary(records: Sequence[ProgramRecord]) -> tuple[Any, ...]:
    frame = pd.json_normalize([dict(record) for record in records])
    status = frame["verdict.status"]
    n, counts, is_proven = len(frame), Counter(status), status == "equivalent"
    low, high = wilson(counts["equivalent"], n)
    interval = f"{low:.1%} to {high:.1%}" if n >= SMALLEST_SAMPLE else UNDEFINED
    shares = pd.to_numeric(frame["verdict.city_share"]).fillna(1).mask(is_proven, 0)
    readings = counts["equivalent"] + counts["equivalent_under_reading"]
    return (
        *(n, f"{is_proven.mean():.1%}", interval),
        f"{is_proven.groupby(frame.program).all().mean():.1%}",
        *(f"{readings / n:.1%}", f"{1 - shares.mean():.1%}", frame.counterexamples.sum()),
        *(counts[status] for status in STATUSES[2:]),
    )
