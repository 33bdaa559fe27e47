"""A workspace over the package: own editions and programs, copies of changed ones, nothing else."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from benyfits_data import checkers
from benyfits_data.editions import load_edition, load_register
from benyfits_data.editions.edition import forget_editions
from benyfits_data.editions.source_texts import load_sources
from benyfits_data.editions.thresholds import load_thresholds
from benyfits_data.editions.workspace import (
    PACKAGED,
    init_workspace,
    program_folders,
    use_workspace,
    writable,
    writable_root,
)
from benyfits_data.errors import (
    PublishedEditionError,
    UnknownEditionError,
    UnknownProgramError,
    WorkspaceError,
)
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import trace
from benyfits_data.lint.program_folder import lint_folder
from benyfits_data.upkeep.edition_diff import compare
from benyfits_data.upkeep.edition_register import (
    check_reviewed,
    correct,
    new_program,
    prepare,
    problems,
    publish,
    review,
)

TODAY = date(2027, 1, 14)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "mine"
    init_workspace(folder)
    use_workspace(folder)
    yield folder
    use_workspace(None)


def filled(folder: Path) -> None:
    """Fill in what a new program folder leaves open."""
    for path in (*folder.glob("*.py"), *folder.glob("*.md"), *folder.glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        text = text.replace("# FILL IN: examples", "# Examples").replace("  # FILL IN", "  # ")
        text = text.replace("    # FILL IN: the lines", "    # The lines").replace("FILL IN: ", "")
        path.write_text(text, encoding="utf-8")


def test_a_program_of_ones_own_begins_with_its_first_edition(workspace: Path) -> None:
    prepare(2027, 2026)
    folder = new_program("SchoolMeals", 2027, TODAY)
    assert folder == workspace / "programs" / "school_meals"
    found = lint_folder(folder)
    assert len(found) > 8
    assert all("to fill in: " in str(problem) for problem in found)
    filled(folder)
    assert lint_folder(folder) == []
    assert "SchoolMeals" not in load_edition(2026)
    meals = load_edition(2027)["SchoolMeals"]
    assert trace(meals, Household.complete(members=[{"age": 18}])).eligible
    assert not trace(meals, Household.complete(members=[{"age": 17}])).eligible
    (diff,) = compare(load_edition(2026), load_edition(2027), ["SchoolMeals"]).programs
    assert diff.kind == "new"
    assert problems(years=[2027]) == []


def test_the_list_of_an_own_edition_is_named_once(workspace: Path, tmp_path: Path) -> None:
    prepare(2027, 2026)
    with (workspace / "editions.toml").open("a", encoding="utf-8") as file:
        file.write('list = "the list of 2027"\nread = 2027-01-25\n')
    forget_editions()
    path = tmp_path / "sources.toml"
    path.write_text("[2026]\nplaces = { 1 = 'condition 1' }\n[2027]\nsame_as = 2026\n")
    (tmp_path / "thresholds.toml").write_text("[age]\nunit = 'years'\n2026 = 18\n2027 = 19\n")
    text = load_sources(path, 2027)
    assert text is not None
    assert (text.list, text.read) == ("the list of 2027", date(2027, 1, 25))
    age = load_thresholds(tmp_path / "thresholds.toml", "T", 2027).entry("age")
    assert (age.value, age.source) == (19, "Text of the program in the list of 2027")
    assert age.verified == date(2027, 1, 25)


def test_an_edition_that_nobody_looked_at_is_not_published(workspace: Path) -> None:
    prepare(2027, 2026)
    with pytest.raises(PublishedEditionError, match=r"82 texts not read, values of \d\d programs"):
        check_reviewed(2027)
    review(2027, sorted(load_edition(2027)), TODAY)
    with pytest.raises(PublishedEditionError, match="0 texts not read"):
        check_reviewed(2027)
    check_reviewed(2026)  # It is published, and stays so.


@pytest.mark.slow
def test_an_own_edition_is_published_and_corrected_in_the_workspace(workspace: Path) -> None:
    prepare(2027, 2026)
    assert publish(2027)
    assert problems(years=[2027]) == []
    path = writable(load_edition(2027)["IDNYC"].folder / "thresholds.toml")
    text = path.read_text(encoding="utf-8")
    assert " = 10\n" in text
    path.write_text(text.replace(" = 10\n", " = 11\n"), encoding="utf-8")
    forget_editions()
    assert any("IDNYC" in problem for problem in problems(years=[2027]))
    assert correct(2027, "misread", TODAY) == ("IDNYC",)
    assert load_register()[2027].corrections[0].reason == "misread"
    # The copy holds the past too, and the past must stay as the package published it.
    assert any("edition 2024: IDNYC" in problem for problem in problems())


def test_what_the_package_published_is_not_corrected_in_a_workspace(workspace: Path) -> None:
    with pytest.raises(PublishedEditionError, match="comes with the package"):
        publish(2024)


def test_a_copied_checker_is_the_one_that_runs(workspace: Path) -> None:
    path = writable(PACKAGED / "three_k" / "checker.py")
    path.write_text(path.read_text(encoding="utf-8").replace("return True", "return False"))
    program = load_edition(2024)["ThreeK"]
    assert program.folder == workspace / "programs" / "three_k"
    assert Path(program.checker.__code__.co_filename) == path
    home = Household.complete(members=[{"age": 30}, {"relation": "child", "age": 3}])
    assert not program.is_eligible(home)
    use_workspace(None)
    assert load_edition(2024)["ThreeK"].is_eligible(home)


@pytest.mark.parametrize(
    ("name", "since", "error"),
    [
        ("FairFaresNYC", 2027, UnknownProgramError),
        ("fair fares", 2027, UnknownProgramError),
        ("SchoolMeals", 2026, PublishedEditionError),
        ("SchoolMeals", 2031, UnknownEditionError),
    ],
)
def test_a_new_program_needs_a_new_name_and_a_draft(
    workspace: Path, name: str, since: int, error: type[Exception]
) -> None:
    prepare(2027, 2026)
    with pytest.raises(error):
        new_program(name, since, TODAY)
    assert len(program_folders()) == 82


def test_an_installed_package_is_not_written_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "benyfits_data.editions.workspace.PACKAGED", Path("/site/benyfits/checkers")
    )
    with pytest.raises(WorkspaceError, match="benyfits-data init"):
        writable_root()


def test_a_folder_that_is_no_workspace_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="is no workspace"):
        use_workspace(tmp_path)
    assert checkers.WORKSPACE is None
    (tmp_path / "notes.txt").touch()
    with pytest.raises(WorkspaceError, match="not empty"):
        init_workspace(tmp_path)


def test_a_workspace_is_found_from_a_folder_below_it(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(checkers.VARIABLE)
    monkeypatch.chdir(workspace / "programs")
    assert checkers.find_workspace() == workspace.resolve()
