"""Wrong verdicts of agents that write programs: was the program wrong, or the dialog?"""

import ast
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache

from benyfits_data.dataset import write_atomically
from benyfits_data.editions import load_edition
from benyfits_data.evaluation.codegen.checker_translation import translate
from benyfits_data.evaluation.recorded import cache_folder
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import UNDEFINED, Table, tabulate
from benyfits_data.evaluation.row_par import Shown, silent
from benyfits_data.evaluation.rules.rule_verdicts import RuleJudge, RuleVerdict
from benyfits_data.evaluation.rules.rules_task import describe_household
from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.version import __version__

TITLE = "Wrong verdicts of written programs"
_WORDS = {"yes", "no", MEMBERS_KEY, *FEATURES} | {
    word for feature in FEATURES.values() for word in feature.choices
}
"""What texts a program may hold whose keys and values are ours."""


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
        shown = verdict.household and describe_household(verdict.household)
        whose = {"equivalent": "dialog", "differs": "program"}.get(verdict.status, "open")
        cells = (
            *(run.title, run.name, dialog.household, dialog.trial, program[1], whose),
            verdict.failure or verdict.reading or f"line {verdict.line or UNDEFINED}",
            UNDEFINED if verdict.label is None else verdict.label,
            UNDEFINED if verdict.answer is None else verdict.answer,
            ", ".join(verdict.clauses) or UNDEFINED,
            shown.replace("\n", "; ") if shown else UNDEFINED,
        )
        rows.append(cells)
    columns = "run; dataset; household; trial; program; wrong was; why; right; says; decided by; "
    return tabulate(TITLE, columns + "shown by", rows)


def _judge(year: int, name: str, source: str) -> RuleVerdict:
    """The verdict on a program: as it was proven before for the same rules, or proven now."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError as error:
        return RuleVerdict(name, "no_program", failure=f"no Python: {error}")
    texts = {it.value for it in nodes if isinstance(it, ast.Constant) and isinstance(it.value, str)}
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
