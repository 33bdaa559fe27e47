"""Runs of the task `rules` as tables."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from inspect_ai.log import EvalLog, read_eval_log

from benyfits_data.evaluation.results.table import UNDEFINED, Table
from benyfits_data.evaluation.rules.rule_verdicts import Status
from benyfits_data.evaluation.rules.rules_task import RECORD, describe_household
from benyfits_data.intervals import wilson

STATUSES = get_args(Status)
PROGRAM_CELLS = (
    "program", "clauses", "verdict", "right", "says", "decided by", "why", "household",
)  # fmt: skip


def split_logs(paths: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """Return the logs of this task, and all others."""
    ours, others = list[Path](), list[Path]()
    for path in paths:
        is_rules = False
        with suppress(Exception):  # Who reads the others says what is wrong with a file.
            is_rules = read_eval_log(str(path), header_only=True).eval.task.endswith("rules")
        (ours if is_rules else others).append(path)
    return ours, others


def rules_tables(paths: Sequence[Path]) -> list[Table]:
    """Return the runs compared, and each program that is not equivalent, with its household."""
    if not paths:
        return []
    runs, programs = [], []
    for log in (read_eval_log(str(path)) for path in paths):
        name, records = _name(log), [sample.store.get(RECORD, {}) for sample in log.samples or []]
        runs.append((name, *_summary([record for record in records if record])))
        programs += [(name, *_row(record)) for record in records if _is_wrong(record)]
    tables = [
        Table(
            "Programs written from their texts",
            ("run", "programs", "equivalent", "interval", "in all trials", "with readings",
             "city", "feedback", *(status.replace("_", " ") for status in STATUSES[2:])),
            tuple(runs),
            "Equivalent: proven for every possible household. City: the share of the synthetic "
            "city decided alike; what is not proven counts as nothing. Feedback: households given "
            "back.",
        ),
        Table(
            "Programs that are not equivalent",
            ("run", *PROGRAM_CELLS),
            tuple(programs),
        ),
    ]  # fmt: skip
    return [table for table in tables if table.rows]


def list_judged_programs(paths: Iterable[Path]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each run's name and its programs, for the page: text, code and verdict of each.

    A program holds its name, `text`, `source`, and the cells of the table of those that are not
    equivalent by their titles (`verdict`, `decided by`, `household` and others).
    """
    for log in (read_eval_log(str(path)) for path in paths):
        judged = [
            {
                **dict(zip(PROGRAM_CELLS, _row(record), strict=True)),
                "text": str(sample.input),
                "source": record["source"],
            }
            for sample in log.samples or []
            if (record := sample.store.get(RECORD))
        ]
        yield _name(log), judged


def _name(log: EvalLog) -> str:
    told = (log.eval.metadata or {}).get("rules", {})
    code: Any = (log.eval.model_roles or {}).get("code", log.eval)
    who = told.get("player") or code.model
    return f"{who} {told.get('edition')} {told.get('texts')} {told.get('facts')}"


def _summary(records: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    statuses = [record["verdict"]["status"] for record in records]
    n, counts = len(statuses), {status: statuses.count(status) for status in STATUSES}
    trials = defaultdict(set)
    for record, status in zip(records, statuses, strict=True):
        trials[record["program"]].add(status)
    always = sum(found == {"equivalent"} for found in trials.values())
    low, high = wilson(counts["equivalent"], n)
    shares = [record["verdict"].get("city_share") for record in records]
    alike = sum(
        1.0 if status == "equivalent" else 1 - share if share is not None else 0.0
        for status, share in zip(statuses, shares, strict=True)
    )
    proven = counts["equivalent"] + counts["equivalent_under_reading"]
    return (
        str(n),
        f"{counts['equivalent'] / n:.1%}",
        f"{low:.1%} to {high:.1%}",
        f"{always / len(trials):.1%}",
        f"{proven / n:.1%}",
        f"{alike / n:.1%}",
        str(sum(record["counterexamples"] for record in records)),
        *(str(counts[status]) for status in STATUSES[2:]),
    )


def _is_wrong(record: dict[str, Any]) -> bool:
    return bool(record) and record["verdict"]["status"] != "equivalent"


def _row(record: dict[str, Any]) -> tuple[str, ...]:
    verdict = record["verdict"]
    household = verdict["household"]
    why = verdict["mistake"] or verdict["failure"] or verdict["reading"]
    if not why and verdict["line"] is not None:
        why = f"its line {verdict['line']}"
    return (
        record["program"],
        str(record["clauses"]),
        verdict["status"].replace("_", " "),
        UNDEFINED if verdict["label"] is None else str(verdict["label"]),
        UNDEFINED if verdict["answer"] is None else str(verdict["answer"]),
        ", ".join(verdict["clauses"]) or UNDEFINED,
        why or UNDEFINED,
        describe_household(household).replace("\n", "; ") if household else UNDEFINED,
    )
