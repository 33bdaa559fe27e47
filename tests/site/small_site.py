"""Synthetic runs, written sites, and a browser to open them in."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benyfits_data.dataset.rows import Row
from benyfits_data.evaluation.record import Dialog, Failure, Turn
from benyfits_data.evaluation.results.runs import Run

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


def make_run(rows: Sequence[Row]) -> Run:
    """Return a run of five dialogs over some rows again and again, in no order of their errors."""
    manifest = {
        "dataset": {
            "column": "diverse",
            "name": "diverse",
            "dialogs": 5,
            "of": 5,
            "editions": [2024],
        },
        "agent": {"name": "proada"},
        "roles": {"dialog": {"model": "reference"}},
        "trials": 1,
    }
    dialogs = [
        _dialog(rows[at % len(rows)], at // len(rows) + 1, n_wrong)
        for at, n_wrong in enumerate((1, 2, 0, 2, 0))
    ]
    return Run(manifest, dialogs)


def _dialog(row: Row, trial: int, n_wrong: int) -> Dialog:
    wrong = row.programs[:n_wrong]
    first, *_ = row.programs
    code = "def decide(hh):\n    return hh['age'] < 3 or 1 / 0"
    asked = Turn(
        "How old are you?",
        "I am <b>40</b>.",
        program=first,
        key="age",
        value="40",
        line=2,
        code="hh['age'] < 3",
    )
    return Dialog(
        household=row.id,
        dataset="diverse",
        agent="proada",
        roles={"dialog": "reference"},
        size=len(row.household.members),
        labels=row.eligible,
        verdicts={name: label != (name in wrong) for name, label in row.eligible.items()},
        trial=trial,
        turns=[asked],
        errors=dict.fromkeys(wrong, "program_wrong"),
        failures=[Failure("code_crashed", "ZeroDivisionError", first, 2)],
        code={first: code},
        traces={first: [2]},
        edition=row.edition,
        par=3,
    )


def write_below(folder: Path) -> Callable[[str, str], None]:
    """Return what writes a site's files below a folder."""

    def write(address: str, text: str) -> None:
        path = folder / address
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    return write


@contextmanager
def start_browser() -> Iterator[Any]:
    """Give a headless browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        started = player.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()


def open_page(browser: Any, path: Path, **settings: Any) -> tuple[Any, list[str]]:
    """Return a page without network, and the list of what its scripts complain about."""
    page = browser.new_context(offline=True, **settings).new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda it: complaints.append(it.text) if it.type == "error" else None)
    page.goto(path.as_uri())
    return page, complaints
