"""Commands that write are killed at many steps, the folder is read, the command run again.

What long commands compute is computed once, before processes are forked: kills are about files.
"""

import atexit
import csv
import errno
import io
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import pytest

from benyfits_data.editions.edition import forget_editions
from benyfits_data.editions.workspace import init_workspace, use_workspace
from benyfits_data.fuzz import build, coverage_charts
from benyfits_data.lint import program_folder
from benyfits_data.population import check, population_plots, representative
from benyfits_data.population import eligibility as eligibility_counts
from benyfits_data.staged_writes import settle
from tests.killing import leftovers, run, visible

QUICK = 15
"""Of how many steps one is tried where tests must be quick."""
MOST = 16
"""Steps of one command that are tried where tests may be slow."""
ENDS = 4
"""Steps at either end that are all tried then: files are put into place at the end."""


def _nothing(folder: Path) -> None:
    del folder


def _rows(folder: Path) -> None:
    told = {"members": [{"age": 30}]}
    lines = [{"id": "a", "household": told}, {"id": "b", "household": {"members": [{"agee": 3}]}}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "rows.jsonl").write_text(text)


def _workspace(folder: Path) -> None:
    init_workspace(folder / "own")


def _draft(folder: Path) -> None:
    _workspace(folder)
    assert (
        run(["editions", "new", "2027", "--from", "2026"], folder, workspace=folder / "own")[0] == 0
    )


def _values(folder: Path) -> None:
    """A draft, and a table that changes two programs of the package."""
    _draft(folder)
    table = folder / "values.csv"
    argv = ["editions", "export", "2027", "--output", str(table)]
    assert run(argv, folder, workspace=folder / "own")[0] == 0
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    for row in rows:
        if row["program"] in ("FairFaresNYC", "IDNYC") and row["threshold"] == "min_age":
            row["source"], row["date verified"] = "Notice, January 2027", "2027-01-12"
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    table.write_text(text.getvalue(), encoding="utf-8")


def _played(folder: Path) -> None:
    """The log of a dialog."""
    shutil.copytree(_logs(), folder / "logs")


@cache
def _logs() -> Path:
    from click.testing import CliRunner

    from benyfits_data.cli.main import main
    from benyfits_data.evaluation.results import results_page

    folder = Path(mkdtemp())
    atexit.register(shutil.rmtree, folder)
    rows = folder / "rows.jsonl"
    for words in (
        f"households sample -n 1 --output {rows}",
        f"eval --agent random --dataset {rows} --log-dir {folder / 'logs'}",
    ):
        # In this process, so that forked ones find what an evaluation imports.
        result = CliRunner().invoke(main, words.split())
        assert result.exit_code == 0, result.output
    assert results_page
    return folder / "logs"


def _changed(folder: Path) -> None:
    """A published edition that was changed since, which `editions correct` is to record."""
    _draft(folder)
    argv = ["editions", "publish", "2027"]
    assert run(argv, folder, workspace=folder / "own")[0] == 0
    argv = ["programs", "edit", "FairFaresNYC"]
    assert run(argv, folder, workspace=folder / "own")[0] == 0
    text = folder / "own" / "programs" / "fair_fares_nyc" / "requirements.md"
    text.write_text(text.read_text(encoding="utf-8").replace(" the ", " that ", 1))


@dataclass(frozen=True)
class Command:
    """One command to kill: its words, what it finds, and where it writes."""

    words: str
    given: Callable[[Path], None] = _nothing
    folder: str = "."
    in_workspace: bool = False
    steps_apart: int = field(default=QUICK)


COMMANDS = [
    Command(
        "diverse --households 1000 --method greedy --plausible off --output out --record",
        folder="out",
    ),
    Command("representative --households 40 --city 4000 --output out --record", folder="out"),
    Command("population check --households 2000 --output out", folder="out"),
    Command("population eligibility --households 2000 --replicates 0 --output out", folder="out"),
    Command("results --output out", _played, "out", steps_apart=40),
    Command("runs bundle logs --output runs.zip", _played, steps_apart=3),
    Command("households sample -n 3 --output rows.jsonl", steps_apart=2),
    Command("label rows.jsonl --output labels.jsonl", _rows, steps_apart=2),
    Command("init own", folder="own", steps_apart=5),
    Command("programs edit FairFaresNYC", _workspace, "own", True),
    Command("programs new GardenPlots --since 2027", _draft, "own", True),
    Command("editions new 2027 --from 2026", _workspace, "own", True, 2),
    Command("editions export 2027 --output values.csv", _draft, ".", True, 2),
    Command("editions import values.csv", _values, "own", True, 16),
    Command("editions reviewed 2027 IDNYC --on 2027-01-12", _draft, "own", True, 2),
    Command("editions publish 2027", _draft, "own", True, 16),
    Command(
        "editions correct 2027 --reason misread --changelog own/CHANGELOG.md",
        _changed,
        "own",
        True,
        16,
    ),
]


def _once(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> None:
    """Have a function compute its first result only, in this process."""
    compute = getattr(module, name)
    results: list[object] = []

    def computed(*arguments: object, **options: object) -> object:
        if not results:
            results.append(compute(*arguments, **options))
        return results[0]

    monkeypatch.setattr(module, name, computed)


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory):
    """Long commands run once, so that forked processes find what they compute."""
    use_workspace(None)
    forget_editions()
    with pytest.MonkeyPatch.context() as monkeypatch:
        for module, name in (
            (build, "build_diverse"),
            (coverage_charts, "draw_features"),
            (coverage_charts, "draw_growth"),
            (representative, "build_representative"),
            (check, "check_city"),
            (population_plots, "all_pictures"),
            (population_plots, "draw_eligibility"),
            (eligibility_counts, "measure_eligibility"),
            (program_folder, "lint_program"),
        ):
            _once(monkeypatch, module, name)
        yield _computes


@cache
def _computes(words: str) -> None:
    """Run a command here, for what it computes."""
    from click.testing import CliRunner

    from benyfits_data.cli.main import main

    with TemporaryDirectory() as scratch:
        argv = words.replace("--output out", f"--output {scratch}/out").split()
        result = CliRunner().invoke(main, argv)
        assert result.exit_code in (0, 1), result.output


@dataclass
class Case:
    """A command's folder before it and after it ran undisturbed."""

    command: Command
    before: Path
    after: dict[str, bytes]
    old: dict[str, bytes]
    steps: int
    code: int

    def fresh(self, place: Path) -> Path:
        """Return a copy of the folder as it is before the command."""
        shutil.copytree(self.before, place)
        return place

    def start(self, folder: Path, step: int | None = None, refusal: int | None = None):
        """Run the command in a folder."""
        own = folder / "own" if self.command.in_workspace else None
        return run(self.command.words.split(), folder, step, refusal, own)


@pytest.fixture(
    scope="module",
    params=[pytest.param(it, marks=pytest.mark.xdist_group(it.words)) for it in COMMANDS],
    ids=lambda command: command.words.split(" --")[0],
)
def case(request, computed, tmp_path_factory: pytest.TempPathFactory) -> Case:
    """Each command's folder, made once for all tests of it."""
    command: Command = request.param
    if command.folder == "out" and command.given is _nothing:
        computed(command.words)
    place = tmp_path_factory.mktemp("case")
    before = place / "before"
    before.mkdir()
    command.given(before)
    case = Case(command, before, {}, visible(before), 0, 0)
    # What is computed once and kept in a cache is no step of later runs.
    case.start(case.fresh(place / "first"))
    folder = case.fresh(place / "undisturbed")
    case.code, case.steps, said = case.start(folder)
    assert case.code in (0, 1, 3), said
    case.after = visible(folder)
    assert case.after != case.old, said
    assert not leftovers(folder)
    return case


def _check_kills(case: Case, tmp_path: Path, steps: Sequence[int]) -> None:
    states = set()
    for step in steps:
        folder = case.fresh(tmp_path / f"killed-{step}")
        code, _, said = case.start(folder, step)
        assert code == -9, said
        seen = Path(shutil.copytree(folder, tmp_path / f"read-{step}"))
        settle(seen / case.command.folder)
        if not case.command.words.startswith("label"):
            # Whoever reads the folder finds what was there, or what was to be: nothing between.
            assert visible(seen) in (case.old, case.after), step
        states.add(visible(seen) == case.after)
        code, _, said = case.start(folder)
        assert code in (0, 1, 3), said
        assert visible(folder) == case.after, (step, said)
        # One that finds its work done may refuse before it looks for what is left.
        assert code == 1 or not leftovers(folder), step
        shutil.rmtree(folder)
        shutil.rmtree(seen)
    assert False in states


@pytest.mark.slow
def test_a_killed_command_leaves_all_or_nothing_and_the_next_one_the_same_bytes(
    case: Case, tmp_path: Path
) -> None:
    _check_kills(case, tmp_path, range(0, case.steps, case.command.steps_apart))


@pytest.mark.slow
def test_kills_at_many_steps_leave_all_or_nothing(case: Case, tmp_path: Path) -> None:
    apart = -(-case.steps // (MOST - 2 * ENDS))
    ends = [*range(ENDS), *range(case.steps - ENDS, case.steps)]
    between = range(ENDS, case.steps - ENDS, apart)
    steps = sorted({*between, *(step for step in ends if 0 <= step < case.steps)})
    assert len(steps) == case.steps or len(steps) >= MOST // 2
    _check_kills(case, tmp_path, steps)


@pytest.mark.slow
@pytest.mark.parametrize(
    "refusal",
    [
        errno.ENOSPC,
        pytest.param(errno.EROFS, marks=pytest.mark.slow),
        pytest.param(errno.EACCES, marks=pytest.mark.slow),
    ],
)
def test_a_full_disk_or_a_read_only_folder_is_one_sentence_or_two(
    case: Case, tmp_path: Path, refusal: int
) -> None:
    for step in (0, case.steps // 3, case.steps // 2):
        folder = case.fresh(tmp_path / f"refused-{step}")
        code, _, said = case.start(folder, step, refusal)
        assert code == 1, said
        assert "Traceback" not in said
        assert 0 < len([line for line in said.splitlines() if "Error:" in line]) <= 2
        settle(folder / case.command.folder)
        assert visible(folder) in (case.old, case.after)
