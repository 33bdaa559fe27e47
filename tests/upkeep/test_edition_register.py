"""Published editions stay as they are: planted edits are found, corrections are recorded."""

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benyfits_data.editions import load_register
from benyfits_data.editions.program import load_program
from benyfits_data.editions.workspace import PACKAGED, init_workspace, use_workspace, writable
from benyfits_data.errors import ProgramFolderError, UnknownEditionError
from benyfits_data.upkeep.digests import program_digest
from benyfits_data.upkeep.edition_register import prepare
from tests.copies import Copy, copy_house, fix_editions


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy in which 2024 and 2026 are fixed as they are now."""
    house = copy_house(tmp_path_factory.mktemp("house"))
    fix_editions(house)
    return house


def replaced(path: Path, old: str, new: str) -> Callable[[], None]:
    """Replace text in a file and return what puts it back."""
    before = path.read_text(encoding="utf-8")
    assert old in before, f"{path} has no {old!r}"
    path.write_text(before.replace(old, new, 1), encoding="utf-8")
    return lambda: path.write_text(before, encoding="utf-8") and None


PLANTS = [
    ("checkers/fair_fares_nyc/thresholds.toml", "2024 = 18", "2024 = 19", 2024),
    (
        "checkers/fair_fares_nyc/checker.py",
        "member.age < thresholds.min_age",
        "member.age <= thresholds.min_age",
        2024,
    ),
    ("checkers/three_k/requirements.md", "however related", "related or not", 2024),
    (
        "checkers/three_k/checker.py",
        "member.age_months < thresholds.min_months",
        "member.age_months <= thresholds.min_months",
        2026,
    ),
    (
        "checkers/fair_fares_nyc/sources.toml",
        "[2024]",
        '[2024]\nlist = "a page"\nread = 2026-11-21',
        2024,
    ),
    ("checkers/shared/poverty_guideline.toml", "1 = 15060,", "1 = 15061,", 2024),
    (
        "checkers/career_and_technical_education/thresholds.toml",
        'source = "',
        'source = "the ',
        2026,
    ),
    ("checkers/fair_fares_nyc/thresholds.toml", 'unit = "years"', 'unit = "months"', 2024),
    ("checkers/fair_fares_nyc/plain.md", "Fair Fares", "Fare Fairs", 2024),
    (
        "checkers/fair_fares_nyc/readings.toml",
        'why = "The text names the household."',
        'why = "The text names the household."\nscored = false',
        2024,
    ),
    ("checkers/fair_fares_nyc/sources.toml", '1 = "', '1 = "the ', 2024),
    ("checkers/fair_fares_nyc/requirements.md", 'title = "Fair', 'title = "Fare', 2024),
]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Path]:
    init_workspace(tmp_path / "own")
    use_workspace(tmp_path / "own")
    yield tmp_path / "own"
    use_workspace(None)


@pytest.mark.parametrize(
    ("file", "old", "new", "year"), PLANTS, ids=[f"{it[0]}-{it[1]}" for it in PLANTS]
)
def test_a_planted_edit_changes_the_digest(
    workspace: Path, file: str, old: str, new: str, year: int
) -> None:
    folder = "fair_fares_nyc" if "shared" in file else Path(file).parent.name
    before = program_digest(load_program(PACKAGED / folder, year))
    replaced(writable(PACKAGED / file.removeprefix("checkers/")), old, new)
    own = writable(PACKAGED / folder / "checker.py").parent
    assert own.is_relative_to(workspace)
    use_workspace(None)
    use_workspace(workspace)  # Checkers are imported anew.
    assert program_digest(load_program(own, year)) != before


def test_notes_and_comments_do_not_count(workspace: Path) -> None:
    folder = PACKAGED / "fair_fares_nyc"
    before = program_digest(load_program(folder, 2024))
    own = writable(folder / "thresholds.toml")
    replaced(own, 'note = "', '# A comment.\nnote = "No: ')
    replaced(writable(folder / "checker.py"), "    size =", "    # Of all members.\n    size =")
    use_workspace(None)
    use_workspace(workspace)
    assert program_digest(load_program(own.parent, 2024)) == before


ENDS = ("checkers/text_two_work/requirements.md", 'unit = "', 'until = {}\nunit = "')
STRAY = (
    "checkers/fair_fares_nyc/thresholds.toml",
    "2024 = 64",
    '2023 = { value = 1, source = "a text", verified = 2026-11-21 }\n2024 = 64',
)


def verify(house: Copy, *edits: tuple[str, str, str]) -> "subprocess.CompletedProcess[str]":
    """Return what the command says of a copy with some edits, which are undone again."""
    restore = [replaced(house.root / "benyfits_data" / file, *texts) for file, *texts in edits]
    try:
        return house.run("editions", "verify")
    finally:
        for undo in reversed(restore):
            undo()


@pytest.mark.slow
def test_planted_edits_of_published_editions_are_found(published: Copy) -> None:
    file, old, new = ENDS
    edits = [edit[:3] for edit in PLANTS[1:4]]
    done = verify(published, *edits, STRAY, (file, old, new.format(2024)))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "fair_fares_nyc: max_age is stated for 2023, which is no edition",
        "edition 2024: FairFaresNYC: changed",
        "edition 2024: ThreeK: changed",
        "edition 2026: FairFaresNYC: changed",
        "edition 2026: TextTwoWork: gone",
        "edition 2026: ThreeK: changed",
    ]
    assert "benyfits-data editions correct" in done.stderr


@pytest.mark.slow
def test_digests_edited_by_hand_are_found(published: Copy) -> None:
    done = verify(published, ("checkers/shared/digests/2024.toml", 'IDNYC = "', 'IDNYC = "0'))
    assert done.returncode == 1
    assert "was edited by hand" in done.stdout


@pytest.mark.slow
def test_a_correction_is_recorded_in_register_and_changelog(published: Copy) -> None:
    folder = published.checkers / "fair_fares_nyc" / "thresholds.toml"
    kept = {
        path: path.read_text(encoding="utf-8")
        for path in (
            published.checkers / "shared" / "editions.toml",
            published.checkers / "shared" / "digests" / "2024.toml",
            published.root / "CHANGELOG.md",
        )
    }
    restore = replaced(folder, "2024 = 18", "2024 = 19")
    try:
        assert published.run("editions", "publish", "2024").returncode == 1
        done = published.run("editions", "correct", "2024", "--reason", "the age was misread")
        assert done.returncode == 0, done.stderr
        assert published.run("editions", "verify", "2024").returncode == 0
        changelog = (published.root / "CHANGELOG.md").read_text(encoding="utf-8")
        *_, correction = load_register(published.checkers / "shared" / "editions.toml")[
            2024
        ].corrections
        manifest = published.shell(
            "python -c 'from benyfits_data.editions import load_edition;"
            "print(load_edition(2024).provenance())'"
        ).stdout
    finally:
        restore()
        for path, text in kept.items():
            path.write_text(text, encoding="utf-8")
    assert re.search(r"^- Edition 2024 corrected .*FairFaresNYC.*misread$", changelog, re.MULTILINE)
    assert (correction.reason, correction.programs) == ("the age was misread", ("FairFaresNYC",))
    assert "the age was misread" in manifest


@pytest.mark.slow
def test_nothing_to_correct_is_said(published: Copy) -> None:
    done = published.run("editions", "correct", "2024", "--reason", "tidying")
    assert done.returncode == 1
    assert "as it was published" in done.stderr


@pytest.mark.parametrize(("year", "origin"), [(2025, 2024), (2027, 2024), (2026, 2024)])
def test_an_edition_comes_after_the_latest_and_inherits_from_it(
    workspace: Path, year: int, origin: int
) -> None:
    with pytest.raises(UnknownEditionError):
        prepare(year, origin)


def test_a_register_out_of_order_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "editions.toml"
    path.write_text('[2024]\nstatus = "published"\n[2026]\nstatus = "draft"\n', encoding="utf-8")
    with pytest.raises(ProgramFolderError, match="inherits from None, expected 2024"):
        load_register(path)
