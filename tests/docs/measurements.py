"""Tables of the recorded sets, put into a page by `python -m tests.docs.measurements`.

With `planner` it lets the planner play the sets, too, which takes ten minutes.
"""

import json
import lzma
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

from tests.copies import ROOT

PAGE = ROOT / "docs" / "measurements.md"
RECORDED = ROOT / "benyfits_data" / "evaluation" / "recorded"
SETS = ("diverse", "representative", "representative-25")
TRACKS = ("one", "roster", "who", "all")
PLAYED = ("diverse", "representative-25")
COLUMNS = ("mean", "median", "p90", "most", "times par")
HEADER = ("set", "households", "pairs", "eligible", "contested", "median percentile", *TRACKS)


def table() -> str:
    """Return the counts of every recorded set, and the mean par of its rows on each track."""
    rows = [HEADER]
    for folder in editions():
        for name in SETS:
            manifest = json.loads((folder / f"{name}.manifest.json").read_text("utf-8"))
            pars = lzma.decompress((folder / f"{name}.par.jsonl.xz").read_bytes()).splitlines()
            rows.append((f"{name} {folder.name}", *counts(manifest), *means(pars)))
    return as_markdown(rows)


def planner_table() -> str:
    """Return the planner's questions on the recorded sets, beside the mean of par."""
    rows = [("set, track", "par", *(f"planner: {column}" for column in COLUMNS))]
    for folder in editions():
        for name in PLAYED:
            rows += play(folder, name)
    return as_markdown(rows)


def play(folder: Path, name: str) -> list[tuple[str, ...]]:
    """Return a row for each track on which the planner played a recorded set."""
    with TemporaryDirectory() as place:
        for ending in ("jsonl", "par.jsonl"):
            packed = (folder / f"{name}.{ending}.xz").read_bytes()
            Path(place, f"{name}.{ending}").write_bytes(lzma.decompress(packed))
        command = ("-m", "benyfits_data", "planner", f"{place}/{name}.jsonl", "--json")
        tracks = ("--track", "one", "--track", "who")
        said = subprocess.check_output([sys.executable, *command, *tracks], text=True)
    par, rows = "", []
    for line in json.loads(said)["turns"]:
        if line["who"] == "par":
            par = str(line["mean"])
        else:
            cells = (str(line[column]) for column in COLUMNS)
            rows.append((f"{name} {folder.name}, `{line['track']}`", par, *cells))
    return rows


def editions() -> list[Path]:
    """Return the folders of recorded sets, by year."""
    return sorted(path for path in RECORDED.iterdir() if path.name.isdigit())


def as_markdown(rows: list[tuple[str, ...]]) -> str:
    """Return a table whose first row is its header."""
    lines = [rows[0], ("---",) * len(rows[0]), *rows[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def put(name: str, text: str) -> None:
    """Replace what stands in the page between the mark of a name and the next `end`."""
    span = re.compile(rf"(?<=<!-- {name} -->\n\n).*?(?=\n\n<!-- end -->)", re.DOTALL)
    PAGE.write_text(span.sub(lambda _: text, PAGE.read_text("utf-8")), "utf-8")


def counts(manifest: dict[str, Any]) -> list[str]:
    """Return what a manifest counts."""
    names = ("households", "pairs", "eligible_pairs", "contested_pairs")
    return [*(str(manifest[name]) for name in names), f"{manifest['plausibility']['median']:.0f}"]


def means(lines: list[bytes]) -> list[str]:
    """Return the mean par of each track."""
    pars = [json.loads(line)["par"] for line in lines]
    return [f"{mean(par[track] for par in pars):.1f}" for track in TRACKS]


if __name__ == "__main__":
    put("recorded sets", table())
    if "planner" in sys.argv[1:]:
        day = f"{datetime.now(UTC):%d %B %Y}".lstrip("0")
        put("planner", f"Measured on {day}.\n\n{planner_table()}")
