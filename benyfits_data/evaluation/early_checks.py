"""What is refused before rules, rows or models are loaded: an agent's name, a missing key.

These checks read file names and environment variables only; all others follow later.
"""

import math
import os
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from benyfits_data.errors import EvaluationError, MissingExtraError, install_line

_HELPERS = ("loop", "outside", "outside_process", "unasking")
"""Modules beside the agents that are none."""
UNASKING = ("always-no", "always-yes", "prior", "random")
"""The agents of one of these modules, which ask nothing."""
PAPER = "paper"
DECIDED = "decided"
PLAIN = "plain"
_KEYS = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY", "VERTEX_API_KEY"),
    "grok": ("XAI_API_KEY", "GROK_API_KEY"),
    "groq": ("GROQ_API_KEY",),
    "mistral": ("MISTRAL_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY",),
    "together": ("TOGETHER_API_KEY",),
}
"""Variables of which one holds the key, for the providers of inspect that always need one."""
_OTHER_WAYS = ("AZURE", "AWS_ACCESS", "AWS_BEARER", "AWS_PROFILE", "BEDROCK", "GOOGLE_APPLICATION")
"""How variables begin by which a cloud lets in without such a key."""


def agent_names() -> list[str]:
    """Return the names of the bundled agents, sorted."""
    modules = (Path(__file__).parent / "agents").glob("[a-z]*.py")
    names = (it.stem.replace("_", "-") for it in modules if it.stem not in _HELPERS)
    return sorted([*names, *UNASKING])


def check_agent_name(name: str) -> None:
    """Return nothing if a bundled agent has that name, or it names a class as `module:Class`.

    Raises:
        EvaluationError: It is neither.
    """
    if ":" not in name and name not in agent_names():
        raise EvaluationError(
            f"--agent {name}: expected one of {', '.join(agent_names())}, "
            "or a class of yours as my_module:MyAgent.",
            agent=name,
        )


def check_dataset(path: Path | None) -> None:
    """Return nothing if a dataset is there, or none was named.

    Raises:
        EvaluationError: There is no such file.
    """
    if path is not None and not path.exists():
        raise EvaluationError(
            f"{path} does not exist. Build it with `benyfits-data diverse` or "
            "`benyfits-data representative`, or name another file with --dataset.",
            path=path,
        )


def check_texts(texts: str | None) -> None:
    """Return nothing if texts of that name or a file of them are there, or none were named.

    Raises:
        EvaluationError: There are none.
    """
    if texts not in (None, DECIDED, PLAIN) and not Path(texts).exists():
        raise EvaluationError(
            f"--texts {texts} is neither {DECIDED} nor {PLAIN}, nor is there such a file. Name a "
            "file of JSON Lines with program_name and plain_language_eligibility.",
            path=texts,
        )


def read_factor(max_turns: str) -> float | None:
    """Return K of `par:K`, nothing of `paper`.

    Raises:
        EvaluationError: It is neither.
    """
    kind, _, text = max_turns.partition(":")
    try:
        factor = float(text) if kind == "par" else math.nan
    except ValueError:
        factor = math.nan
    if max_turns != PAPER and not 1 <= factor < math.inf:
        raise EvaluationError(
            f"--max-turns {max_turns}: expected `paper` or `par:K`, K times the fewest questions "
            "that force the labels, K from 1 on, such as par:6.",
            max_turns=max_turns,
        )
    return None if max_turns == PAPER else factor


def check_vllm(models: Iterable[str | None], base_url: str | None) -> None:
    """Raise if a vLLM is to be started here, and is not installed.

    Args:
        models: Names such as `vllm/meta-llama/Llama-3.1-8B-Instruct`.
        base_url: Address of a server that runs already; with one none is started.

    Raises:
        MissingExtraError: It is not installed.
    """
    started = [model for model in models if (model or "").startswith("vllm/")]
    if not started or base_url or os.environ.get("VLLM_BASE_URL"):
        return
    if find_spec("vllm") is None:
        raise MissingExtraError(
            f"vLLM is not installed, and {started[0]} starts one. Type {install_line('gpu')}, or "
            "name a server that runs with --base-url."
        )


def check_keys(models: Iterable[str | None], key_variable: str | None = None) -> None:
    """Return nothing unless a model's provider needs a key that no variable holds.

    Where a cloud or a file `.env` may let in, inspect decides.

    Args:
        models: Names such as `openai/gpt-4o`; other players need no key.
        key_variable: The variable that is to hold the key instead.

    Raises:
        EvaluationError: No variable holds the key.
    """
    for model in models:
        provider, slash, name = (model or "").partition("/")
        if key_variable and slash and not os.environ.get(key_variable):
            raise EvaluationError(
                f"{key_variable} is not set; it was to hold the key of {model}.",
                variable=key_variable,
            )
        variables = () if key_variable or "/" in name else _KEYS.get(provider, ())
        if variables and not (any(map(os.environ.get, variables)) or _is_another_way_in()):
            raise EvaluationError(
                f"{variables[0]} is not set, and {model} needs a key. Set it, or name the variable "
                "that holds the key with --key-variable.",
                variable=variables[0],
            )


def _is_another_way_in() -> bool:
    here = Path.cwd()
    is_file = any((folder / ".env").exists() for folder in (here, *here.parents))
    return is_file or any(name.startswith(_OTHER_WAYS) for name in os.environ)
