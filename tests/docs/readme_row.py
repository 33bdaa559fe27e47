"""The row that README prints, put there by `python -m tests.docs.readme_row FILE`."""

import json
import re
import sys
from pathlib import Path
from typing import Any

from tests.copies import ROOT

README = ROOT / "README.md"
BLOCK = re.compile(r"(?<=```json\n).*?(?=\n```)", re.DOTALL)
EXPLAINED = re.compile(r"(?<=benyfits-data explain )\S+ \S+ \w+")
MORE = {"...": "..."}


def shorten(row: dict[str, Any]) -> str:
    """Return a row as README prints it: what is left out is `...`."""
    household = row["household"]
    member = {name: household["members"][0][name] for name in ("name", "age")}
    others = ["..."] if len(household["members"]) > 1 else []
    asked = row["programs"][:2]
    shown = {
        "id": row["id"],
        "edition": row["edition"],
        "household": {"members": [member | MORE, *others], "tenure": household["tenure"]} | MORE,
        "profile": "... " + row["profile"].split("\n\n")[1][:76].rpartition(" ")[0] + " ...",
        "programs": asked + (["..."] if len(row["programs"]) > 2 else []),
        "eligible": {name: row["eligible"][name] for name in asked} | MORE,
        "labels": dict(list(row["labels"].items())[:1]) | MORE,
        "contested": dict(list(row["contested"].items())[:1]) | MORE,
        "weights": dict(list(row["weights"].items())[:1]) | MORE,
    }
    lines = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in shown.items())
    return "{" + ",\n ".join(lines).replace(",\n ", ", ", 1) + "}"


def rewrite(page: str, path: str, row: dict[str, Any]) -> str:
    """Return README with a row, and with one of its programs explained."""
    page = BLOCK.sub(lambda _: shorten(row), page, count=1)
    return EXPLAINED.sub(f"{path} {row['id']} {row['programs'][0]}", page)


if __name__ == "__main__":
    [built] = sys.argv[1:]
    first = Path(built).read_text("utf-8").splitlines()[0]
    README.write_text(rewrite(README.read_text("utf-8"), built, json.loads(first)), "utf-8")
