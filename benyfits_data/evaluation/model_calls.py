"""How prompts reach the models of inspect, and what of an outage is kept apart from a reply."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
)
from inspect_ai.util import JSONSchema, LimitExceededError

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.conversation import Completion, InfrastructureError, StopKind
from benyfits_data.evaluation.models import describe_error
from benyfits_data.evaluation.record import Usage

STOPS: Mapping[str, StopKind] = {
    "max_tokens": "reply_cut",
    "model_length": "context_full",
    "content_filter": "reply_filtered",
}
WITHHELD = ("context_full", "reply_filtered")
OUTAGE_CALLS = 8
"""Calls in a row that may fail, each after its retries, before the rest of a run is left for later:
with fewer, one dialog that a server dislikes could end a run; each call more costs minutes."""
REFUSED = (400, 404, 415, 422, 501)
"""HTTP statuses by which servers refuse a parameter they do not know."""
TRIALS_A_SEED = 1009
"""Seeds of models lie so far apart that no trial of one run has the seed of another's."""


class InspectModels:
    """Completes prompts with inspect's models; the reply to an identical prompt may be cached.

    Args:
        models: The model of each role that has one.
        outages: Calls by role that failed in a row; shared by the dialogs of a run.
        seed: Seed of the run, for models that take one.
        trial: Which repetition this is: each has calls of its own.
        cached_roles: Roles whose replies are kept on disk between runs.
    """

    def __init__(
        self,
        models: Mapping[str, Model],
        outages: dict[str, int],
        seed: int = 0,
        trial: int = 1,
        cached_roles: frozenset[str] = frozenset({"code"}),
    ) -> None:
        self._models = models
        self._outages = outages
        self._seed = TRIALS_A_SEED * seed + trial
        self._cached_roles = cached_roles
        self._without_schema = set[str]()

    async def complete(
        self,
        role: str,
        system: str,
        prompt: str,
        schema: dict[str, Any] | None,
        max_tokens: int,
        earlier: Sequence[tuple[str, str]] = (),
    ) -> Completion:
        """Return the role's reply.

        Args:
            role: The role.
            system: What the model is told about its task; may be empty.
            prompt: What it is asked.
            schema: JSON schema of the reply, if it has one.
            max_tokens: Longest reply, unless the model's settings have one.
            earlier: What it was asked before, and what it said.

        Raises:
            EvaluationError: The role has no model.
            InfrastructureError: The model did not reply after all retries.
        """
        if role not in self._models:
            raise EvaluationError(
                f"The {role} role is played without a model, which cannot reply to a prompt. "
                f"Choose one with --{role}-model."
            )
        if self._outages.get(role, 0) >= OUTAGE_CALLS:
            raise InfrastructureError(
                f"{role}: not called, after {OUTAGE_CALLS} calls in a row had failed.", role=role
            )
        messages: list[ChatMessage] = [ChatMessageSystem(content=system)] if system else []
        for asked, said in earlier:
            messages += [ChatMessageUser(content=asked), ChatMessageAssistant(content=said)]
        messages.append(ChatMessageUser(content=prompt))
        limit = self._models[role].config.max_tokens or max_tokens
        config = GenerateConfig(max_tokens=limit, seed=self._seed % 2**31)
        if schema is not None and role not in self._without_schema:
            config.response_schema = _response_schema(json.dumps(schema))
        try:
            output = await self._generate(role, messages, config)
        except LimitExceededError:
            raise
        except Exception as error:
            # Whatever a provider raises after its retries: the server's fault, or its address's.
            self._outages[role] = self._outages.get(role, 0) + 1
            raise InfrastructureError(f"{role}: {describe_error(error)}", role=role) from error
        self._outages[role] = 0
        stop = STOPS.get(output.stop_reason, "stop")
        # In place of a reply that was withheld, providers give the server's message.
        text = "" if stop in WITHHELD else output.completion
        return Completion(text, stop, schema is not None and role in self._without_schema)

    async def _generate(
        self, role: str, messages: list[ChatMessage], config: GenerateConfig
    ) -> ModelOutput:
        """The model's output; without a schema from a server that refuses one."""
        model = self._models[role]
        # Another seed or trial is another call, whatever an earlier one replied.
        policy = CachePolicy(scopes={"seed": str(self._seed)})
        cache = policy if role in self._cached_roles else False
        try:
            return await model.generate(messages, config=config, cache=cache)
        except Exception as error:
            if config.response_schema is None or _status(error) not in REFUSED:
                raise
        # The server may not know schemas: without one the same call tells.
        config = config.model_copy(update={"response_schema": None})
        output = await model.generate(messages, config=config, cache=cache)
        self._without_schema.add(role)
        return output


def _status(error: BaseException | None) -> int | None:
    """The HTTP status behind what a provider raised."""
    while error is not None:
        status = getattr(error, "status_code", None)
        if isinstance(status, int):
            return status
        error = error.__cause__
    return None


@lru_cache(maxsize=4096)
def _response_schema(schema: str) -> ResponseSchema:
    parsed = JSONSchema.model_validate_json(schema)
    return ResponseSchema(name="reply", json_schema=parsed, strict=True)


def count_usage(events: list[Any]) -> dict[str, Usage]:
    """Return calls and tokens by role from the model events of one dialog."""
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
