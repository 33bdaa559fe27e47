"""Wrong verdicts of agents that write programs: was the program wrong, or the dialog?"""

import ast
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import UNDEFINED, Table, tabulate
from benyfits_data.evaluation.rules.rule_verdicts import RuleJudge, RuleVerdict
from benyfits_data.evaluation.rules.rules_task import describe_household
from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.facts import MEMBERS_KEY

TITLE = "Wrong verdicts of written programs"
_WORDS = {"yes", "no", MEMBERS_KEY, *FEATURES} | {
    word for feature in FEATURES.values() for word in feature.choices
}
"""What texts a program may hold whose keys and values are ours."""


def list_written_programs(runs: Sequence[Run]) -> Table:
    """Return whose each wrong verdict is: the program's, with a household, or the dialog's.

    A program that is proven right can only have been given wrong answers. Programs with keys or
    values of their own mean what nobody can prove.
    """

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        for dialog in run.dialogs:
            for name, source in dialog.code.items():
                if dialog.verdicts.get(name) == dialog.labels.get(name):
                    continue
                verdict = _judge(dialog.edition, name, source)
                shown = verdict.household and describe_household(verdict.household)
                whose = {"equivalent": "dialog", "differs": "program"}.get(verdict.status, "open")
                yield (
                    dialog.household,
                    dialog.trial,
                    name,
                    whose,
                    verdict.failure or verdict.reading or f"line {verdict.line or UNDEFINED}",
                    UNDEFINED if verdict.label is None else verdict.label,
                    UNDEFINED if verdict.answer is None else verdict.answer,
                    ", ".join(verdict.clauses) or UNDEFINED,
                    shown.replace("\n", "; ") if shown else UNDEFINED,
                )

    header = "household; trial; program; wrong was; why; right; says; decided by; shown by"
    return tabulate(TITLE, header, runs, describe)


@cache
def _judge(year: int, name: str, source: str) -> RuleVerdict:
    try:
        texts = {
            node.value
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
    except SyntaxError as error:
        return RuleVerdict(name, "no_program", failure=f"no Python: {error}")
    if strange := sorted(texts - _WORDS):
        return RuleVerdict(name, "not_told_apart", failure=f"its own keys or words: {strange[0]!r}")
    return _judge_of(year).judge(name, source)


@cache
def _judge_of(year: int) -> RuleJudge:
    return RuleJudge(load_edition(year), form="keys", names_mistakes=False)
