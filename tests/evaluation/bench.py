"""How dialogs share time: `python -m tests.evaluation.bench [DATASET]`, for `make bench`.

All dialogs of a dataset with ProADA against a server that takes 50 ms a reply, at once; then the
longest one alone; then one after another. The server is a process of its own.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benyfits_data.evaluation.dialog import Dialog
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.results import read_dialogs
from benyfits_data.evaluation.rows import PlayedRow, load_rows
from benyfits_data.evaluation.run import Options, run
from tests.evaluation.server import Server, play_dialog

DELAY = 0.05
SERVE = f"from tests.evaluation.bench import serve; serve({DELAY})"
CALLS_PER_TURN = 2


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
        _play(rows[:1], url, 1)  # imports and first connections are not what is measured
        together, dialogs = _play(rows, url, len(rows))
        longest = max(dialogs, key=lambda dialog: len(dialog.turns))
        alone, _ = _play([row for row in rows if row.id == longest.household], url, 1)
        after_another, _ = _play(rows, url, 1)
    finally:
        server.kill()
    calls = CALLS_PER_TURN * sum(len(dialog.turns) for dialog in dialogs)
    sys.stdout.write(
        f"{len(rows)} dialogs, {calls} calls of {1000 * DELAY:.0f} ms\n"
        f"at once: {together:.1f} s, {together / alone:.1f} times the longest dialog "
        f"({alone:.1f} s, {len(longest.turns)} turns)\n"
        f"one after another: {after_another:.1f} s, {after_another / together:.1f} times as long\n"
    )


def _play(rows: list[PlayedRow], url: str, concurrency: int) -> tuple[float, list[Dialog]]:
    from inspect_ai.model import get_model

    name = "openai-api/local/tiny"
    model = get_model(name, base_url=url, api_key="x", memoize=False)
    with tempfile.TemporaryDirectory() as folder:
        options = Options(
            roles=choose_roles(dialog=name),
            models={"dialog": model},
            concurrency=concurrency,
            log_dir=Path(folder),
        )
        started = time.perf_counter()
        log = run("bench", rows, options)
        return time.perf_counter() - started, read_dialogs([log])


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "output/diverse.jsonl"))
