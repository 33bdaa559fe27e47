"""The guides that change the house, run command by command in a copy of it."""

from pathlib import Path

import pytest

from tests.copies import ROOT, Copy, copy_house, fix_editions
from tests.docs.runner import apply_diff, first_missing, read_steps, run_step

GUIDES = [ROOT / "docs" / f"{name}.md" for name in ("new-year", "add-fact")]
SMALLER = {
    " diverse --edition": " diverse --households 1000 --plausible off --no-pictures --edition",
    " representative --edition": " representative --households 50 --city 4000 --edition",
    " representative-25 --edition": " representative-25 --repeats 1 --edition",
}
"""What `make` runs for the guide; tests/rebuild builds whole sets, which take minutes."""


@pytest.fixture
def house(tmp_path: Path) -> Copy:
    """A copy whose published editions are fixed, and whose sets are small."""
    house = copy_house(tmp_path)
    fix_editions(house)
    makefile = house.root / "Makefile"
    text = makefile.read_text(encoding="utf-8")
    for whole, small in SMALLER.items():
        assert whole in text
        text = text.replace(whole, small)
    makefile.write_text(text, encoding="utf-8")
    return house


@pytest.mark.slow
@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.stem)
def test_every_command_of_a_guide_prints_what_it_promises(guide: Path, house: Copy) -> None:
    for step in read_steps(guide.read_text(encoding="utf-8")):
        assert run_step(step, house) == "", f"{guide.name}:{step.line}\n{step.code}"


def test_a_change_is_made_where_it_was_shown_and_nowhere_else() -> None:
    assert apply_diff("a\nb\nc\n", "-a\n+d\n\n b\n+e\n") == "d\nb\ne\nc\n"
    with pytest.raises(AssertionError, match="0 times"):
        apply_diff("a\n", "-b\n+c\n")
    with pytest.raises(AssertionError, match="2 times"):
        apply_diff("a\na\n", "-a\n+c\n")


def test_a_promised_line_that_is_not_printed_is_found() -> None:
    assert first_missing(("a", "...", "c ... e"), "a\nb\nc d e\n") is None
    assert first_missing(("a", "c"), "a\nb\nc\n") == "c"
    assert first_missing(("a", "...", "x"), "a\nb\n") == "x"
