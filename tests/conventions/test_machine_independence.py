"""No test's verdict depends on how fast the machine is."""

import ast
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parents[1]
CLOCKS = {"perf_counter", "monotonic", "process_time", "time_ns", "perf_counter_ns"}


def timed_verdicts(text: str) -> list[int]:
    """Return the lines that assert something of a clock, or set a deadline for Hypothesis."""
    found = []
    tree = ast.parse(text)
    clocked = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _reads_clock(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and (
            _reads_clock(node.test)
            or any(isinstance(part, ast.Name) and part.id in clocked for part in ast.walk(node))
        ):
            found.append(node.lineno)
        if isinstance(node, ast.keyword) and node.arg == "deadline":
            found += [node.value.lineno] if ast.unparse(node.value) != "None" else []
    return sorted(found)


def _reads_clock(node: ast.AST) -> bool:
    return any(
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Attribute | ast.Name)
        and (part.func.attr if isinstance(part.func, ast.Attribute) else part.func.id) in CLOCKS
        for part in ast.walk(node)
    )


def test_no_verdict_depends_on_the_clock(subtests: pytest.Subtests) -> None:
    for path in sorted(TESTS.rglob("test_*.py")):
        with subtests.test(str(path.relative_to(TESTS))):
            assert timed_verdicts(path.read_text(encoding="utf-8")) == []


def test_verdicts_by_the_clock_are_caught() -> None:
    planted = (
        "import time\n"
        "def test_quick():\n"
        "    started = time.perf_counter()\n"
        "    work()\n"
        "    assert time.perf_counter() - started < 1\n"
        "    spent = time.monotonic() - started\n"
        "    assert spent < 1\n"
        "@settings(deadline=200)\n"
        "def test_other(): ...\n"
    )
    assert timed_verdicts(planted) == [5, 7, 8]


def test_hypothesis_has_no_deadline_and_waits_for_slow_data() -> None:
    assert settings.default.deadline is None
    assert HealthCheck.too_slow in settings.default.suppress_health_check
