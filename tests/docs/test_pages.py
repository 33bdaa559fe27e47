"""README and the pages of docs, block by block, in a fresh clone and the environment it makes.

README's first block is run as printed: it makes the environment, from wherever pip has its
packages, and builds the sets. Without an index in reach nothing of this can be seen, and the tests
are skipped, unless BENYFITS_CLONE is `required`, as in CI.
"""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest

from benyfits_data.editions import EDITIONS
from benyfits_data.evaluation.fact_answers import question_of
from benyfits_data.recorded import unpack
from benyfits_data.site.library_reference import MARK
from benyfits_data.site.pages import KINDS
from tests.copies import ROOT, Copy
from tests.docs import measurements
from tests.docs.readme_row import rewrite
from tests.docs.runner import (
    OPTIONS,
    TUTORIAL,
    Step,
    command_lines,
    parse,
    read_blocks,
    read_steps,
    run_notebook,
    run_step,
)
from tests.docs.test_examples import help_examples
from tests.rebuild.test_rebuild import assert_believable, assert_same_sets

README = ROOT / "README.md"
ELSEWHERE = {
    "commands.md": "generated from the help, whose examples tests/docs/test_examples runs",
    "new-year.md": "changes the programs; tests/docs/test_new_year runs it in a copy",
    "add-fact.md": "changes the facts; tests/docs/test_new_year runs it in a copy",
}
PAGES = [
    README,
    *(path for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in ELSEWHERE),
]
EXAMPLES = frozenset(help_examples())
UNREACHED = ("NewConnectionError", "NameResolutionError", "ProxyError", "ConnectTimeoutError")
"""What pip says where no index is in reach."""
HIDDEN = ("PYTHONPATH", "VIRTUAL_ENV")
COMMANDS = ("benyfits-data ", "make ", "pip ", "inspect ", "git ")


@dataclass(frozen=True)
class Clone(Copy):
    """A clone of the checkout, with an environment of its own."""

    def environment(self) -> dict[str, str]:
        """Return the variables of a shell in it: nothing of this environment is in reach."""
        mine = super().environment() | {"COLUMNS": "80", "BENYFITS_CACHE": f"{self.root}/.cache"}
        return {name: text for name, text in mine.items() if name not in HIDDEN}


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """A clone in which README's first block was run."""
    root = tmp_path_factory.mktemp("clone") / "benyfits-data"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(root)], check=True)
    changed = ["git", "ls-files", "--modified", "--others", "--exclude-standard", "-z"]
    for name in subprocess.check_output(changed, cwd=ROOT, text=True).split("\0"):
        if name and (ROOT / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
    made = Clone(root)
    first = read_steps(README.read_text("utf-8"))[0]
    done = made.shell(f"set -e\n{first.code}")
    is_required = os.environ.get("BENYFITS_CLONE") == "required"
    if done.returncode and not is_required and any(it in done.stdout for it in UNREACHED):
        pytest.skip("pip reaches no index: README's lines were not run")
    assert done.returncode == 0, done.stdout[-3000:]
    return made


def test_every_fact_that_a_page_asks_for_can_be_asked_so() -> None:
    def ask(fact: str, member: int | None = None) -> None:
        question_of(fact, member)

    calls = [
        call
        for page in PAGES
        for call in re.findall(r'ask_fact\(("[^)]*)\)', page.read_text("utf-8"))
    ]
    assert calls
    for call in calls:
        eval(f"ask({call})", {"ask": ask})


@pytest.mark.slow
@pytest.mark.xdist_group("clone")
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_block_of_a_page_runs_as_printed(page: Path, clone: Clone) -> None:
    steps = read_steps(page.read_text("utf-8"), ("sh", "python"))
    for step in steps[page == README :]:
        problem = run_block(step, clone)
        assert not problem, f"{page.name}:{step.line}\n{step.code}\n{problem}"


def run_block(step: Step, clone: Clone) -> str:
    """Return what is wrong with a block of a page, where it is run."""
    return parse(step, clone) if is_run_elsewhere(step) else run_step(step, clone)


@pytest.mark.slow
@pytest.mark.xdist_group("clone")
def test_the_first_command_builds_what_was_published(clone: Clone) -> None:
    newest = EDITIONS[-1]
    assert_same_sets(clone.root / "output" / str(newest), newest)
    assert_believable(clone.root / "output" / str(newest))


def is_run_elsewhere(step: Step) -> bool:
    """Return whether all commands of a block are examples of the help, which test_examples runs."""
    return (
        step.language == "sh"
        and not step.expected
        and {line.partition("  #")[0].strip() for line in command_lines(step.code)} <= EXAMPLES
    )


def test_readme_shows_the_first_row_of_the_newest_set() -> None:
    page, newest = README.read_text("utf-8"), EDITIONS[-1]
    row = json.loads(unpack("diverse", newest).read_text("utf-8").splitlines()[0])
    path = f"output/{newest}/diverse.jsonl"
    assert rewrite(page, path, row) == page, f"stale: python -m tests.docs.readme_row {path}"
    for other in ({"id": "diverse-2026-99"}, {"programs": row["programs"][1:]}):
        assert rewrite(page, path, row | other) != page


def unmarked(page: str) -> list[int]:
    """Return where blocks hold commands but are not marked as `sh`, or say what nobody knows."""
    return [
        block.line
        for block in read_blocks(page)
        if (block.language in ("", "text") and block.code.startswith(COMMANDS))
        or any(
            name not in OPTIONS or (OPTIONS[name] and value not in OPTIONS[name])
            for name, value in block.options.items()
        )
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_no_command_stands_in_a_block_that_is_not_run(page: Path) -> None:
    assert unmarked(page.read_text("utf-8")) == []


def test_a_command_in_a_plain_block_is_caught() -> None:
    assert unmarked("```\nbenyfits-data eval\n```\n\n```sh needs=luck\nmake\n```\n") == [1, 5]


def broken_links(page: str, folder: Path) -> list[str]:
    """Return the links of a page to files that are not there, seen from its folder."""
    found = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", page, flags=re.DOTALL))
    files = [link.split("#")[0] for link in found if "://" not in link]
    return [name for name in files if name and not (folder / name).exists()]


def test_every_link_of_a_page_leads_to_a_file() -> None:
    pages = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    broken = {path.name: broken_links(path.read_text("utf-8"), path.parent) for path in pages}
    assert {name: links for name, links in broken.items() if links} == {}
    assert broken_links("[a](README.md) and [b](docs/nowhere.md#x)", ROOT) == ["docs/nowhere.md"]


LIMITS = {
    "README.md": 500,
    "tutorial-evaluate.md": 750,
    "models.md": 700,
    "new-year.md": 1300,
    "add-program.md": 700,
    "add-fact.md": 300,
    "release.md": 250,
    "chat.md": 550,
    "judge-code.md": 400,
    "benchmark.md": 1000,
    "diverse.md": 850,
    "population.md": 700,
    "paper.md": 700,
    "architecture.md": 600,
}
"""Words of a page at most: what nobody finds in a page is not documented."""
MOST_WORDS = 12_300
"""Words of all pages that people write: all but commands, measurements, the library's reference."""


def too_long(name: str, page: str) -> bool:
    """Return whether a page has more words than it may."""
    return len(page.split()) > LIMITS.get(name, 1100)


def test_no_page_written_by_hand_grows_too_long() -> None:
    generated = {"commands.md", "library.md"}
    pages = [README, *sorted((ROOT / "docs").glob("*.md"))]
    long = [path.name for path in pages if too_long(path.name, path.read_text("utf-8"))]
    assert set(long) - generated == set()
    assert too_long("README.md", "word " * 501)


def words_by_hand(pages: dict[str, str]) -> int:
    """Return the words of all pages that people write, below no mark of a generated part."""
    by_hand = {name: page.split(MARK)[0] for name, page in pages.items()}
    return sum(
        len(page.split())
        for name, page in by_hand.items()
        if name not in ("commands.md", "measurements.md")
    )


def test_all_pages_written_by_hand_together_stay_within_their_words() -> None:
    pages = {path.name: path.read_text("utf-8") for path in [README, *(ROOT / "docs").glob("*.md")]}
    assert words_by_hand(pages) <= MOST_WORDS
    grown = {"a.md": f"{'word ' * MOST_WORDS}{MARK} generated", "commands.md": "word"}
    assert words_by_hand(grown) == MOST_WORDS
    assert words_by_hand(grown | {"b.md": "word"}) > MOST_WORDS


def test_every_page_has_a_kind() -> None:
    kinds = {f"{stem}.md" for stems in KINDS.values() for stem in stems}
    assert {path.name for path in (README, *(ROOT / "docs").glob("*.md"))} - kinds == set()


def test_the_table_of_the_recorded_sets_is_up_to_date() -> None:
    stale = "stale: python -m tests.docs.measurements"
    assert measurements.table() in measurements.PAGE.read_text("utf-8"), stale


PLANTED = {
    "a command that is not there": ("```sh\nbenyfits-data evaluate\n```\n", "No such command"),
    "an option that is not there": (
        "```sh needs=model\nbenyfits-data eval --modle x\n```\n",
        "No such option",
    ),
    "an output that is not printed": ("```sh\necho a\n```\n\n```text\nb\n```\n", "not printed: b"),
    "an exit code": ("```sh\ntrue\nfalse\n```\n", "exit code 1"),
    "a value that is not the printed one": (
        "```python\n>>> x = 1\n```\n\n```python\n>>> x + 1\n3\n```\n",
        "Got:\n    2\n",
    ),
    "an error of Python": ("```python\n1 / 0\n```\n", "ZeroDivisionError"),
    "no Python": ("```python takes=minutes\nx = = 1\n```\n", "invalid syntax"),
}


@pytest.mark.parametrize("what", PLANTED)
def test_a_broken_line_is_caught(what: str, tmp_path: Path) -> None:
    page, expected = PLANTED[what]
    (step,) = read_steps(page)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    assert expected in run_step(step, Clone(tmp_path))


@pytest.mark.slow
def test_the_tutorial_shows_what_it_shows_when_run(tmp_path: Path) -> None:
    notebook = nbformat.read(TUTORIAL, as_version=4)
    assert all(cell.outputs for cell in notebook.cells if cell.cell_type == "code")
    shown, saved = texts_of(run_notebook(tmp_path)), texts_of(notebook)
    assert shown == saved, "stale: python -m tests.docs.runner"
    assert "MyAgent" in shown[-1]


def texts_of(notebook: Any) -> list[str]:
    """Return what each output of a notebook shows as text."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [it.get("text", "") + it.get("data", {}).get("text/plain", "") for it in outputs]
