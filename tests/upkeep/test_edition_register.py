"""Published editions stay as they are: planted edits are found, corrections are recorded."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benyfits_data.editions import load_edition, load_register
from benyfits_data.editions.program import load_program
from benyfits_data.editions.workspace import PACKAGED, init_workspace, use_workspace, writable
from benyfits_data.errors import ProgramFolderError
from benyfits_data.household import measures
from benyfits_data.upkeep.digests import (
    PARTS,
    program_digests,
    rule_text,
)
from benyfits_data.upkeep.edition_register import with_line
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


@pytest.mark.slow
def test_what_was_published_verifies(published: Copy) -> None:
    done = published.run("editions", "verify")
    assert done.returncode == 0, done.stdout + done.stderr


PLANTS = [
    (
        "checkers/fair_fares_nyc/thresholds.toml",
        "2024 = 18",
        "2024 = 19",
        2024,
        "text, plain, values",
    ),
    (
        "checkers/fair_fares_nyc/checker.py",
        "member.age < thresholds.min_age",
        "member.age <= thresholds.min_age",
        2024,
        "rule",
    ),
    ("checkers/three_k/requirements.md", "however related", "related or not", 2024, "text"),
    (
        "checkers/three_k/checker.py",
        "member.age_months < thresholds.min_months",
        "member.age_months <= thresholds.min_months",
        2026,
        "rule",
    ),
    (
        "checkers/fair_fares_nyc/sources.toml",
        "[2024]",
        '[2024]\nlist = "a page"\nread = 2026-11-21',
        2024,
        "sources, places",
    ),
    (
        "checkers/shared/poverty_guideline.toml",
        "1 = 15060,",
        "1 = 15061,",
        2024,
        "text, plain, values",
    ),
    ("checkers/fair_fares_nyc/plain.md", "Fair Fares", "Fare Fairs", 2024, "plain"),
    (
        "checkers/fair_fares_nyc/readings.toml",
        'why = "The text names the household."',
        'why = "The text names the household."\nscored = false',
        2024,
        "readings",
    ),
    (
        "checkers/fair_fares_nyc/checker.py",
        "if income(member) > thresholds.income_limit[size]:",
        "if income(member) >= thresholds.income_limit[size]:",
        2024,
        "readings",
    ),
    ("checkers/fair_fares_nyc/sources.toml", '1 = "', '1 = "the ', 2024, "places"),
    ("checkers/fair_fares_nyc/requirements.md", 'title = "Fair', 'title = "Fare', 2024, "text"),
]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Path]:
    init_workspace(tmp_path / "own")
    use_workspace(tmp_path / "own")
    yield tmp_path / "own"
    use_workspace(None)


@pytest.mark.parametrize(
    ("file", "old", "new", "year", "parts"), PLANTS, ids=[f"{it[0]}-{it[4]}" for it in PLANTS]
)
def test_a_planted_edit_changes_the_digests_of_its_parts(
    workspace: Path, file: str, old: str, new: str, year: int, parts: str
) -> None:
    folder = "three_k" if "three_k" in file else "fair_fares_nyc"
    before = program_digests(load_program(PACKAGED / folder, year))
    replaced(writable(PACKAGED / file.removeprefix("checkers/")), old, new)
    own = writable(PACKAGED / folder / "checker.py").parent
    assert own.is_relative_to(workspace)
    use_workspace(None)
    use_workspace(workspace)  # Checkers are imported anew.
    after = program_digests(load_program(own, year))
    assert ", ".join(part for part in PARTS if before[part] != after[part]) == parts


@pytest.mark.slow
@pytest.mark.parametrize(("file", "old", "new", "year", "parts"), PLANTS[1:3])
def test_a_planted_edit_of_a_published_edition_is_found(
    published: Copy, file: str, old: str, new: str, year: int, parts: str
) -> None:
    restore = replaced(published.root / "benyfits_data" / file, old, new)
    try:
        done = published.run("editions", "verify", str(year))
    finally:
        restore()
    assert done.returncode == 1
    name = "ThreeK" if "three_k" in file else "FairFaresNYC"
    assert f"edition {year}: {name}: {parts}\n" in done.stdout
    assert "benyfits-data editions correct" in done.stderr


@pytest.mark.slow
def test_an_edit_of_a_measure_is_found_in_every_program_that_uses_it(published: Copy) -> None:
    path = published.root / "benyfits_data" / "household" / "measures.py"
    restore = replaced(path, "size += 1", "size += 1 + 0")
    try:
        done = published.run("editions", "verify", "2024")
    finally:
        restore()
    assert "edition 2024: FairFaresNYC: rule\n" in done.stdout
    assert "ThreeK" not in done.stdout


@pytest.mark.slow
def test_a_program_that_ends_later_leaves_the_past_alone(published: Copy) -> None:
    path = published.checkers / "text_two_work" / "requirements.md"
    restore = replaced(path, 'unit = "', 'until = 2026\nunit = "')
    try:
        assert published.run("editions", "verify").returncode == 0
    finally:
        restore()


@pytest.mark.slow
def test_a_program_that_ended_too_early_is_found(published: Copy) -> None:
    path = published.checkers / "text_two_work" / "requirements.md"
    restore = replaced(path, 'unit = "', 'until = 2024\nunit = "')
    try:
        done = published.run("editions", "verify")
    finally:
        restore()
    assert done.stdout == "edition 2026: TextTwoWork: gone\n"


@pytest.mark.slow
def test_a_value_of_a_year_that_is_no_edition_is_found(published: Copy) -> None:
    path = published.checkers / "fair_fares_nyc" / "thresholds.toml"
    value = '2023 = { value = 1, source = "a text", verified = 2026-11-21 }'
    restore = replaced(path, "2024 = 64", f"{value}\n2024 = 64")
    try:
        done = published.run("editions", "verify")
    finally:
        restore()
    assert done.stdout == "fair_fares_nyc: max_age is stated for 2023, which is no edition\n"


@pytest.mark.slow
def test_digests_edited_by_hand_are_found(published: Copy) -> None:
    path = published.checkers / "shared" / "digests" / "2024.toml"
    restore = replaced(path, 'text = "', 'text = "0')
    try:
        done = published.run("editions", "verify", "2024")
    finally:
        restore()
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


@pytest.mark.slow
def test_an_edition_comes_after_the_latest_and_inherits_from_it(published: Copy) -> None:
    for year, origin in (("2025", "2024"), ("2027", "2024"), ("2026", "2024")):
        done = published.run("editions", "new", year, "--from", origin)
        assert done.returncode == 1, done.stdout


def test_the_rule_of_a_checker_holds_its_measures_and_no_comments() -> None:
    program = load_edition(2024).program("FairFaresNYC")
    text = "\n".join(rule_text(program.checker))
    assert "household_size: " in text
    assert '"""' not in text


def test_constants_of_measures_count() -> None:
    assert "MONTHS_PER_YEAR=12" in rule_text(measures.yearly)[0]


def test_a_line_goes_to_the_end_of_the_newest_section() -> None:
    before = "# Changelog\n\n## 2\n\n- a\n\n## 1\n\n- b\n"
    assert with_line(before, "- c") == "# Changelog\n\n## 2\n\n- a\n- c\n\n## 1\n\n- b\n"


def test_a_register_out_of_order_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "editions.toml"
    path.write_text('[2024]\nstatus = "published"\n[2026]\nstatus = "draft"\n', encoding="utf-8")
    with pytest.raises(ProgramFolderError, match="inherits from None, expected 2024"):
        load_register(path)
