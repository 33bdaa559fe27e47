"""Commands refuse what they lack before they load rules, models or inspect, in plain words."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

HEAVY = ("numpy", "z3", "inspect_ai", "benyfits_data.household", "benyfits_data.editions")
HEAVIEST = (
    "z3",
    "scipy",
    "pandas",
    "inspect_ai",
    "benyfits_data.population",
    "benyfits_data.evaluation.planned",
)
PROBE = f"""
import contextlib, io, json, sys
from benyfits_data.cli.main import main
said = {{}}
for words in json.loads(sys.argv[1]):
    errors = io.StringIO()
    code = 0
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
        try:
            main(words.split())
        except SystemExit as end:
            code = end.code
    loaded = [name for name in {(*HEAVY, *HEAVIEST)} if name in sys.modules]
    said[words] = [code, errors.getvalue(), loaded]
print(json.dumps(said))
"""
REFUSED = {
    "eval --agent nobody": "expected one of always-no",
    "eval --agent plannr": "Did you mean planner?",
    "eval --dataset none.jsonl": "none.jsonl does not exist. Build it",
    "eval --max-turns 5": "--max-turns 5: expected `paper` or `par:K`",
    "eval --format published": "give --texts FILE",
    "eval --texts nofile": "--texts nofile is neither decided nor plain",
    "eval --task rules --texts nofile": "reads decided or plain",
    "diverse --plausible 200": "neither a percentile",
    "label none.jsonl": "none.jsonl",
    "audit none.jsonl": "none.jsonl",
    "mutants none.jsonl": "none.jsonl",
    "par none.jsonl": "none.jsonl",
    "results none": "none",
    "programs shwo": "Did you mean show?",
}


REFUSED_BY_AGENT_OR_YEAR = {
    "eval --agent react": "none plays that role",
    "eval --task rules --only nosuch": "'nosuch' is no program",
    "eval --base-url here --model a/b --user-model c/d": "--base-url could mean any of a/b, c/d",
    "eval --task rules --edition 2031": "no edition 2031",
    "population eligibility --edition 2031": "no edition 2031",
    "prove checkers --edition 2031": "no edition 2031",
    "prove checkers --edition 0": "no edition 0",
}


def refuse(commands: Iterable[str], folder: Path) -> dict[str, tuple[int, str, list[str]]]:
    """Return code, errors and heavy modules after each of some commands, run one after another.

    In a process and a folder where nothing is, without any key.
    """
    kept = {name: value for name, value in os.environ.items() if "KEY" not in name}
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", PROBE, json.dumps(list(commands))],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**kept, "PYTHONPATH": root},
        check=True,
    )
    return {words: tuple(said) for words, said in json.loads(done.stdout).items()}


def test_what_is_lacking_is_refused_before_anything_is_loaded(tmp_path: Path) -> None:
    told = refuse([*REFUSED, *REFUSED_BY_AGENT_OR_YEAR, "sources check"], tmp_path)
    *_, seen = told.pop("sources check")
    assert {"numpy", "benyfits_data.population"} <= set(seen)
    for words, (code, errors, loaded) in told.items():
        assert code in ((1, 2) if words in REFUSED else (1,)), words
        assert (REFUSED | REFUSED_BY_AGENT_OR_YEAR)[words] in errors
        assert not set(loaded) & set(HEAVY if words in REFUSED else HEAVIEST), words
