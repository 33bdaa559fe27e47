"""The public library: its names, its examples, and what each function promises."""

import doctest
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import benyfits_data as bd
from benyfits_data import library
from benyfits_data.errors import ArgumentError, WriteFailedError
from benyfits_data.site.library_reference import library_page

DOCS = Path(__file__).parents[2] / "docs"


def failures(test: doctest.DocTest) -> str:
    """Return what went wrong in the examples of a text; empty if all hold."""
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    return "".join(said)


def test_every_public_name_is_there_with_a_docstring() -> None:
    assert set(bd.__all__) <= set(dir(bd))
    assert [name for name in bd.__all__ if not getattr(bd, name).__doc__] == []


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'lable'"):
        bd.lable  # noqa: B018


def test_another_system_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "name", "nt")
    with pytest.raises(ImportError, match="Windows Subsystem for Linux"):
        runpy.run_path(bd.__file__)


def test_importing_the_library_imports_no_other_package() -> None:
    code = "import sys; before = set(sys.modules); import benyfits_data; "
    code += "print(*(name.split('.')[0] for name in set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split()) - set(sys.stdlib_module_names)
    assert loaded == {"benyfits_data"}


SLOW = ["judge"]
"""Judged on thousands of households; tests of judged programs call it with fewer."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW))
        for name in bd.__all__
        if name.islower()
    ],
)
def test_the_examples_of_a_docstring_hold(name: str) -> None:
    function = getattr(library, name)
    names = {**vars(library), "Household": bd.Household}
    [test] = doctest.DocTestFinder(recurse=False).find(function, name, globs=names)
    assert test.examples
    assert failures(test) == ""


def test_an_example_that_does_not_hold_is_caught() -> None:
    planted = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "planted", None, 0)
    assert "Expected" in failures(planted)


def test_the_reference_of_the_library_page_is_up_to_date() -> None:
    page = (DOCS / "library.md").read_text(encoding="utf-8")
    assert page == library_page(page, bd), "stale: python -m benyfits_data.cli.reference docs"
    assert [name for name in bd.__all__ if f"### {name}\n" not in page] == []


HOME: dict[str, Any] = {"members": [{"age": 30}]}
MISTAKES: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "a name for a program": (
        lambda rules, home: bd.explain("FairFaresNYC", home),  # type: ignore[arg-type]
        r'program is str .FairFaresNYC., .* such as bd.load\(\)\["FairFaresNYC"\]',
    ),
    "facts for a household": (
        lambda rules, home: bd.trace(rules["IDNYC"], HOME),  # type: ignore[arg-type]
        "household is dict .*bd.Household.complete",
    ),
    "arguments swapped": (lambda rules, home: bd.label([home], rules), "edition is list .*before"),
    "one household": (lambda rules, home: bd.label(rules, home), r"give a list, \[home\]"),
    "facts to label": (lambda rules, home: bd.label(rules, [HOME]), r"homes\[0\] is dict"),
    "a year for an edition": (lambda rules, home: bd.sample(2026, 3), "edition is int 2026"),
    "a household told": (lambda rules, home: bd.label_told(rules, [home]), "expected facts"),
    "no agent": (lambda rules, home: bd.evaluate(3), "agent is int 3"),
    "no path": (lambda rules, home: bd.audit([home]), "is no path"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_what_a_function_does_not_take_is_said_with_what_it_takes(what: str) -> None:
    mistake, expected = MISTAKES[what]
    with pytest.raises(ArgumentError, match=expected):
        mistake(bd.load(2024), bd.Household.complete(**HOME))


class Poor:
    """An agent of somebody's own, as in a notebook."""

    roles: tuple[str, ...] = ("user",)

    async def run(self, conversation: Any) -> dict[str, bool]:
        await conversation.ask("How old are you?")
        return dict.fromkeys(conversation.programs, True)


class NeedsModel(Poor):
    roles = ("dialog", "user")


def test_an_agent_is_played_from_python_and_read_back(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    dataset = bd.read(folder / "output" / "diverse.jsonl")
    (tmp_path / "file").touch()
    with pytest.raises(WriteFailedError, match=r"file/logs cannot be written: Not a directory\. "):
        bd.evaluate(Poor, dataset, log_dir=tmp_path / "file" / "logs")
    played = bd.evaluate(Poor, dataset)
    (row,) = [row for row in played.to_pandas().to_dict("records") if "Poor" in row["agent"]]
    assert (row["n"], row["turns"], row["unscored"]) == (2, 1.0, 0)
    pairs, turns = played.to_pandas("pairs"), played.to_pandas("turns")
    assert pairs["verdict"].all()
    assert turns["question"].tolist() == ["How old are you?"] * 2
    assert played.to_pandas("dialogs")["wrong"].sum() == (~pairs["label"]).sum()
    assert row["agent"].endswith("Poor (reference)")
    assert "(reference)" in repr(played)
    assert bd.results().to_pandas("turns").equals(turns)
    with pytest.raises(ArgumentError, match="expected one of runs, dialogs, pairs, turns"):
        played.to_pandas("rows")  # type: ignore[arg-type]
    with pytest.raises(bd.BenyfitsError, match="none plays that role"):
        bd.evaluate(NeedsModel, dataset)


def test_households_of_any_form_get_the_labels_of_the_checkers(folder: Path) -> None:
    rules = bd.load(2026)
    dataset = bd.read(folder / "output" / "diverse.jsonl")
    homes = list(dataset.households)
    expected = [[program(home) for program in rules.values()] for home in homes]
    for form in (homes, dataset, dataset.households, iter(homes)):
        assert bd.label(rules, form).to_numpy().tolist() == expected
    assert bd.label(rules, dataset).index.tolist() == ["diverse-2024-1", "diverse-2024-2"]
    assert bd.label(rules, []).shape == (0, 82)


def test_a_dataset_becomes_frames_of_households_members_and_pairs(folder: Path) -> None:
    dataset = bd.read(folder / "output" / "diverse.jsonl")
    assert repr(dataset) == "<Dataset diverse: 2 households, 4 pairs, edition 2024>"
    households = dataset.to_pandas()
    assert households["members"].tolist() == [1, 2]
    assert households["place_of_residence"].tolist() == ["New York City"] * 2
    members = dataset.to_pandas("members")
    assert members["name"].tolist() == ["Ana", "Ben", "Cleo"]
    assert members.loc[("diverse-2024-2", 1), "relation"] == "grandchild"
    with pytest.raises(ArgumentError, match="of is 'rows', expected households, members or pairs"):
        dataset.to_pandas("rows")  # type: ignore[arg-type]
    pairs = dataset.to_pandas("pairs")
    assert pairs["program"].tolist() == ["FairFaresNYC", "IDNYC"] * 2


def test_columns_of_households_give_them_back(folder: Path) -> None:
    dataset = bd.read(folder / "output" / "diverse.jsonl")
    homes = dataset.households
    assert list(homes) == [row.household for row in dataset]
    assert homes[-1] == homes[1]
    with pytest.raises(IndexError, match="no household 2 among 2"):
        homes[2]
    assert isinstance(homes.to_pandas(), pd.DataFrame)
