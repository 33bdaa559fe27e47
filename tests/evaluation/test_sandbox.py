import time

import pytest

from benyfits_data.evaluation.codegen.sandbox import (
    Failed,
    Finished,
    GeneratedCodeError,
    Missing,
    Sandbox,
    build_program,
    mark,
)

PROGRAM = """def check_eligibility(hh: dict) -> bool:
    limits = {1: 100, 2: 200}

    def is_child(person):
        if person["age"] < 18:
            return True
        return False

    count = 0
    for i in range(int(hh["size"])):
        if is_child(hh[i]):
            count += 1
        elif hh[i]["disabled"] == "yes":
            count += 1
    if count > 0:
        return hh["income"] <= limits[count]
    return False
"""


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(turn_seconds=0.5) as pool:
        yield pool


def play(sandbox, source, facts):
    program = build_program(source)
    asked, known = [], {}
    step = sandbox.start(program, known)
    while isinstance(step, Missing):
        asked.append((*step.key, step.line))
        known[step.key] = facts[step.key]
        step = sandbox.resume(step, facts[step.key], known)
    return asked, step


def run_body(sandbox, body, known=()):
    lines = "\n".join("    " + line for line in body.splitlines())
    return sandbox.start(mark(f"def check_eligibility(hh):\n{lines}\n"), dict(known))


def test_a_program_stops_at_each_missing_fact_and_goes_on_with_the_answer(sandbox):
    facts = {
        (None, "size"): 2,
        (0, "age"): 30,
        (0, "disabled"): "no",
        (1, "age"): 5,
        (None, "income"): 100,
    }
    asked, step = play(sandbox, PROGRAM, facts)
    assert asked == [
        (None, "size", 10),
        (0, "age", 5),
        (0, "disabled", 13),
        (1, "age", 5),
        (None, "income", 16),
    ]
    assert step == Finished(True, (2, 9, 10, 11, 5, 7, 13, 6, 12, 15, 16))


def test_known_facts_are_not_asked_again(sandbox):
    known = {(None, "size"): 1, (0, "age"): 5, (None, "income"): 101}
    step = sandbox.start(build_program(PROGRAM), known)
    assert isinstance(step, Finished)
    assert step.verdict is False


def test_more_runs_can_wait_than_there_are_workers():
    with Sandbox(workers=1) as pool:
        program = build_program(PROGRAM)
        waiting = [pool.start(program, {}) for _ in range(5)]
        ends = [pool.resume(step, 0, {(None, "size"): 0}) for step in waiting]
        assert [step.verdict for step in ends] == [False] * 5


@pytest.mark.slow
def test_a_waiting_run_may_wait_longer_than_a_program_may_run():
    with Sandbox(turn_seconds=0.2) as pool:
        step = pool.start(build_program(PROGRAM), {})
        time.sleep(2)
        assert pool.resume(step, 0, {}).verdict is False


def test_a_bomb_after_an_answer_ends_in_a_recorded_failure(sandbox):
    step = run_body(sandbox, "if hh['a'] == 1:\n    while True:\n        pass\nreturn True")
    assert sandbox.resume(step, 1, {}).kind == "looped"


def test_an_unknown_number_is_comparable_and_never_within_a_limit(sandbox):
    _, step = play(
        sandbox,
        'def check_eligibility(hh):\n    return hh["income"] <= 100\n',
        {(None, "income"): float("nan")},
    )
    assert step == Finished(False, (2,))


def test_a_broken_rule_is_reported_with_its_line():
    with pytest.raises(GeneratedCodeError, match=r"line 2: \.get is not allowed"):
        build_program('def check_eligibility(hh):\n    return hh.get("age")\n')


def test_python_that_the_sandbox_does_not_know_is_an_error_to_repair(sandbox):
    program = mark("class A(metaclass=B):\n    pass\ndef check_eligibility(hh):\n    return True\n")
    with pytest.raises(GeneratedCodeError, match="Write it more simply"):
        sandbox.check(program)


BOMBS = {
    "endless loop": ("while True:\n    pass", "looped"),
    "endless loop over a fact": ("while True:\n    hh[0]['a']", "looped"),
    "endless recursion": ("def f(x):\n    return f(x)\nreturn f(1)", "looped"),
    "growing list": ("x = [0]\nwhile True:\n    x = x + x", "looped"),
    "huge text": ("return 'a' * 10**11 == 'b'", "looped"),
    "huge number": ("return 10**10**9 > 1", "looped"),
    "huge range": ("return max(range(10**12)) > 1", "looped"),
    "huge sort": ("return sorted(range(10**9))[0] == 1", "looped"),
    "nested growth": ("x = {}\ni = 0\nwhile True:\n    i += 1\n    x[i] = 'a' * i", "looped"),
    "printing for ever": ("while True:\n    print('x' * 10000)", "looped"),
    "members without end": ("for i in range(10**9):\n    hh[i]['a']\nreturn True", None),
}


@pytest.mark.parametrize("name", BOMBS)
def test_resource_bombs_end_in_a_recorded_failure(sandbox, name):
    body, kind = BOMBS[name]
    known = {(member, "a"): 1 for member in range(40)}
    step = run_body(sandbox, body, known)
    assert isinstance(step, Failed)
    assert kind in (None, step.kind)
    assert step.message


ESCAPES = {
    "reads a file": "return open('/etc/passwd').read() == ''",
    "writes a file": "open('/tmp/escaped_benyfits', 'w').write('x')\nreturn True",
    "reads a file by path": "import pathlib\nreturn pathlib.Path('/etc/passwd').read_text() == ''",
    "runs a command": "import os\nreturn os.system('true') == 0",
    "starts a process": "import subprocess\nreturn subprocess.run(['true']) is None",
    "opens a socket": "import socket\nreturn socket.socket() is None",
    "loads a module": "return __import__('os').getpid() > 0",
    "reads the environment": "import os\nreturn len(os.environ['PATH']) > 0",
    "climbs to object": "return len(().__class__.__base__.__subclasses__()) > 0",
    "climbs by getattr": "return getattr((), '__cl' + 'ass__').__mro__ is None",
    "climbs by format": "return '{0.__class__.__mro__}'.format(hh) == ''",
    "reads frames": "import sys\nreturn sys._getframe(1).f_globals is None",
    "leaves": "import sys\nsys.exit(0)",
    "calls the host": "return __host__('secret') == 1",
    "touches our package": "import benyfits_data\nreturn True",
    "compiles code": "return compile('1', 'x', 'eval') is None",
    "uses ctypes": "import ctypes\nreturn ctypes.string_at(0) == b''",
    "unpickles": "import pickle\nreturn pickle.loads(b'cos\\nsystem\\n.') is None",
}


@pytest.mark.parametrize("name", ESCAPES)
def test_escapes_end_in_a_recorded_failure(sandbox, name, tmp_path):
    step = run_body(sandbox, ESCAPES[name])
    assert isinstance(step, Failed), step
    assert step.kind == "crashed"


def test_a_program_cannot_print_to_our_terminal(sandbox, capfd):
    assert isinstance(run_body(sandbox, "print('hello')\nreturn True"), Finished)
    assert capfd.readouterr() == ("", "")


def test_the_pool_works_on_after_a_bomb(sandbox):
    run_body(sandbox, "while True:\n    pass")
    assert run_body(sandbox, "return True") == Finished(True, (2,))


def test_a_crash_names_its_line_and_what_ran(sandbox):
    step = run_body(sandbox, "x = 0\nreturn 1 / x > 0")
    assert (step.kind, step.line, step.trace) == ("crashed", 3, (2, 3))


@pytest.mark.parametrize("value", ["None", "1", "'yes'", "[]"])
def test_a_verdict_that_is_not_a_bool_is_a_failure(sandbox, value):
    step = run_body(sandbox, f"return {value}")
    assert (step.kind, step.line) == ("not_boolean", 2)


BULKY = {
    "20 MB of text": "return 'x' * 20_000_000",
    "a number of 100,000 digits": "return 10 ** 100_000",
    "100,000 lists in one another": "x = []\nfor i in range(100_000):\n    x = [x]\nreturn x",
    "a list that holds itself": "x = []\nx.append(x)\nreturn x",
    "a helper's household": "def f(person):\n    return person\nreturn f(hh)",
    "a lone surrogate": "return '\\ud800'",
}


@pytest.mark.parametrize("name", BULKY)
def test_bulky_results_are_failures_told_in_a_line(sandbox, name):
    step = run_body(sandbox, BULKY[name])
    assert isinstance(step, Failed)
    assert len(step.message) < 300


def test_an_answer_the_worker_cannot_take_is_a_failure(sandbox):
    step = sandbox.start(build_program(PROGRAM), {})
    assert isinstance(sandbox.resume(step, "\ud800", {}), Failed)
    assert run_body(sandbox, "return True") == Finished(True, (2,))


@pytest.mark.slow
def test_without_its_program_nothing_is_played(tmp_path, monkeypatch):
    from benyfits_data.errors import MissingExtraError
    from benyfits_data.evaluation import task
    from benyfits_data.evaluation.run_options import Options
    from tests.evaluation.players import example_rows, run

    monkeypatch.setenv("MONTY_BIN", str(tmp_path / "missing"))
    monkeypatch.setattr(task, "_sandbox", task._sandbox.__wrapped__)
    with pytest.raises(MissingExtraError, match="does not start"):
        run("diverse", example_rows("FairFaresNYC", limit=1), Options(log_dir=tmp_path / "logs"))
    assert not list(tmp_path.rglob("*.eval"))
