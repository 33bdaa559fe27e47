import pytest

from benyfits_data.errors import MissingExtraError
from benyfits_data.evaluation.codegen import cpython_wasm
from benyfits_data.evaluation.codegen.python_guest import Limits
from benyfits_data.evaluation.codegen.sandbox import (
    Failed,
    Finished,
    GeneratedCodeError,
    Missing,
    Sandbox,
)
from benyfits_data.evaluation.run_options import Options
from tests.evaluation.hostile_programs import BOMBS, ESCAPES, function
from tests.evaluation.players import example_rows, run

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
    limits = Limits(instructions=1_000_000_000, memory=48 * 1024 * 1024, output=256 * 1024)
    with Sandbox(limits) as sandbox:
        yield sandbox


def play(sandbox, source, facts):
    sandbox.check(source)
    asked, known = [], {}
    while isinstance(step := sandbox.run(source, known), Missing):
        asked.append((*step.key, step.line))
        known[step.key] = facts[step.key]
    return asked, step


def run_body(sandbox, body, known=()):
    return sandbox.run(function(body, "def check_eligibility(hh):"), dict(known))


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
    assert step == Finished(True, (1, 2, 4, 9, 10, 11, 5, 7, 13, 6, 12, 15, 16))


def test_known_facts_are_not_asked_again(sandbox):
    known = {(None, "size"): 1, (0, "age"): 5, (None, "income"): 101}
    step = sandbox.run(PROGRAM, known)
    assert isinstance(step, Finished)
    assert step.verdict is False


def test_an_unknown_number_is_comparable_and_never_within_a_limit(sandbox):
    _, step = play(
        sandbox,
        'def check_eligibility(hh):\n    return hh["income"] <= 100\n',
        {(None, "income"): float("nan")},
    )
    assert step == Finished(False, (1, 2))


CAUGHT = {
    "and decides": "try:\n    hh['a']\nexcept BaseException:\n    pass\nreturn True",
    "and reads on": "try:\n    hh['a']\nexcept BaseException:\n    return hh['b'] == 1",
    "and fails": "try:\n    hh['a']\nfinally:\n    raise ValueError",
    "and exits": "try:\n    hh['a']\nexcept BaseException:\n    import sys\n    sys.exit(1)",
}


@pytest.mark.parametrize("name", CAUGHT)
def test_a_run_ends_with_its_first_missing_fact_though_the_program_catches_it(sandbox, name):
    assert run_body(sandbox, CAUGHT[name], {(None, "b"): 1}) == Missing((None, "a"), 3)


def test_a_missing_fact_is_no_error_that_a_program_handles_by_the_way(sandbox):
    body = "try:\n    return hh['a'] == 1\nexcept Exception:\n    return False"
    assert run_body(sandbox, body) == Missing((None, "a"), 3)


PLAIN_PYTHON = {
    "a module": "import math\nreturn math.floor(hh['a'] / 2) == 2",
    "a helper outside": "return older(hh)",
    "a class": "class P:\n    def __init__(self, m): self.age = m['a']\n"
    "    @property\n    def old(self): return self.age > 4\nreturn P(hh).old",
    "a lambda": "return (lambda m: m['a'] > 4)(hh)",
    "a generator": "def each():\n    yield hh['a']\nreturn all(a > 4 for a in each())",
    "a match": "match hh['a']:\n    case 5: return True\n    case _: return False",
    "a walrus": "if (a := hh['a']) > 4:\n    return a == 5",
    "a decimal": "from decimal import Decimal\nreturn Decimal(hh['a']) > Decimal('4.9')",
    "a data class": "from dataclasses import dataclass\n@dataclass\nclass P:\n    age: int\n"
    "return P(hh['a']) == P(5)",
    "a format": "return f'{hh[\"a\"]:>3}' == '  5'",
    "a set": "return {hh['a'], 5} == {5}",
    "an annotation": "a: dict[str, list[int]] = {'x': [hh['a']]}\nreturn a['x'][0] == 5",
    "90 brackets": f"return {'[' * 90}hh['a']{']' * 90} != 5",
    "a sum of 325 terms": f"return {'+'.join(['1'] * 325)} == 325 == 320 + hh['a']",
    "242 branches": "a = hh['a']\nif a == -1:\n    return False\n"
    + "".join(f"elif a == {n}:\n    return {n == 5}\n" for n in range(242)),
}
OLDER = "def older(member):\n    return member['a'] > 4\n\n"


@pytest.mark.parametrize("name", PLAIN_PYTHON)
def test_a_program_is_whatever_python_runs(sandbox, name):
    source = OLDER + function(PLAIN_PYTHON[name], "def check_eligibility(hh):")
    asked, step = play(sandbox, source, {(None, "a"): 5})
    assert [key for _, key, _ in asked] == ["a"]
    assert isinstance(step, Finished), step
    assert step.verdict is True


NO_READS = {
    "iterates": "for m in f(hh):\n    pass\nreturn True",
    "counts": "return len(f(hh)) > 1",
    "looks whether": "return 'a' in f(hh)",
    "takes all": "return {**f(hh)} == {}",
    "computes a key": "k = 'a' + 'ge'\nreturn hh[k] == 1",
    "reads a part": "return hh[0:1] is None",
    "numbers a member's members": "return hh[0][1] is None",
    "numbers from the end": "return hh[-1]['a'] == 1",
    "writes": "f(hh)['a'] = 1\nreturn True",
}


@pytest.mark.parametrize("name", NO_READS)
def test_a_household_is_read_by_keys_and_numbers_alone(sandbox, name):
    step = run_body(sandbox, f"f = lambda x: x\n{NO_READS[name]}")
    assert isinstance(step, Failed)
    assert step.kind == "crashed"
    assert "Error: " in step.message


UNREADABLE = {
    "return outside": "def check_eligibility(hh):\n    return True\nreturn 1\n",
    "too deep": f"def check_eligibility(hh):\n    return {'(' * 150}1{')' * 150} == 1\n",
    "3,000 terms": f"def check_eligibility(hh):\n    return {'+'.join(['1'] * 3000)} > 3\n",
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_python_cannot_read_is_an_error_to_repair(sandbox, name):
    with pytest.raises(GeneratedCodeError, match="line"):
        sandbox.check(UNREADABLE[name])


def test_an_annotation_is_evaluated_as_python_does(sandbox):
    step = run_body(sandbox, "def f(x: nobody) -> int:\n    return x\nreturn f(1) == 1")
    assert (step.kind, step.line) == ("crashed", 2)


def test_programs_of_a_dialog_share_no_names(sandbox):
    first = "import builtins\nseen = []\ndef check_eligibility(hh):\n    seen.append(1)\n"
    source = f"{first}    return len(seen) == 1 and 'other' not in globals()\n"
    assert sandbox.run("other = 1\ndef check_eligibility(hh):\n    return True\n", {}).verdict
    assert [sandbox.run(source, {}).verdict for _ in range(2)] == [True, True]


ENDLESS = {
    "a loop": BOMBS["endless loop"][0],
    "memory": BOMBS["memory, at once"][0],
    "output": BOMBS["a flood in one piece"][0],
    "over a fact": "while True:\n    hh[0]['a']",
    "recursion": "def f(x):\n    return f(x)\nreturn f(1)",
}
ENDED = {
    "reads a file": ESCAPES["reads a file"],
    "leaves": "import sys\nsys.exit(0)",
    "leaves at once": "import os\nos._exit(0)",
    "members without end": "for i in range(10**9):\n    hh[i]['a']\nreturn True",
}
"""Of what is hostile, `test_python_guest` tries everything; here each is a failure of a kind."""


@pytest.mark.parametrize("name", [*ENDLESS, *ENDED])
def test_what_is_hostile_ends_in_a_recorded_failure(sandbox, name):
    known = {(member, "a"): 1 for member in range(40)}
    step = run_body(sandbox, ENDLESS.get(name) or ENDED[name], known)
    assert isinstance(step, Failed)
    assert step.kind == ("looped" if name in ENDLESS else "crashed")
    assert step.message


def test_a_crash_names_its_line_and_what_ran(sandbox):
    step = run_body(sandbox, "x = 0\nreturn 1 / x > 0")
    assert (step.kind, step.line, step.trace) == ("crashed", 3, (1, 2, 3))


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


def test_an_answer_is_whatever_text(sandbox):
    known = {(None, "size"): "\ud800"}
    step = sandbox.run(PROGRAM, known)
    assert (step.kind, step.line) == ("crashed", 10)


FORGED = {
    "a known fact": {"missing": [None, "a", 1]},
    "no fact of the program": {"missing": [None, "z", 1]},
    "nobody": {"missing": ["x", "b", 1]},
    "no line": {"missing": [None, "b", 99]},
    "no verdict": {"verdict": "yes", "trace": []},
    "no trace": {"verdict": True},
    "no lines": {"verdict": True, "trace": [99]},
    "no kind": {"failed": "well", "message": "", "line": None, "trace": []},
    "no end": [],
}


@pytest.mark.parametrize("name", FORGED)
def test_an_end_that_is_none_is_a_failure_of_the_program(sandbox, name, monkeypatch):
    monkeypatch.setattr(sandbox._guest, "ask", lambda request: FORGED[name])
    step = run_body(sandbox, "return hh['a'] == hh['b']", {(None, "a"): 1})
    assert step == Failed("crashed", "the run ended with what is no end of a run")


def test_a_program_that_reaches_into_its_python_spoils_no_other_dialog(sandbox):
    with Sandbox() as other:
        spoil = "import builtins\nbuiltins.compile = None\nreturn True"
        assert isinstance(run_body(other, spoil), Finished)
        assert isinstance(run_body(other, "return 1 == 1"), Failed)
    assert run_body(sandbox, "return 1 == 1") == Finished(True, (1, 2))


@pytest.mark.slow
def test_where_no_program_can_run_nothing_is_played(tmp_path, monkeypatch):
    def fail():
        raise RuntimeError("no wasmtime here")

    monkeypatch.setattr(cpython_wasm, "load_engine", fail)
    with pytest.raises(MissingExtraError, match="does not start: no wasmtime here"):
        run("diverse", example_rows("FairFaresNYC", limit=1), Options(log_dir=tmp_path / "logs"))
    assert not list(tmp_path.rglob("*.eval"))
