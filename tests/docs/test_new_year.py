"""The guide of a new year, run command by command in a copy of the house."""

import os
from pathlib import Path

import pytest

from tests.copies import ROOT, Copy, copy_house, fix_editions
from tests.docs.guides import apply_diff, first_missing, read_steps

GUIDE = ROOT / "docs" / "new-year.md"
LANGUAGES = ("sh", "python", "diff")
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
def test_every_command_of_the_guide_prints_what_it_promises(house: Copy) -> None:
    transcript = []
    for step in read_steps(GUIDE.read_text(encoding="utf-8"), LANGUAGES):
        if step.language == "diff":
            changed = house.root / step.options["file"]
            text = apply_diff(changed.read_text(encoding="utf-8"), step.code)
            changed.write_text(text, encoding="utf-8")
            continue
        if step.language == "sh":
            done = house.shell(f"set -e\n{step.code}")
        else:
            script = house.root / "step.py"
            script.write_text(step.code, encoding="utf-8")
            done = house.shell("python step.py")
        transcript.append(f"$ {step.code}\n{done.stdout}")
        assert done.returncode == 0, done.stdout
        missing = first_missing(step.expected, done.stdout)
        assert missing is None, f"not printed: {missing}\n{step.code}\n{done.stdout}"
    if "BENYFITS_TRANSCRIPT" in os.environ:
        Path(os.environ["BENYFITS_TRANSCRIPT"]).write_text("\n".join(transcript), encoding="utf-8")


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


def test_every_block_of_the_guide_is_a_step_or_an_output() -> None:
    steps = read_steps(GUIDE.read_text(encoding="utf-8"), LANGUAGES)
    assert len(steps) > 10
    assert sum(bool(step.expected) for step in steps) > 8
