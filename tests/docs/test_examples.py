"""Every example in the help of a command runs as printed, in a scratch project.

What takes minutes is made smaller, and what needs somebody else's server is only parsed; both are
listed here, so that an example cannot drop out unseen.
"""

import re
import shutil

import pytest

from benyfits_data.cli.reference import commands
from tests.copies import Copy, copy_house
from tests.docs.runner import Step, parse, run_step

SMALLER = {
    "eval": "eval --limit 5",
    "eval --agent planner": "eval --agent planner --limit 1",
    "eval --agent random --trials 10": "eval --agent random --trials 2 --limit 2",
    "mutants output/2026/diverse.jsonl output/2026/representative.jsonl": (
        "mutants output/2026/diverse.jsonl output/2026/representative.jsonl --program FairFaresNYC"
    ),
    # The project's set has more households than 99, and so longer ids.
    "explain output/2026/diverse.jsonl diverse-2026-01 FairFaresNYC IDNYC": (
        "explain output/2026/diverse.jsonl diverse-2026-001 FairFaresNYC IDNYC"
    ),
    "par output/2026/diverse.jsonl": "par few.jsonl",
    "par output/2026/diverse.jsonl --check": "par few.jsonl --check",
    "par output/2026/representative-25.jsonl --write": "par few.jsonl --write",
    # So few households miss some published shares by chance: a verdict, not a failure.
    "population check": "population check --households 10000 || test $? = 1",
    "programs diff 2024 2026 FairFaresNYC ThreeK": (
        "programs diff 2024 2026 FairFaresNYC ThreeK --households 500"
    ),
    "programs readings SectionEightHousingChoiceVoucherProgram": (
        "programs readings SectionEightHousingChoiceVoucherProgram --households 500"
    ),
    "site output --output site --logs logs": "site few --output site --logs logs",
    "study user --answers 200": "study user --answers 20",
    "population draw -n 10000 --output city.jsonl": ("population draw -n 100 --output city.jsonl"),
}
"""What an example is replaced by, where it would take minutes."""

PARSED = {
    "diverse --edition 2024": "the project below builds one",
    "diverse --households 10_000_000": "tests/fuzz/test_distributed draws on many processes",
    "diverse --method greedy": "tests/fuzz/test_build selects greedily",
    "representative$": "the project below builds one",
    "representative --households": "the project below builds one",
    "representative-25$": "the project below builds one",
    "population eligibility": "the project below counts",
    "households sample -n 100 --edition 2026": "the example without an edition runs",
    "programs list$": "the example with an edition runs",
    "features show weeks_pregnant": "the example of another fact runs",
    "prove checkers$": "the example of one program runs",
    "data site$": "the example with logs runs",
    "publish$": "the example with a folder runs",
    "population check --households 100000": "the example without a number runs, smaller",
    "openai/": "needs a key and a server",
    "chat": "waits for a person; tests/chat/test_page plays several",
    "programs.csv": "needs the city's file, which is downloaded; tests/cli/test_city runs it",
    "editions correct": "needs a wrong published edition; tests/cli/test_editions runs it",
    "editions new": "the guide of a new year runs it",
    "editions export": "the guide of a new year runs it",
    "editions import": "the guide of a new year runs it",
    "editions reviewed": "the guide of a new year runs it",
    "editions publish": "the guide of a new year runs it",
    "programs new": "the guide of a new year adds a program and lints it",
    "thorough": "tests/rebuild builds it",
}
"""Parts of examples of which only the options are checked, and why; `$` is an example's end."""


def help_examples() -> list[str]:
    """Return the examples of all commands, in the order of the help."""
    found = []
    for _, command in commands():
        text = f"{command.help or ''}\n{command.epilog or ''}"
        found += re.findall(r"^\s*(benyfits-data .*)$", text[text.find("Example") :], re.MULTILINE)
    return list(dict.fromkeys(example.strip() for example in found))


def is_parsed(example: str) -> bool:
    """Return whether only the options of an example are checked."""
    return any(part in f"{example}$" for part in PARSED)


EXAMPLES = help_examples()


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy of the project in which small datasets were built."""
    project = copy_house(tmp_path_factory.mktemp("examples"))
    for command in (
        "diverse --households 1000 --plausible off --no-pictures",
        "representative --city 8000",
        "representative-25 --repeats 1",
        "population eligibility --households 2000 --replicates 0 --output output/2026",
        "households sample -n 20 --output households.jsonl",
        "eval --limit 2",
    ):
        run = project.shell(f"benyfits-data {command}")
        assert run.returncode == 0, run.stdout
    rows = (project.root / "output" / "2026" / "representative-25.jsonl").read_text(
        encoding="utf-8"
    )
    few = sorted(rows.splitlines(keepends=True), key=len)[:2]  # A par takes longer of many people.
    (project.root / "few.jsonl").write_text("".join(few), "utf-8")
    (project.root / "programs").mkdir()
    (project.root / "programs" / "ThreeK.py").write_text("def check(hh):\n    return False\n")
    site = project.root / "few"  # The site wants the par of every row.
    site.mkdir()
    (site / "representative-25.jsonl").write_text("".join(few), "utf-8")
    shutil.copy(project.root / "output" / "2026" / "representative-25.manifest.json", site)
    return project


@pytest.mark.slow
@pytest.mark.xdist_group("examples")
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs_as_printed(example: str, project: Copy) -> None:
    if is_parsed(example):
        assert parse(Step("sh", example), project) == ""
        return
    for written in re.findall(r"--output (\S+\.jsonl)", example):
        # Nothing is replaced without being asked, so that two examples cannot write one file.
        (project.root / written).unlink(missing_ok=True)
    arguments = example.removeprefix("benyfits-data ")
    code = f"benyfits-data {SMALLER.get(arguments, arguments)}"
    assert run_step(Step("sh", code), project) == "", example


def test_every_exception_is_needed() -> None:
    assert [part for part in PARSED if not any(part in f"{example}$" for example in EXAMPLES)] == []
    assert [smaller for smaller in SMALLER if f"benyfits-data {smaller}" not in EXAMPLES] == []
