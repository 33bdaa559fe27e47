"""The table of recorded sets, put into a page by `python -m tests.docs.measurements`."""

import json
import lzma
import re
from statistics import mean
from typing import Any

from tests.copies import ROOT

PAGE = ROOT / "docs" / "measurements.md"
RECORDED = ROOT / "benyfits_data" / "evaluation" / "recorded"
TABLE = re.compile(r"(?<=<!-- recorded sets -->\n\n).*?(?=\n\n<!-- end -->)", re.DOTALL)
SETS = ("diverse", "representative", "representative-25")
TRACKS = ("one", "roster", "who", "all")
HEADER = ("set", "households", "pairs", "eligible", "contested", "median percentile", *TRACKS)


def table() -> str:
    """Return the counts of every recorded set, and the mean par of its rows on each track."""
    rows = [HEADER, ("---",) * len(HEADER)]
    for folder in sorted(path for path in RECORDED.iterdir() if path.name.isdigit()):
        for name in SETS:
            manifest = json.loads((folder / f"{name}.manifest.json").read_text("utf-8"))
            pars = lzma.decompress((folder / f"{name}.par.jsonl.xz").read_bytes()).splitlines()
            rows.append((f"{name} {folder.name}", *counts(manifest), *means(pars)))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def counts(manifest: dict[str, Any]) -> list[str]:
    """Return what a manifest counts."""
    names = ("households", "pairs", "eligible_pairs", "contested_pairs")
    return [*(str(manifest[name]) for name in names), f"{manifest['plausibility']['median']:.0f}"]


def means(lines: list[bytes]) -> list[str]:
    """Return the mean par of each track."""
    pars = [json.loads(line)["par"] for line in lines]
    return [f"{mean(par[track] for par in pars):.1f}" for track in TRACKS]


if __name__ == "__main__":
    PAGE.write_text(TABLE.sub(lambda _: table(), PAGE.read_text("utf-8")), "utf-8")
