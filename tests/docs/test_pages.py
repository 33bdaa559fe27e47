"""README and the pages of docs, block by block, in a fresh clone and the environment it makes.

README's first block is run as printed: it makes the environment, from wherever pip has its
packages, and builds the sets. Without an index in reach nothing of this can be seen, and the tests
are skipped, unless BENYFITS_CLONE is `required`, as in CI.

A fence says after its language what keeps a block from being run: `needs=` a model, a gpu, a
person, a file or a draft edition, `takes=` minutes or hours, `part=` a checker. Such blocks are
parsed only. `file=NAME` saves a block.
"""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from benyfits_data.cli.reference import MARK
from benyfits_data.editions import EDITIONS
from benyfits_data.site.pages import KINDS
from tests.copies import ROOT
from tests.docs import measurements
from tests.docs.block_runner import run as run_python
from tests.docs.guides import Step, first_missing, read_blocks, read_steps
from tests.docs.readme_row import rewrite
from tests.docs.test_examples import help_examples
from tests.rebuild.test_rebuild import assert_believable, assert_same_sets

README = ROOT / "README.md"
ELSEWHERE = {
    "commands.md": "generated from the help, whose examples tests/docs/test_examples runs",
    "new-year.md": "changes the programs; tests/docs/test_new_year runs it in a copy",
}
PAGES = [
    README,
    *(path for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in ELSEWHERE),
]
OPTIONS = {
    "needs": {"model", "gpu", "person", "file", "draft"},
    "takes": {"minutes", "hours"},
    "part": {"checker"},
    "file": None,
}
EXAMPLES = frozenset(help_examples())
UNREACHED = ("NewConnectionError", "NameResolutionError", "ProxyError", "ConnectTimeoutError")
"""What pip says where no index is in reach."""
COMMANDS = ("benyfits-data ", "make ", "pip ", "inspect ", "git ")


@dataclass(frozen=True)
class Clone:
    """A clone of the checkout."""

    root: Path

    @property
    def environment(self) -> dict[str, str]:
        mine = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
        mine.pop("VIRTUAL_ENV", None)
        path = f"{self.root / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return {**mine, "PATH": path, "COLUMNS": "80", "BENYFITS_CACHE": str(self.root / ".cache")}

    def shell(self, command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self.root,
            env=self.environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            check=False,
        )

    @cached_property
    def rows(self) -> dict[str, dict[str, Any]]:
        """The rows of the sets that the first command built, by id."""
        lines = (
            line
            for path in sorted((self.root / "output").rglob("*.jsonl"))
            for line in path.read_text("utf-8").splitlines()
        )
        return {row["id"]: row for row in map(json.loads, lines) if "household" in row}


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


@pytest.mark.slow
@pytest.mark.xdist_group("clone")
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_block_of_a_page_runs_as_printed(page: Path, clone: Clone) -> None:
    steps = read_steps(page.read_text("utf-8"), ("sh", "python", "json"))
    first = 1 if page == README else 0
    with Notebook(clone) as notebook:
        for step in steps[first:]:
            problem = run_step(step, clone, notebook)
            assert not problem, f"{page.name}:{step.line}\n{step.code}\n{problem}"


@pytest.mark.slow
@pytest.mark.xdist_group("clone")
def test_the_first_command_builds_what_was_published(clone: Clone) -> None:
    newest = EDITIONS[-1]
    assert_same_sets(clone.root / "output" / str(newest), newest)
    assert_believable(clone.root / "output" / str(newest))


class Notebook:
    """Runs the Python blocks of a page in the clone's environment."""

    def __init__(self, clone: Clone) -> None:
        self._clone = clone

    def __enter__(self) -> "Notebook":
        self._process = subprocess.Popen(
            [self._clone.root / ".venv/bin/python", ROOT / "tests" / "docs" / "block_runner.py"],
            cwd=self._clone.root,
            env=self._clone.environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()

    def run(self, code: str) -> tuple[str, str]:
        """Return what a block printed, and what is wrong with it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(code) + "\n")
        self._process.stdin.flush()
        said = json.loads(self._process.stdout.readline())
        return said["printed"], said["problem"]


def run_step(step: Step, clone: Clone, notebook: Notebook) -> str:
    """Return what is wrong with a block; nothing if it does what is printed."""
    if step.language == "json":
        return check_row(json.loads(step.code), clone.rows)
    if "file" in step.options:
        (clone.root / step.options["file"]).write_text(step.code, encoding="utf-8")
        return parse_python(step.code)
    if {"needs", "takes", "part"} & step.options.keys() or is_run_elsewhere(step):
        return parse(step, clone)
    if step.language == "python":
        printed, problem = notebook.run(step.code)
        return problem or missing_from(step, printed)
    printed = ""
    for command in command_lines(step.code):
        done = clone.shell(command)
        printed += done.stdout
        if done.returncode or "Traceback (most recent" in done.stdout:
            return f"$ {command}\nexit code {done.returncode}\n{done.stdout[-2000:]}"
        if problem := check_explained(command, clone.rows):
            return problem
    return missing_from(step, printed)


def is_run_elsewhere(step: Step) -> bool:
    """Return whether all commands of a block are examples of the help, which test_examples runs."""
    return (
        step.language == "sh"
        and not step.expected
        and {line.partition("  #")[0].strip() for line in command_lines(step.code)} <= EXAMPLES
    )


def missing_from(step: Step, printed: str) -> str:
    missing = first_missing(step.expected, printed)
    return "" if missing is None else f"not printed: {missing}\n{printed}"


def command_lines(code: str) -> Iterator[str]:
    """Yield the commands of a block; one that ends in a backslash goes on in the next line."""
    for line in code.replace("\\\n", " ").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line


def parse(step: Step, clone: Clone) -> str:
    """Return what is wrong with a block that cannot be run here: syntax, commands, options."""
    if step.language == "python":
        return parse_python(step.code)
    for command in command_lines(step.code):
        words = shlex.split(command, comments=True)
        if words[0] == "benyfits-data":
            done = clone.shell(f"{shlex.join(words)} --help")
        elif words[0] == "make":
            done = clone.shell(f"{shlex.join(words)} --dry-run")
        else:
            done = clone.shell(f"bash -n -c {shlex.quote(command)}")
        if done.returncode:
            return f"$ {command}\n{done.stdout[-1000:]}"
    return ""


def parse_python(code: str) -> str:
    try:
        ast.parse(textwrap.dedent(code))
    except SyntaxError as error:
        return str(error)
    return ""


def check_row(shown: Any, rows: dict[str, dict[str, Any]]) -> str:
    """Return how a printed row differs from the one that was built."""
    if shown["id"] not in rows:
        some = sorted(rows)[:5]
        return f"no row {shown['id']} was built; there are {', '.join(some)} ..."
    return next(differences(shown, rows[shown["id"]], "row"), "")


def differences(shown: Any, built: Any, where: str) -> Iterator[str]:
    """Yield where something printed is not what was built; `...` stands for more."""
    if isinstance(shown, dict) and isinstance(built, dict):
        for name, value in shown.items():
            if name != "...":
                yield from differences(value, built.get(name), f"{where}.{name}")
    elif isinstance(shown, list) and isinstance(built, list) and _covers(shown, built):
        for place, (one, other) in enumerate(zip(_without_more(shown), built, strict=False)):
            yield from differences(one, other, f"{where}[{place}]")
    elif isinstance(shown, str) and shown.endswith("..."):
        part = shown.removesuffix("...").rstrip()
        inner = part.removeprefix("...").lstrip()
        if not (inner in str(built) if inner != part else str(built).startswith(part)):
            yield f"{where} is printed as {shown!r}, built is {built!r}"
    elif shown != built:
        yield f"{where} is printed as {shown!r}, built is {built!r}"


def _without_more(shown: list[Any]) -> list[Any]:
    return shown[:-1] if shown and shown[-1] == "..." else shown


def _covers(shown: list[Any], built: list[Any]) -> bool:
    kept = _without_more(shown)
    return len(kept) == len(built) or (len(kept) < len(built) and kept is not shown)


def check_explained(command: str, rows: dict[str, dict[str, Any]]) -> str:
    """Return what is wrong with the row and the program that a line has explained."""
    asked = re.match(r"benyfits-data explain \S+\.jsonl (\S+) (\w+)", command)
    if asked and asked[2] not in rows.get(asked[1], {"programs": []})["programs"]:
        return f"row {asked[1]} does not ask about {asked[2]}"
    return ""


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
    "tutorial-evaluate.md": 800,
    "models.md": 700,
    "new-year.md": 1300,
    "add-program.md": 800,
    "release.md": 500,
    "studies.md": 500,
    "judge-code.md": 400,
    "benchmark.md": 1500,
    "diverse.md": 1000,
    "population.md": 700,
    "paper.md": 700,
    "screen.md": 220,
    "architecture.md": 900,
}
"""Words of a page at most: what nobody finds in a page is not documented."""
MOST_WORDS = 13_000
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


def test_pages_that_are_left_out_are_there() -> None:
    assert all((ROOT / "docs" / name).exists() for name in ELSEWHERE)


HERE = Clone(ROOT)
HOME = {"members": [{"name": "Ana", "age": 34}, {"name": "Ben", "age": 4}], "tenure": "renter"}
ROW = {
    "id": "a-1",
    "edition": 2026,
    "household": HOME,
    "profile": "You are Ana.\n\nYou rent. You have a son.",
    "programs": ["IDNYC", "Lifeline"],
    "eligible": {"IDNYC": True, "Lifeline": False},
    "labels": {"HeadStart": True, "IDNYC": True, "Lifeline": False},
    "contested": {},
}
PLANTED = {
    "a command that is not there": ("```sh\nbenyfits-data evaluate\n```\n", "No such command"),
    "an option that is not there": (
        "```sh needs=model\nbenyfits-data eval --modle x\n```\n",
        "No such option",
    ),
    "an output that is not printed": ("```sh\necho a\n```\n\n```text\nb\n```\n", "not printed: b"),
    "an exit code": ("```sh\ntrue\nfalse\n```\n", "exit code 1"),
    "no Python": ("```python takes=minutes\nx = = 1\n```\n", "invalid syntax"),
}


@pytest.mark.parametrize("what", PLANTED)
def test_a_broken_line_is_caught(what: str) -> None:
    page, expected = PLANTED[what]
    (step,) = read_steps(page)
    assert expected in run_step(step, HERE, Notebook(HERE))


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("x = 1\nx + 1  # 2\n", ""),
        ("x = 1\nx + 1  # 3\n", "x + 1 is 2, printed is 3"),
        ("x = 1\nx + 1  # the next number\n", ""),
        ("1 / 0\n", "ZeroDivisionError"),
        (">>> 1 + 1\n2\n", ""),
        (">>> 1 + 1\n3\n", "Expected"),
    ],
)
def test_a_python_block_is_held_against_what_it_prints(code: str, problem: str) -> None:
    found = run_python(code, {})
    assert problem in found
    assert bool(found) is bool(problem)


def test_only_a_block_of_nothing_but_examples_is_left_to_their_test() -> None:
    pages = ("benyfits-data eval", "benyfits-data eval --limit 7", "benyfits-data eval\ntrue")
    steps = [read_steps(f"```sh\n{code}\n```\n")[0] for code in pages]
    assert [is_run_elsewhere(step) for step in steps] == [True, False, False]


def test_a_printed_row_that_was_not_built_is_caught() -> None:
    rows: dict[str, dict[str, Any]] = {"a-1": ROW}
    page = "```json\n{}\n```\n\n```sh\nbenyfits-data explain x.jsonl old Old  # why\n```\n"
    row, explained = read_steps(rewrite(page, "y.jsonl", ROW), ("json", "sh"))
    assert check_row(json.loads(row.code), rows) == ""
    assert check_explained(explained.code, rows) == ""
    for old, new, where in (
        ("34", "35", "row.household.members[0].age"),
        ("You rent", "You own", "row.profile"),
        ("a-1", "a-2", "no row a-2 was built"),
        ('"Lifeline"]', '"WIC"]', "row.programs[1]"),
    ):
        assert where in check_row(json.loads(row.code.replace(old, new)), rows)
    assert "does not ask" in check_explained(explained.code.replace("IDNYC", "WIC"), rows)
