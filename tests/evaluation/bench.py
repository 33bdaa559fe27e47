"""How dialogs share time: `python -m tests.evaluation.bench [DATASET]`, for `make bench`.

All dialogs of a dataset with ProADA against a server that takes 50 ms a reply, at once; then the
longest one alone; then one after another. The server is a process of its own.
"""

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benyfits_data.errors import BenyfitsError
from benyfits_data.evaluation.dialog import Dialog
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.results import read_dialogs
from benyfits_data.evaluation.rows import PlayedRow, load_rows
from benyfits_data.evaluation.run import Options, run
from tests.evaluation.server import Server, play_dialog

DELAY = 0.05
SERVE = f"from tests.evaluation.bench import serve; serve({DELAY})"
PROVIDERS = ("compatible", "openai-api")
"""Ours, and inspect's own for the same servers."""


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
    server = subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        url = server.stdout.readline().strip()
        for provider in PROVIDERS:
            play(rows[:1], url, 1, provider)  # imports are not what is measured
        together, others = (play(rows, url, len(rows), provider) for provider in PROVIDERS)
        longest = max(together.dialogs, key=lambda dialog: len(dialog.turns))
        alone = play([row for row in rows if row.id == longest.household], url, 1)
        _say(f"{len(rows)} dialogs with ProADA, {together.calls} calls of {1000 * DELAY:.0f} ms")
        _say(f"at once: {together}")
        _say(f"at once with inspect's own provider: {others}")
        _say(
            f"the longest dialog alone: {alone} ({len(longest.turns)} turns); "
            f"all at once take {together.seconds / alone.seconds:.1f} times as long"
        )
        after_another = play(rows, url, 1)
        _say(
            f"one after another: {after_another}; "
            f"{after_another.seconds / together.seconds:.1f} times as long as at once"
        )
    finally:
        server.kill()


def play(rows: list[PlayedRow], url: str, concurrency: int, provider: str = PROVIDERS[0]) -> Play:
    """Return how long it took to play some dialogs against a server."""
    from inspect_ai.model import get_model

    name = f"{provider}/local/tiny"
    model = get_model(name, base_url=url, api_key="x", memoize=False)
    with tempfile.TemporaryDirectory() as folder:
        options = Options(
            roles=choose_roles(dialog=name),
            models={"dialog": model},
            concurrency=concurrency,
            log_dir=Path(folder),
        )
        started, processor_started = time.perf_counter(), time.process_time()
        log = run("bench", rows, options)
        ended, processor_ended = time.perf_counter(), time.process_time()
        return Play(ended - started, processor_ended - processor_started, read_dialogs([log]))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else "output/diverse.jsonl"))
    except BenyfitsError as error:
        sys.exit(str(error))
