"""What hangs on readings and texts: contested pairs, orders of agents, the price of ambiguity."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benyfits_data.dataset import Row, write_rows
from benyfits_data.editions import load_edition
from benyfits_data.errors import EvaluationError, ProgramFolderError
from benyfits_data.evaluation.planned import find_texts, load_rows
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results.comparison import compare_with_paper, list_differences
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.household.model import Household
from tests.commands import invoke
from tests.evaluation.test_results import dialog, grouped, runs_of

VOUCHER = "SectionEightHousingChoiceVoucherProgram"
MINOR = Household.complete(
    members=[{"age": 17, "emancipated_minor": False}, {"relation": "grandparent", "age": 70}]
)
TENANT = Household.complete(members=[{"age": 30}], housing_type="NYCHA development")


def plain(number: int, right: bool) -> tuple[Dialog, dict[str, object]]:
    """A dialog of the same households with plain texts."""
    played, told = dialog(number, right=right, texts="plain")
    return played, {**told, "dataset": {**told["dataset"], "texts": "of pages"}}


def contest(runs: list[Run]) -> list[Run]:
    for run in runs:
        run.dialogs = [replace(one, contested=["FairFaresNYC"]) for one in run.dialogs]
    return runs


def test_uncontested_pairs_are_scored_apart() -> None:
    # Every verdict on Fair Fares is wrong, every other right.
    runs = runs_of([dialog(number) for number in range(4)])
    for run in runs:
        run.dialogs = [
            replace(one, verdicts={**one.labels, "FairFaresNYC": not one.labels["FairFaresNYC"]})
            for one in run.dialogs
        ]
    (row,) = grouped("All scores", contest(runs))
    assert row["F1"].startswith("66.7")
    assert row["F1, uncontested"].startswith("100.0")


def test_decided_and_plain_texts_of_the_same_households_are_compared() -> None:
    decided = [dialog(number) for number in range(4)]
    runs = runs_of([*decided, *(plain(number, number > 0) for number in range(4))])
    runs.sort(key=lambda run: run.texts)
    ((first, second, _, difference, turns, n),) = list_differences(runs, []).rows
    assert ("texts plain" in first, "texts plain" in second, n) == (False, True, "4")
    assert float(difference.split()[0]) > 0
    assert turns.startswith("+0.0")
    assert "plain texts" in json.dumps(compare_with_paper(runs, []).rows)


def rows_file(path: Path, *homes: Household, program: str = VOUCHER) -> Path:
    rows = [
        Row(
            f"d-{number}",
            2024,
            home,
            "You.",
            (program,),
            {program: load_edition(2024)[program](home)},
            {},
            {program: ("primarily",)} if home is MINOR else {},
        )
        for number, home in enumerate(homes)
    ]
    write_rows(path, rows)
    return path


def test_planned_dialogs_name_the_programs_whose_label_is_contested(tmp_path: Path) -> None:
    minor, tenant = load_rows(rows_file(tmp_path / "d.jsonl", MINOR, TENANT))
    assert (minor.contested, tenant.contested) == ((VOUCHER,), ())


def test_texts_are_decided_plain_or_those_of_a_file(tmp_path: Path) -> None:
    program = load_edition(2024)[VOUCHER]
    assert find_texts("decided")[1](2024, VOUCHER) == program.requirements()
    path = tmp_path / "theirs.jsonl"
    line = {"program_name": VOUCHER, "plain_language_eligibility": "Ask them."}
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    (row,) = load_rows(rows_file(tmp_path / "d.jsonl", TENANT), str(path))
    assert (row.texts, row.requirements) == ("theirs", {VOUCHER: "Ask them."})
    with pytest.raises(EvaluationError, match="has no text of IDNYC"):
        find_texts(str(path))[1](2024, "IDNYC")
    with pytest.raises(EvaluationError, match="neither decided nor plain"):
        find_texts("plane")


def test_a_program_without_a_plain_text_is_named(tmp_path: Path) -> None:
    program = load_edition(2024)[VOUCHER]
    (tmp_path / "folder").mkdir()
    bare = replace(program, folder=tmp_path / "folder")
    with pytest.raises(ProgramFolderError, match=r"has no plain\.md"):
        bare.plain()


@pytest.mark.slow
def test_the_command_plays_texts_of_a_file_and_results_name_them(tmp_path: Path) -> None:
    path = tmp_path / "theirs.jsonl"
    line = {"program_name": VOUCHER, "plain_language_eligibility": "Ask them."}
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    data = rows_file(tmp_path / "diverse.jsonl", MINOR, TENANT)
    logs = tmp_path / "logs"
    for texts in ("decided", str(path)):
        arguments = ["eval", "--dataset", str(data), "--texts", texts, "--log-dir"]
        ran = invoke(*arguments, logs / Path(texts).stem)
        assert ran.exit_code == 0, ran.output
    shown = invoke("results", logs, "--all", "--json")
    tables = {table["title"]: table["rows"] for table in json.loads(shown.stdout)}
    titles = sorted(row["run"] for row in tables["Dialogs planned and scored"])
    assert ["texts decided" in titles[0], "texts theirs" in titles[1]] == [True, True]
