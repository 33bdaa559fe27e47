"""How an evaluation is run: its options, what is refused of them at once, the models they make."""

import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.models import NO_KEY, NO_READER, ROLES, choose_roles, is_model

PAPER = "paper"
"""The paper's limits of questions."""
DECIDED = "decided"
PLAIN = "plain"
"""Texts of ours: complete and unambiguous, or as on a public page."""
LOGS = Path("logs")
RETRIES = 4
CONCURRENCY = 64
TEMPERATURE = 0.0
"""The paper's was 0.7; at 0 two runs of one model differ least."""

Parameter = Literal["seed", "temperature", "max_tokens", "response_schema", "system_role"]

PARAMETERS: tuple[Parameter, ...] = get_args(Parameter)
"""What of a call can be left out; the name of a limit is then another, a system text in front."""

VLLM_DEFAULTS: Mapping[str, Any] = {
    "host": "127.0.0.1",
    # Under a schema some models write white space for ever; structure needs none.
    "structured_outputs_config": {"backend": "xgrammar", "disable_any_whitespace": True},
    # Started before the first call, however long that takes: weights may have to be fetched.
    "lazy_init": False,
    "timeout": 86_400,
}
"""How a server of vLLM's is started unless told otherwise."""

_MARKS = re.compile(r"\[/?(?:bold|italic|dim|blue|red|green|yellow)[^\]]*\]")
"""Of rich text, in messages of inspect."""
_KEY_VARIABLE = re.compile(r"\b[A-Z0-9_]+_API_KEY\b")


@dataclass(frozen=True)
class ModelSettings:
    """How the models of a run are reached and asked, all alike.

    Where roles need settings of their own, `inspect eval benyfits_data/diverse --model-role` gives
    them.

    Attributes:
        base_url: Address of the server, for compatible servers and one model.
        temperature: Sampling temperature.
        max_tokens: Tokens of one reply, thoughts included; ours by prompt if `None`.
        model_args: Arguments of one model's provider, such as vLLM's `tensor_parallel_size`.
        without: What of a call no server is sent.
    """

    base_url: str | None = None
    temperature: float = TEMPERATURE
    max_tokens: int | None = None
    model_args: Mapping[str, Any] = field(default_factory=dict)
    without: tuple[Parameter, ...] = ()


@dataclass(frozen=True)
class Options:
    """How an evaluation is run.

    Attributes:
        agent: A bundled agent, `my_module:MyAgent` or `FILE.py:MyAgent`.
        roles: Who plays each role.
        settings: How models are reached and asked.
        trials: How often each dialog is played.
        seed: Seed of the agents' random streams, and of models that take one.
        prompts: Folder of prompts that replace ours.
        concurrency: Dialogs held at the same time, at most.
        timeout: Seconds a model may take for one reply; by its greatest length if not given.
        log_dir: Folder of the logs; one named after the run in `logs/` if not given.
        column: Which of the benchmark's two sets the dataset is, if it is one.
        total: Dialogs of the whole dataset, where only some are played.
        max_turns: How many questions a dialog may have: `paper`, or `par:K` for K times its par.
        keep_going: Whether to play on although the first dialogs all broke off alike.
        served: The model that replied to a first call, by role, as its server names it.
    """

    agent: str = "proada"
    roles: Mapping[str, str] = field(default_factory=choose_roles)
    settings: ModelSettings = field(default_factory=ModelSettings)
    trials: int = 1
    seed: int = 0
    prompts: Path | None = None
    concurrency: int = CONCURRENCY
    timeout: int | None = None
    log_dir: Path | None = None
    column: str | None = None
    total: int | None = None
    max_turns: str = PAPER
    keep_going: bool = False
    served: Mapping[str, str] = field(default_factory=dict)

    def temperature(self, role: str) -> float:
        """Return the temperature at which a role's model is asked: a reader's is 0."""
        return 0.0 if role == "reader" else self.settings.temperature

    def described_models(self) -> list[str]:
        """Return the roles that a model plays."""
        return [role for role in ROLES if role in self.roles and is_model(role, self.roles[role])]

    def describe_roles(self) -> dict[str, dict[str, Any]]:
        """Return what a manifest says of each role: no keys, but everything that may tell."""
        described: dict[str, dict[str, Any]] = {
            role: {"model": name} for role, name in self.roles.items() if name != NO_READER
        }
        for role in self.described_models():
            described[role] |= {
                "address": self.settings.base_url,
                "temperature": self.temperature(role),
                "max_tokens": self.settings.max_tokens,
                "arguments": dict(self.settings.model_args),
                **({"without": sorted(self.settings.without)} if self.settings.without else {}),
                **({"served": self.served[role]} if role in self.served else {}),
            }
        return described


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


def check_one_model(roles: Mapping[str, str], settings: ModelSettings) -> None:
    """Refuse an address or arguments that one model's server was meant to get, and another's would.

    Args:
        roles: Who plays each role.
        settings: How models are reached and asked.

    Raises:
        EvaluationError: Several models play, and an address or arguments are given.
    """
    played = sorted({name for role, name in roles.items() if is_model(role, name)})
    given = "--base-url" if settings.base_url else "-M" if settings.model_args else ""
    if given and len(played) > 1:
        raise EvaluationError(
            f"{given} could mean any of {', '.join(played)}, and what is meant for one would go to "
            "another's server. Set SERVICE_BASE_URL for each openai-api/SERVICE/MODEL, or give "
            "roles settings of their own: `inspect eval benyfits_data/diverse --model-role`.",
            roles=dict(roles),
        )


def make_models(options: Options, *, retries: int | None = None) -> dict[str, Any]:
    """Return the model of each role that has one.

    Args:
        options: How models are reached and asked.
        retries: How often a call that fails is made again; `RETRIES` times unless given.

    Raises:
        EvaluationError: A model cannot be set up, such as for want of a key; or settings that are
            one model's are given for several.
    """
    from inspect_ai.model import GenerateConfig, get_model

    settings = options.settings
    check_one_model(options.roles, settings)
    models: dict[str, Any] = {}
    for role in options.described_models():
        name = options.roles[role]
        # A model of a role does not see the settings of the evaluation: it carries its own.
        config = GenerateConfig(
            max_connections=options.concurrency,
            max_retries=RETRIES if retries is None else retries,
            attempt_timeout=options.timeout,
            temperature=options.temperature(role),
            max_tokens=settings.max_tokens,
        )
        reached: dict[str, Any] = {"base_url": settings.base_url, "api_key": _key(name, settings)}
        reached |= _arguments(name, settings)
        try:
            # Not by role: inspect would answer with the model an earlier run gave that role.
            models[role] = get_model(name, config=config, memoize=False, **reached)
        except Exception as error:
            raise EvaluationError(_in_plain_words(error, role, name), role=role) from error
    return models


def _arguments(name: str, settings: ModelSettings) -> dict[str, Any]:
    """The arguments of a provider; what inspect starts vLLM with is spelled for a command line."""
    if not name.startswith("vllm/") or settings.base_url or os.environ.get("VLLM_BASE_URL"):
        return dict(settings.model_args)
    arguments = {**VLLM_DEFAULTS, **settings.model_args}
    return {
        key: json.dumps(value) if isinstance(value, Mapping | list) else value
        for key, value in arguments.items()
    }


def _in_plain_words(error: Exception, role: str, model: str) -> str:
    """An error of a provider in one line, without the marks of bold and coloured text."""
    words = _MARKS.sub("", " ".join(str(error).split())).removeprefix("ERROR: ")
    lacking = _KEY_VARIABLE.search(words)
    if lacking and not os.environ.get(lacking[0]):
        return NO_KEY.format(variable=lacking[0], model=model)
    return f"--{role}-model {model} cannot be set up: {words}"


def _key(name: str, settings: ModelSettings) -> str | None:
    """A stand-in for a key where a server of one's own asks for none; the provider's own else."""
    provider, _, rest = name.partition("/")
    service = rest.partition("/")[0].upper().replace("-", "_")
    is_needless = provider == "openai-api" and not os.environ.get(f"{service}_API_KEY")
    return "none" if is_needless and settings.base_url else None
