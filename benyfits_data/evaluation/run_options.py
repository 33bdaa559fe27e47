"""How an evaluation is run: its options, what is refused of them at once, the models they make."""

import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.models import NO_KEY, NO_READER, ROLES, choose_roles, is_model
from benyfits_data.spelling import suggest

if TYPE_CHECKING:
    # Not above: what is refused at once is refused before rules or models are loaded.
    from benyfits_data.evaluation.server_errors import Parameter
    from benyfits_data.evaluation.turn_reading import Style
    from benyfits_data.par.tracks import Track

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
class RoleSettings:
    """How one role's model is reached and asked.

    Attributes:
        base_url: Address of its server, for compatible servers.
        key_variable: The environment variable that holds its key; the provider's own if not given.
        temperature: Sampling temperature; the provider's default if `None`.
        max_tokens: Tokens of one reply, thoughts included; ours by prompt if `None`.
        model_args: Arguments of the provider, such as vLLM's `tensor_parallel_size`.
        without: What of a call its server is not sent.
    """

    base_url: str | None = None
    key_variable: str | None = None
    temperature: float | None = TEMPERATURE
    max_tokens: int | None = None
    model_args: Mapping[str, Any] = field(default_factory=dict)
    without: tuple["Parameter", ...] = ()


@dataclass(frozen=True)
class Options:
    """How an evaluation is run.

    Attributes:
        agent: A bundled agent or `my_module:MyAgent`.
        settings: How each role's model is reached and asked, where that differs from the default.
        seed: Seed of the agents' random streams, and of models that take one.
        prompts: Folder of prompts that replace ours.
        concurrency: Dialogs held at the same time, at most.
        timeout: Seconds a model may take for one reply; by its greatest length if not given.
        log_dir: Folder of the logs; one named after the run in `logs/` if not given.
        column: Which of the benchmark's two sets the dataset is, if it is one.
        total: Dialogs of the whole dataset, where only some are played.
        questions: What one question of the planner may ask: `one`, `roster`, `who` or `all`.
        max_turns: How many questions a dialog may have: `paper`, or `par:K` for K times its par.
        max_seconds: How long a dialog may take before it breaks off.
        keep_going: Whether to play on although the first dialogs all broke off alike.
        is_proven: Whether a user model's answers are held against the household before it is sent.
        style: The manner of speaking of a grounded or proven user.
        served: The model that replied to a first call, by role, as its server names it.
    """

    agent: str = "proada"
    roles: Mapping[str, str] = field(default_factory=choose_roles)
    settings: Mapping[str, RoleSettings] = field(default_factory=dict)
    trials: int = 1
    seed: int = 0
    prompts: Path | None = None
    concurrency: int = CONCURRENCY
    timeout: int | None = None
    log_dir: Path | None = None
    column: str | None = None
    total: int | None = None
    questions: "Track | None" = None
    max_turns: str = PAPER
    max_seconds: int | None = None
    keep_going: bool = False
    is_proven: bool = False
    style: "Style" = "plain"
    served: Mapping[str, str] = field(default_factory=dict)

    def role(self, role: str) -> RoleSettings:
        """Return how a role's model is reached and asked.

        A reader is asked at temperature 0, and reached as the user's model where it is the same.
        """
        settings = self.settings.get(role, RoleSettings())
        if role != "reader":
            return settings
        if settings == RoleSettings() and self.roles["reader"] == self.roles["user"]:
            settings = self.settings.get("user", settings)
        return replace(settings, temperature=None if settings.temperature is None else 0.0)

    def described_models(self) -> list[str]:
        """Return the roles that a model plays."""
        return [role for role in ROLES if role in self.roles and is_model(role, self.roles[role])]

    def describe_roles(self) -> dict[str, dict[str, Any]]:
        """Return what a manifest says of each role: no keys, but everything that may tell."""
        described: dict[str, dict[str, Any]] = {
            role: {"model": name} for role, name in self.roles.items() if name != NO_READER
        }
        if self.is_proven:
            described["user"]["is_proven"] = True
        if self.style != "plain":
            described["user"]["style"] = self.style
        for role in self.described_models():
            settings = self.role(role)
            described[role] |= {
                "address": settings.base_url,
                "temperature": settings.temperature,
                "max_tokens": settings.max_tokens,
                "arguments": dict(settings.model_args),
                **({"without": sorted(settings.without)} if settings.without else {}),
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


def check_rows(path: Path, ids: Sequence[str]) -> None:
    """Return nothing if a file of rows has all of these ids; no row is understood for that.

    What is no row is left to whoever reads the file.

    Raises:
        EvaluationError: There is no such row.
    """
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        known = [str(row["id"]) for row in rows]
    except (ValueError, KeyError, TypeError):
        return
    check_row_ids(known, ids)


def check_row_ids(known: Sequence[str], ids: Sequence[str]) -> None:
    """Return nothing if all ids are known.

    Raises:
        EvaluationError: One is not.
    """
    for name in ids:
        if name not in known:
            hint = suggest(name, known, f"The first is {known[0]}." if known else "It is empty.")
            raise EvaluationError(f"--rows: the dataset has no row {name!r}. {hint}", row=name)


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


def models_meant(roles: Mapping[str, str], option: str) -> list[str]:
    """Return the roles that an option means which names none: all that have a model, if it is one.

    Args:
        roles: Who plays each role.
        option: Such as `--base-url`, for the message.

    Raises:
        EvaluationError: Several models play: an address or key of one could go to another's server.
    """
    played = {role: name for role, name in roles.items() if is_model(role, name)}
    names = sorted(set(played.values()))
    if len(names) > 1:
        raise EvaluationError(
            f"{option} could mean any of {', '.join(names)}, and what is meant for one would go to "
            "another's server. Say which role: dialog, user or code.",
            roles=played,
        )
    return list(played)


def make_models(options: Options) -> dict[str, Any]:
    """Return the model of each role that has one, with the role's own settings.

    Raises:
        EvaluationError: A model cannot be set up, such as for want of a key.
    """
    from inspect_ai.model import GenerateConfig, get_model

    models: dict[str, Any] = {}
    for role in options.described_models():
        name, settings = options.roles[role], options.role(role)
        # A model of a role does not see the settings of the evaluation: it carries its own.
        config = GenerateConfig(
            max_connections=options.concurrency,
            max_retries=RETRIES,
            attempt_timeout=options.timeout,
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
        )
        if name.startswith("embedded/"):
            from benyfits_data.evaluation.players import embedded

            # More requests at once than slots would only wait, and time out waiting.
            config.max_connections = embedded.SLOTS
        reached: dict[str, Any] = {"base_url": settings.base_url, "api_key": _key(name, settings)}
        reached |= _arguments(name, settings)
        try:
            # Not by role: inspect would answer with the model an earlier run gave that role.
            models[role] = get_model(name, config=config, memoize=False, **reached)
        except EvaluationError:
            raise
        except Exception as error:
            raise EvaluationError(_in_plain_words(error, role, name), role=role) from error
    return models


def _arguments(name: str, settings: RoleSettings) -> dict[str, Any]:
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


def _key(name: str, settings: RoleSettings) -> str | None:
    """The key of a role's model; a stand-in where a server of one's own asks for none."""
    if settings.key_variable:
        if not os.environ.get(settings.key_variable):
            raise EvaluationError(
                f"{settings.key_variable} is not set; it was to hold the key of {name}."
            )
        return os.environ[settings.key_variable]
    provider, _, rest = name.partition("/")
    service = rest.partition("/")[0].upper().replace("-", "_")
    is_needless = provider == "openai-api" and not os.environ.get(f"{service}_API_KEY")
    return "none" if is_needless and settings.base_url else None
