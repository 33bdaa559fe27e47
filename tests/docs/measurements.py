"""Tables of the recorded sets, put into a page by `python -m tests.docs.measurements`.

With `planner` it lets the planner play the sets, too, which takes minutes.
"""

import json
import lzma
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from typing import Any

from tests.bench.planner_turns import COLUMNS, measure_set
from tests.bench.planner_turns import SETS as PLAYED
from tests.copies import ROOT

PAGE = ROOT / "docs" / "measurements.md"
RECORDED = ROOT / "benyfits_data" / "recorded"
SETS = ("diverse", "representative", "representative-25")
HEADER = ("set", "households", "pairs", "eligible", "contested", "median percentile", "par")


def table() -> str:
    """Return the counts of every recorded set, and the mean par of its rows."""
    rows = [HEADER]
    for folder in editions():
        for name in SETS:
            manifest = json.loads((folder / f"{name}.manifest.json").read_text("utf-8"))
            pars = lzma.decompress((folder / f"{name}.par.jsonl.xz").read_bytes()).splitlines()
            rows.append((f"{name} {folder.name}", *counts(manifest), mean_par(pars)))
    return as_markdown(rows)


def planner_table() -> str:
    """Return the planner's questions on the recorded sets, beside the mean of par."""
    rows = [("set", "par", *(f"planner: {column}" for column in COLUMNS))]
    for folder in editions():
        for name in PLAYED:
            figures = measure_set(name, int(folder.name))
            cells = (str(figures[column]) for column in ("par", *COLUMNS))
            rows.append((f"{name} {folder.name}", *cells))
    return as_markdown(rows)


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


def mean_par(lines: list[bytes]) -> str:
    """Return the mean par of a set's rows."""
    return f"{mean(json.loads(line)['par'] for line in lines):.1f}"


if __name__ == "__main__":
    put("recorded sets", table())
    if "planner" in sys.argv[1:]:
        day = f"{datetime.now(UTC):%d %B %Y}".lstrip("0")
        put("planner", f"Measured on {day}.\n\n{planner_table()}")
