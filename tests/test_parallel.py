"""One process pool: order, messages, and what happens when a process or its parent dies."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benyfits_data.errors import WorkerDiedError
from benyfits_data.parallel import run_tasks

SLOW_FIRST = ["sleep 0.3; echo a", "echo b", "echo c"]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("ahead", [None, 1, 2])
def test_results_come_in_the_order_of_the_tasks(workers: int, ahead: int | None) -> None:
    ticks: list[int] = []
    found = run_tasks(subprocess.getoutput, SLOW_FIRST, workers, ahead=ahead, tick=ticks.append)
    assert list(found) == ["a", "b", "c"]
    assert ticks == [1, 1, 1]


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_task_raises_is_raised(workers: int) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(run_tasks(int, ["1", "no number"], workers))


@pytest.mark.parametrize(
    ("work", "task", "says"),
    [
        (os._exit, 3, r"One of 2 processes ended with status 3; its error stands above"),
        (signal.raise_signal, signal.SIGKILL, r"was killed, most likely for .*memory\. Use fewer"),
        (signal.raise_signal, signal.SIGSEGV, r"was ended by SIGSEGV"),
    ],
)
def test_a_process_that_dies_is_an_error_that_says_how(
    work: Callable[[int], None], task: int, says: str
) -> None:
    with pytest.raises(WorkerDiedError, match=says) as raised:
        list(run_tasks(work, [task, task], 2))
    assert raised.value.facts["workers"] == 2


def test_a_script_without_a_guard_is_told_what_it_lacks(tmp_path: Path) -> None:
    script = tmp_path / "unguarded.py"
    script.write_text(
        "from benyfits_data.parallel import run_tasks\n\n\nlist(run_tasks(abs, [1, 2], 2))\n"
    )
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert "belongs below `if __name__" in ran.stderr
    assert "memory" not in ran.stderr.rpartition("WorkerDiedError")[2]


SCRIPT = """
import os, time
from benyfits_data.parallel import run_tasks

def work(task):
    print(os.getpid(), flush=True)
    time.sleep(600)

if __name__ == "__main__":
    list(run_tasks(work, [1, 2], 2))
"""


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_processes_end_when_the_one_that_started_them_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        processes = [int(parent.stdout.readline()) for _ in range(2)]
        assert all(map(is_alive, processes))
        parent.send_signal(signal.SIGKILL)
        while any(map(is_alive, processes)):  # They would sleep for ten minutes.
            time.sleep(0.05)
