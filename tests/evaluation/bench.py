"""How dialogs share time: `python -m tests.evaluation.bench [DATASET]`, for `make bench`.

All dialogs of a dataset with ProADA against a server that takes 50 ms a reply, at once; then the
longest one alone. The server is a process of its own. First, what the programs' guests cost.
"""

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benyfits_data.errors import BenyfitsError
from benyfits_data.evaluation.codegen.python_guest import prepare
from benyfits_data.evaluation.codegen.sandbox import Sandbox
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.planned import PlannedDialog, load_rows
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.run_options import ModelSettings, Options
from tests.evaluation.players import run
from tests.evaluation.server import Server, play_dialog

DELAY = 0.05
SERVE = f"from tests.evaluation.bench import serve; serve({DELAY})"


@dataclass(frozen=True)
class Play:
    """How long some dialogs took: in all, and on the processor, in seconds."""

    seconds: float
    processor_seconds: float
    dialogs: list[Dialog]

    @property
    def calls(self) -> int:
        """How many replies the server gave."""
        return sum(usage.calls for dialog in self.dialogs for usage in dialog.usage.values())

    def __str__(self) -> str:
        per_call = 1000 * self.processor_seconds / self.calls
        return f"{self.seconds:.1f} s, {per_call:.1f} ms of processor time a call"


def serve(delay: float) -> None:
    """Serve until killed; the first line written is the address."""
    with Server(play_dialog, delay) as server:
        sys.stdout.write(server.url + "\n")
        sys.stdout.flush()
        while True:
            time.sleep(3600)


def main(path: Path) -> None:
    """Print the figures of a dataset."""
    rows = load_rows(path)
    _say(_guests())
    server = subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        url = server.stdout.readline().strip()
        # Imports are not what is measured.
        play(rows[:1], url, 1)
        together = play(rows, url, len(rows))
        longest = max(together.dialogs, key=lambda dialog: len(dialog.turns))
        alone = play([row for row in rows if row.id == longest.household], url, 1)
        _say(f"{len(rows)} dialogs with ProADA, {together.calls} calls of {1000 * DELAY:.0f} ms")
        _say(f"at once: {together}")
        _say(f"the longest dialog alone ({len(longest.turns)} turns): {alone}")
    finally:
        server.kill()


def _guests(n_guests: int = 20, n_runs: int = 1000) -> str:
    """Return what guests cost: to start, for a run that ends with a missing fact, in memory."""
    source = 'def check_eligibility(hh):\n    return hh["age"] >= 18 and hh["income"] < 20_000\n'
    prepare()
    sandboxes = [Sandbox() for _ in range(n_guests)]
    before, started = _memory(), time.process_time()
    for sandbox in sandboxes:
        sandbox.run(source, {})
    ran, more = time.process_time(), (_memory() - before) / n_guests
    for _ in range(n_runs):
        sandboxes[0].run(source, {(None, "age"): 30})
    run = 1000 * (time.process_time() - ran) / n_runs
    for sandbox in sandboxes:
        sandbox.close()
    start = 1000 * (ran - started) / n_guests
    return f"a guest: {start:.0f} ms to start, {more:.1f} MB, {run:.2f} ms of processor time a run"


def _memory() -> float:
    """Return what this process holds, in MB; 0 where the system does not say."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line[:6] == "VmRSS:"), 0)


def play(rows: list[PlannedDialog], url: str, concurrency: int) -> Play:
    """Return how long it took to play some dialogs against a server."""
    with tempfile.TemporaryDirectory() as folder:
        roles = choose_roles(dialog="openai-api/local/tiny")
        options = Options(
            roles=roles,
            settings=ModelSettings(base_url=url),
            concurrency=concurrency,
            log_dir=Path(folder),
        )
        started, processor_started = time.perf_counter(), time.process_time()
        dialogs = run("bench", rows, options)
        ended, processor_ended = time.perf_counter(), time.process_time()
        return Play(ended - started, processor_ended - processor_started, dialogs)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else "output/diverse.jsonl"))
    except BenyfitsError as error:
        sys.exit(str(error))
