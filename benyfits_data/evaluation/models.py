"""Which model plays which role, and how prompts reach it.

A role is played by `reference` (deterministic, no model), by `human` (a person at the terminal;
users only), or by any model that inspect knows: `embedded/smollm2`, `openai/...`, `vllm/...`,
`compatible/<service>/...`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from benyfits_data.errors import EvaluationError, MissingExtraError
from benyfits_data.evaluation.conversation import ModelCallError
from benyfits_data.evaluation.dialog import Usage
from benyfits_data.evaluation.precedence import away

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessageSystem, GenerateConfig, Model, ResponseSchema

ROLES = ("dialog", "user", "code")
REFERENCE = "reference"
HUMAN = "human"
DEFAULTS = {"dialog": "embedded/smollm2", "user": REFERENCE, "code": REFERENCE}
"""Who plays what without a GPU, a server or a key."""

PLAYERS = {
    "dialog": (REFERENCE,),
    "user": (REFERENCE, HUMAN),
    "code": (REFERENCE,),
}
"""What may stand in for a model, by role."""


def require_inspect() -> None:
    """Return nothing if inspect-ai is installed.

    Raises:
        MissingExtraError: It is not.
    """
    try:
        import inspect_ai  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "Evaluations run on inspect-ai, which is not installed. "
            "Install it with: pip install 'benyfits-data[eval]'",
            package="inspect-ai",
        ) from error


def choose_roles(
    *,
    models: str | None = None,
    dialog: str | None = None,
    user: str | None = None,
    code: str | None = None,
    gguf: str | None = None,
) -> dict[str, str]:
    """Return who plays each role, from what was asked for and the defaults.

    Args:
        models: Who plays every role that is not named.
        dialog: The dialog role.
        user: The user role.
        code: The code role.
        gguf: A GGUF file that plays the dialog role unless that is named.

    Raises:
        EvaluationError: A name is no player of that role and no model name.
    """
    asked = {"dialog": dialog or (f"embedded/{gguf}" if gguf else None), "user": user, "code": code}
    roles = {role: asked[role] or models or DEFAULTS[role] for role in ROLES}
    for role, name in roles.items():
        if name not in PLAYERS[role] and "/" not in name:
            expected = ", ".join((*PLAYERS[role], "a model such as openai/gpt-4o"))
            raise EvaluationError(
                f"--{role}-model {name}: expected {expected}.", role=role, found=name
            )
    return roles


def is_model(role: str, name: str) -> bool:
    """Return whether a role's player is a language model.

    Args:
        role: The role.
        name: Its player.
    """
    return name not in PLAYERS[role]


def describe_roles(roles: Mapping[str, str], needed: Iterable[str] = ROLES) -> list[str]:
    """Return the banner: one line per role, and a warning where scores mean little.

    Args:
        roles: Who plays each role.
        needed: The roles that the agent makes use of.
    """
    says = {
        REFERENCE: "reference (deterministic, no model)",
        HUMAN: "human (at this terminal)",
    }
    used = {role: roles[role] for role in ROLES if role in set(needed)}
    lines = [f"{role:<7}{says.get(name, name)}" for role, name in used.items()]
    if "embedded/smollm2" in used.values():
        lines.append(
            "SmolLM2 (135 million parameters) is far too small for meaningful scores and cannot "
            "write checkers; it shows that everything runs. Give --dialog-model for real ones."
        )
    if used.get("code") == REFERENCE:
        lines.append("The reference code model hands over our own checkers: a ceiling, no score.")
    return lines


class InspectModels:
    """Completes prompts with inspect's models; the reply to an identical prompt may be cached.

    Args:
        models: The model of each role that has one.
        cached_roles: Roles whose replies are kept on disk between runs.
    """

    def __init__(
        self, models: Mapping[str, "Model"], cached_roles: frozenset[str] = frozenset({"code"})
    ) -> None:
        self._models = models
        self._cached_roles = cached_roles

    async def complete(
        self,
        role: str,
        system: str,
        prompt: str,
        schema: dict[str, Any] | None,
        max_tokens: int,
        earlier: Sequence[tuple[str, str]] = (),
    ) -> str:
        """Return the role's reply.

        Args:
            role: The role.
            system: What the model is told about its task; may be empty.
            prompt: What it is asked.
            schema: JSON schema of the reply, if it has one.
            max_tokens: Longest reply.
            earlier: What it was asked before, and what it said.

        Raises:
            ModelCallError: The role has no model, or the model did not reply after all retries.
        """
        from inspect_ai.model import (
            ChatMessage,
            ChatMessageAssistant,
            ChatMessageUser,
            GenerateConfig,
        )
        from inspect_ai.util import LimitExceededError

        if role not in self._models:
            raise ModelCallError(
                f"The {role} role is played without a model, which cannot reply to a prompt. "
                f"Choose one with --{role}-model."
            )
        messages: list[ChatMessage] = [_system_message(system)] if system else []
        for asked, said in earlier:
            messages += [ChatMessageUser(content=asked), ChatMessageAssistant(content=said)]
        messages.append(ChatMessageUser(content=prompt))
        config = GenerateConfig(max_tokens=max_tokens)
        if schema is not None:
            config.response_schema = _response_schema(json.dumps(schema))
        model = self._models[role]
        try:
            async with nullcontext() if getattr(model.api, "makes_room", False) else away():
                output = await model.generate(
                    messages, config=config, cache=role in self._cached_roles
                )
        except LimitExceededError:
            raise
        except Exception as error:
            # Whatever a provider raises after its retries ends in a recorded failure.
            text = " ".join(str(error).split())[:300]
            raise ModelCallError(f"{role}: {type(error).__name__}: {text}") from error
        return output.completion


@lru_cache(maxsize=256)
def _system_message(content: str) -> "ChatMessageSystem":
    from inspect_ai.model import ChatMessageSystem

    return ChatMessageSystem(content=content)


@lru_cache(maxsize=4096)
def _response_schema(schema: str) -> "ResponseSchema":
    from inspect_ai.model import ResponseSchema
    from inspect_ai.util import JSONSchema

    json_schema = JSONSchema.model_validate_json(schema)
    shared: type[ResponseSchema] = _shared(ResponseSchema)
    return shared(name="reply", json_schema=json_schema, strict=True)


def shared_config(**settings: Any) -> "GenerateConfig":
    """Return settings of a model whose values stay shared when inspect copies them for a call.

    Args:
        settings: As of `GenerateConfig`.
    """
    from inspect_ai.model import GenerateConfig

    shared: type[GenerateConfig] = _shared(GenerateConfig)
    return shared(**settings)


@cache
def _shared(kind: type[Any]) -> type[Any]:
    """Return a kind of data whose values stay shared: inspect copies deeply, again and again."""
    return type(f"Shared{kind.__name__}", (kind,), {"__deepcopy__": _copy})


def _copy(data: Any, memo: dict[int, Any] | None = None) -> Any:
    return data.model_copy()


def count_usage(events: list[Any]) -> dict[str, Usage]:
    """Return calls and tokens by role from the model events of one dialog.

    Args:
        events: The events of inspect's transcript.
    """
    usage: dict[str, Usage] = {}
    for event in events:
        if getattr(event, "event", None) != "model" or event.error:
            continue
        total = usage.setdefault(event.role or "dialog", Usage())
        if event.cache == "read":
            total.cached_calls += 1
            continue
        total.calls += 1
        if event.output.usage:
            total.input_tokens += event.output.usage.input_tokens
            total.output_tokens += event.output.usage.output_tokens
    return dict(sorted(usage.items()))
