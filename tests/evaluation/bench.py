"""How dialogs share time: `python -m tests.evaluation.bench [DATASET]`, for `make bench`.

All dialogs of a dataset with ProADA against a server that takes 50 ms a reply, at once; then the
longest one alone; then one after another. The server is a process of its own.
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benyfits_data.errors import BenyfitsError
from benyfits_data.evaluation.dialog import Dialog
from benyfits_data.evaluation.models import choose_roles
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

    @property
    def in_one_process(self) -> str:
        """The times, where this process did all the work."""
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
    processors = os.cpu_count() or 1
    os.environ.setdefault("LOCAL_API_KEY", "x")
    server = subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        url = server.stdout.readline().strip()
        # Imports are not what is measured.
        play(rows[:processors], url, 1, processes=processors)
        for provider in PROVIDERS:
            play(rows[:1], url, 1, provider)
        together = play(rows, url, len(rows), processes=processors)
        longest = max(together.dialogs, key=lambda dialog: len(dialog.turns))
        alone = play([row for row in rows if row.id == longest.household], url, 1)
        _say(f"{len(rows)} dialogs with ProADA, {together.calls} calls of {1000 * DELAY:.0f} ms")
        _say(f"at once, in {processors} processes: {together.seconds:.1f} s")
        _say(
            f"the longest dialog alone: {alone.in_one_process} ({len(longest.turns)} turns); "
            f"all at once take {together.seconds / alone.seconds:.1f} times as long"
        )
        after_another = play(rows, url, 1)
        _say(
            f"one after another: {after_another.in_one_process}; "
            f"{after_another.seconds / together.seconds:.1f} times as long as at once"
        )
        for provider, whose in zip(PROVIDERS, ("ours", "inspect's own"), strict=True):
            single = play(rows, url, len(rows), provider)
            _say(f"at once in one process, provider {whose}: {single.in_one_process}")
    finally:
        server.kill()


def play(
    rows: list[PlayedRow],
    url: str,
    concurrency: int,
    provider: str = PROVIDERS[0],
    processes: int = 1,
) -> Play:
    """Return how long it took to play some dialogs against a server."""
    with tempfile.TemporaryDirectory() as folder:
        options = Options(
            roles=choose_roles(dialog=f"{provider}/local/tiny"),
            base_url=url,
            concurrency=concurrency,
            processes=processes,
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
