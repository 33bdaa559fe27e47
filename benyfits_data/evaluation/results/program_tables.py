"""Tables of programs that models wrote: from texts in the task `rules`, and in dialogs."""

import ast
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pandas as pd
from inspect_ai.log import EvalLog, read_eval_log

from benyfits_data.dataset import write_atomically
from benyfits_data.editions import load_edition
from benyfits_data.evaluation.codegen.checker_translation import translate
from benyfits_data.evaluation.recorded import cache_folder
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import UNDEFINED, Table, tabulate
from benyfits_data.evaluation.row_par import Shown, silent
from benyfits_data.evaluation.rules.rule_verdicts import RuleJudge, RuleVerdict, Status
from benyfits_data.evaluation.rules.rules_task import RECORD, describe_household
from benyfits_data.household.features import FEATURES
from benyfits_data.intervals import wilson
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.version import __version__

STATUSES = get_args(Status)
PROGRAM_CELLS = "program; clauses; verdict; right; says; decided by; why; household"
NOTE = (
    "Equivalent: proven for every possible household. City: the share of the synthetic "
    "city decided alike; what is not proven counts as nothing. Feedback: households given back."
)
_WORDS = {"yes", "no", MEMBERS_KEY, *FEATURES} | {
    word for feature in FEATURES.values() for word in feature.choices
}
"""What texts a program may hold whose keys and values are ours."""


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


def rules_tables(logs: Iterable[EvalLog]) -> list[Table]:
    """Return the runs compared, and each program that is not equivalent, with its household."""
    runs, programs = [], []
    for log in logs:
        if records := [record for _, record in _records(log)]:
            runs.append((_name(log), *_summary(records)))
        wrong = (record for record in records if record["verdict"]["status"] != "equivalent")
        programs += [(_name(log), *_cells(record)) for record in wrong]
    columns = "run; programs; equivalent; interval; in all trials; with readings; city; feedback; "
    columns += "; ".join(STATUSES[2:]).replace("_", " ")
    tables = [
        tabulate("Programs written from their texts", columns, runs, NOTE),
        tabulate("Programs that are not equivalent", f"run; {PROGRAM_CELLS}", programs),
    ]
    return [table for table in tables if table.rows]


def list_judged_programs(logs: Iterable[EvalLog]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each run's name and its programs, for the page: text, code and verdict of each.

    A program is a mapping of `text`, `source`, and the titles of columns (`program`, `verdict`,
    `decided by`, `household` and others) to what the table of wrong programs says of it.
    """
    for log in logs:
        yield (
            _name(log),
            [
                {
                    **dict(zip(PROGRAM_CELLS.split("; "), _cells(record), strict=True)),
                    "text": text,
                    "source": record["source"],
                }
                for text, record in _records(log)
            ],
        )


def list_written_programs(runs: Sequence[Run], show: Shown = silent) -> Table:
    """Return whose each wrong verdict is: the program's, with a household, or the dialog's.

    A program that is proven right can only have been given wrong answers. Programs with keys or
    values of their own mean what nobody can prove.

    Args:
        runs: Our runs.
        show: Shows that programs are proven; proofs are kept for later.
    """
    wrong = [
        (run, dialog, (dialog.edition, name, source))
        for run in runs
        for dialog in run.dialogs
        for name, source in dialog.code.items()
        if dialog.verdicts.get(name) != dialog.labels.get(name)
    ]
    programs = dict.fromkeys(program for _, _, program in wrong)
    verdicts: dict[tuple[int, str, str], RuleVerdict] = {}
    with show("proofs of programs", len(programs)) as tick:
        for program in programs:
            verdicts[program] = _judge(*program)
            tick(1)
    rows = []
    for run, dialog, program in wrong:
        verdict = verdicts[program]
        whose = {"equivalent": "dialog", "differs": "program"}.get(verdict.status, "open")
        why = verdict.failure or verdict.reading or f"line {verdict.line or UNDEFINED}"
        right, says, clauses, shown = _shown(asdict(verdict))
        where = (run.title, run.name, dialog.household, dialog.trial)
        rows.append((*where, program[1], whose, why, right, says, clauses, shown))
    columns = "run; dataset; household; trial; program; wrong was; why; right; says; decided by; "
    return tabulate("Wrong verdicts of written programs", columns + "shown by", rows)


def _records(log: EvalLog) -> list[tuple[str, dict[str, Any]]]:
    """The text of each program that a run wrote, and its record."""
    samples = [(str(sample.input), sample.store.get(RECORD)) for sample in log.samples or []]
    return [(text, record) for text, record in samples if record]


def _name(log: EvalLog) -> str:
    settings = (log.eval.metadata or {}).get("rules", {})
    code: Any = (log.eval.model_roles or {}).get("code", log.eval)
    who = settings.get("player") or code.model
    return f"{who} {settings.get('edition')} {settings.get('texts')} {settings.get('facts')}"


def _summary(records: Sequence[dict[str, Any]]) -> tuple[Any, ...]:
    frame = pd.json_normalize([dict(record) for record in records])
    status = frame["verdict.status"]
    n, counts, is_proven = len(frame), Counter(status), status == "equivalent"
    low, high = wilson(counts["equivalent"], n)
    shares = pd.to_numeric(frame["verdict.city_share"]).fillna(1).mask(is_proven, 0)
    readings = counts["equivalent"] + counts["equivalent_under_reading"]
    return (
        *(n, f"{is_proven.mean():.1%}", f"{low:.1%} to {high:.1%}"),
        f"{is_proven.groupby(frame.program).all().mean():.1%}",
        *(f"{readings / n:.1%}", f"{1 - shares.mean():.1%}", frame.counterexamples.sum()),
        *(counts[status] for status in STATUSES[2:]),
    )


def _cells(record: dict[str, Any]) -> tuple[Any, ...]:
    verdict = record["verdict"]
    why = verdict["mistake"] or verdict["failure"] or verdict["reading"]
    if not why and verdict["line"] is not None:
        why = f"its line {verdict['line']}"
    right, says, clauses, shown = _shown(verdict)
    status = verdict["status"].replace("_", " ")
    return (
        record["program"],
        record["clauses"],
        status,
        right,
        says,
        clauses,
        why or UNDEFINED,
        shown,
    )


def _shown(verdict: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """What is right, what a program says, the clauses that decide, and the household of both."""
    right, says = (
        UNDEFINED if verdict[key] is None else str(verdict[key]) for key in ("label", "answer")
    )
    shown = verdict["household"] and describe_household(verdict["household"]).replace("\n", "; ")
    return right, says, ", ".join(verdict["clauses"]) or UNDEFINED, shown or UNDEFINED


def _judge(year: int, name: str, source: str) -> RuleVerdict:
    """The verdict on a program: as it was proven before for the same rules, or proven now."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError as error:
        return RuleVerdict(name, "no_program", failure=f"no Python: {error}")
    texts = {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    if strange := sorted(texts - _WORDS):
        return RuleVerdict(name, "not_told_apart", failure=f"its own keys or words: {strange[0]!r}")
    judge = _judge_of(year)
    ours = judge.edition.program(name)
    proven = (__version__, year, name, translate(ours.checker, ours.thresholds, "keys"), source)
    path = cache_folder("proofs") / f"{hashlib.sha256(repr(proven).encode()).hexdigest()}.json"
    if path.exists():
        kept = json.loads(path.read_text("utf-8"))
        return RuleVerdict(**{**kept, "clauses": tuple(kept["clauses"])})
    verdict = judge.judge(name, source)
    if verdict.status != "undecided":  # The solver's time may suffice another day.
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(asdict(verdict)))
    return verdict


@cache
def _judge_of(year: int) -> RuleJudge:
    return RuleJudge(load_edition(year), form="keys", names_mistakes=False)
