"""Whose a wrong verdict is: a program's that is shown to be wrong, or the dialog's."""

from contextlib import contextmanager
from dataclasses import replace

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.codegen.checker_translation import translate
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results.program_tables import list_written_programs
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.rules.rule_verdicts import RuleJudge

NAME = "FairFaresNYC"
_PROGRAM = load_edition(2024).program(NAME)
RIGHT = translate(_PROGRAM.checker, _PROGRAM.thresholds, "keys")
MANIFEST = {
    "dataset": {"column": "diverse", "name": "diverse", "dialogs": 5, "of": 5},
    "agent": {"name": "proada"},
    "roles": {},
}


def test_each_wrong_verdict_is_the_programs_or_the_dialogs(tmp_path, monkeypatch):
    monkeypatch.setenv("BENYFITS_CACHE", str(tmp_path))
    dialog = Dialog(
        "right", "diverse", "proada", {}, 1, {NAME: True}, {NAME: True}, code={NAME: RIGHT},
        edition=2024,
    )  # fmt: skip
    wrong = replace(dialog, household="misled", verdicts={NAME: False})
    late = RIGHT.replace("> 64", ">= 64")
    assert late != RIGHT
    dialogs = [
        dialog,
        wrong,
        replace(wrong, household="late", code={NAME: late}),
        replace(wrong, household="strange", code={NAME: RIGHT.replace("age", "years_old")}),
        replace(wrong, household="broken", code={NAME: "def check_eligibility(hh)"}),
    ]
    table = list_written_programs([Run(MANIFEST, dialogs)])
    rows = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    assert {row["household"]: row["wrong was"] for row in rows} == {
        "misled": "dialog",
        "late": "program",
        "strange": "open",
        "broken": "open",
    }
    shown = rows[1]
    assert (shown["right"], shown["says"]) == ("True", "False")
    assert "age 64" in shown["shown by"]
    assert "years_old" in rows[2]["why"]

    shown = []

    @contextmanager
    def show(label, total):
        shown.append((label, total))
        yield shown.append

    monkeypatch.setattr(RuleJudge, "judge", None)
    assert list_written_programs([Run(MANIFEST, dialogs)], show) == table, "proofs are kept"
    assert shown == [("proofs of programs", 4), *[1] * 4]
