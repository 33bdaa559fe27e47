"""Commands refuse what they lack before they load rules, models or inspect, in plain words."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.models import check_keys
from benyfits_data.evaluation.run_options import Options, make_models

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
import sys
from benyfits_data.cli.main import main
try:
    main(sys.argv[1:])
finally:
    print("loaded", [name for name in {HEAVY} if name in sys.modules])
    print("of the heaviest", [name for name in {HEAVIEST} if name in sys.modules])
"""
REFUSED = {
    "eval --agent nobody": "expected one of always-no",
    "eval --agent react --model openai/gpt-4o": "OPENAI_API_KEY is not set",
    "eval --code-model anthropic/claude": "ANTHROPIC_API_KEY is not set",
    "eval --model openai/gpt-4o --key-variable MY_KEY": "MY_KEY is not set",
    "eval --model vllm/tiny/model": "vLLM is not installed",
    "study answers --model openai/gpt-4o": "OPENAI_API_KEY is not set",
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
    "eval --agent planner": "needs --track",
    "eval --rows nosuch": "has no row 'nosuch'",
    "eval --task rules --only nosuch": "'nosuch' is no program",
    "eval --agent proada --track one": "Leave --track out",
    "eval --base-url here --model a/b --user-model c/d": "--base-url could mean any of a/b, c/d",
    "eval --task rules --edition 2031": "no edition 2031",
    "population eligibility --edition 2031": "no edition 2031",
    "prove checkers --edition 2031": "no edition 2031",
    "prove checkers --edition 0": "no edition 0",
}


def refuse(words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Return what a command answers in a folder where nothing is, without any key."""
    kept = {name: value for name, value in os.environ.items() if "KEY" not in name}
    root = str(Path(__file__).parents[2])
    return subprocess.run(
        [sys.executable, "-c", PROBE, *words.split()],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**kept, "PYTHONPATH": root},
    )


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_lacking_is_refused_before_anything_is_loaded(words: str, tmp_path: Path) -> None:
    done = refuse(words, tmp_path)
    assert done.returncode in (1, 2)
    assert REFUSED[words] in done.stderr
    assert "loaded []" in done.stdout


@pytest.mark.parametrize("words", REFUSED_BY_AGENT_OR_YEAR)
def test_what_an_agent_or_year_lacks_is_refused_before_libraries(
    words: str, tmp_path: Path
) -> None:
    done = refuse(words, tmp_path)
    assert done.returncode == 1
    assert REFUSED_BY_AGENT_OR_YEAR[words] in done.stderr
    assert "of the heaviest []" in done.stdout


def test_the_probe_sees_what_a_command_loads(tmp_path: Path) -> None:
    loaded, heaviest = refuse("sources check", tmp_path).stdout.splitlines()[-2:]
    assert "numpy" in loaded
    assert "benyfits_data.population" in heaviest


def test_keys_are_looked_for_where_nothing_else_may_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    check_keys([None, "reference", "embedded/smollm2", "openai/azure/gpt-4o", "vllm/tiny"])
    with pytest.raises(EvaluationError, match="OPENAI_API_KEY is not set"):
        check_keys(["openai/gpt-4o"])
    (tmp_path / ".env").write_text("OPENAI_API_KEY=1\n")
    check_keys(["openai/gpt-4o"])


def test_a_key_that_only_the_provider_asks_for_is_named_plainly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for model, name in (("openai/gpt-4o", "OPENAI_API_KEY"), ("openai-api/a/b", "A_API_KEY")):
        monkeypatch.delenv(name, raising=False)
        with pytest.raises(EvaluationError) as refused:
            make_models(Options(roles={"dialog": model}))
        assert str(refused.value).startswith(f"{name} is not set, and {model} needs a key.")
