"""How prompts reach the models of inspect, and what of an outage is kept apart from a reply."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    ResponseSchema,
    cache_path,
)
from inspect_ai.util import JSONSchema, LimitExceededError

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.conversation import Completion, InfrastructureError, StopKind
from benyfits_data.evaluation.record import Usage
from benyfits_data.evaluation.replies import ReplyRefusedError, final_text, read_object
from benyfits_data.evaluation.run_manifest import describe_config
from benyfits_data.evaluation.server_errors import (
    Parameter,
    advise,
    describe_error,
    is_context_full,
    refuse_odd_body,
    refused_parameter,
)
from benyfits_data.staged_writes import write_atomically

STARTED_BY_INSPECT = ("vllm/", "sglang/")
"""Models whose server may be one that inspect starts, at another port each time."""


def reply_path(model: Model, asked: Any) -> Path:
    """Return where the reply to a call is kept.

    Args:
        model: Who is asked.
        asked: What, as plain data.
    """
    name = str(model)
    address = model.explicit_base_url
    if address is None and not name.startswith(STARTED_BY_INSPECT):
        address = model.api.base_url
    who = (name, address, describe_config(model.config), model.model_args)
    text = json.dumps((who, asked), sort_keys=True, default=str)
    return cache_path() / "benyfits" / f"{hashlib.sha256(text.encode()).hexdigest()}.json"


def kept_reply(path: Path) -> Completion | None:
    """Return the reply that is kept at a path, or `None`."""
    try:
        return Completion(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def keep_reply(path: Path, reply: Completion) -> None:
    """Keep a reply, and how its server names who gave it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json.dumps({"text": reply.text, "model": reply.model}))


STOPS: Mapping[str, StopKind] = {
    "max_tokens": "reply_cut",
    "model_length": "context_full",
    "content_filter": "reply_filtered",
}
"""Why a reply is not all that was asked for; any other reason to stop is an end."""
WITHHELD = ("context_full", "reply_filtered")
OUTAGE_CALLS = 8
"""Calls in a row that may fail, each after its retries, before the rest of a run is left for later:
with fewer, one dialog that a server dislikes could end a run; each call more costs minutes."""
SECONDS = 120
TOKENS_A_SECOND = 10
"""How long a reply may take unless told: some time to begin, and its tokens at a slow pace."""
RETRY_PAUSES = 60
"""Seconds of retries after the first attempt; a last attempt that began by then may end."""
LONG_PROMPT = 4000
EQUAL_COUNTS = 3
"""Long prompts in a row, of different lengths, of which a server that cuts them counts the same
tokens: two may have as many by chance."""
TRIALS_A_SEED = 1009
"""Seeds of models lie so far apart that no trial of one run has the seed of another's."""


@dataclass
class ServerState:
    """What the dialogs of one run have learnt about each role's server.

    Attributes:
        outages: Calls by role that failed in a row.
        without: What a role's server is not sent because it was told so.
        left_out: That, and what it refuses.
        served: The model that replied before the run, by role: another one has replies of its own.
    """

    outages: Counter[str] = field(default_factory=Counter)
    without: defaultdict[str, set[Parameter]] = field(default_factory=lambda: defaultdict(set))
    left_out: defaultdict[str, set[Parameter]] = field(default_factory=lambda: defaultdict(set))
    served: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, roles: Mapping[str, Mapping[str, Any]]) -> "ServerState":
        """Return what is known before a run, from what its manifest says of the roles."""
        state = cls(
            served={
                role: described["served"]
                for role, described in roles.items()
                if "served" in described
            }
        )
        for role, described in roles.items():
            state.without[role].update(described.get("without", ()))
            state.left_out[role].update(state.without[role])
        return state


class InspectModels:
    """Completes prompts with inspect's models; the reply to an identical prompt may be kept.

    Attributes:
        usage: Calls and tokens by role.

    Args:
        models: The model of each role that has one.
        state: What is known of the servers; shared by the dialogs of a run.
        seed: Seed of the run, for models that take one.
        trial: Which repetition this is: each has calls of its own.
        cached_roles: Roles whose replies are kept on disk between runs.
    """

    def __init__(
        self,
        models: Mapping[str, Model],
        state: ServerState,
        seed: int = 0,
        trial: int = 1,
        cached_roles: frozenset[str] = frozenset({"code", "reader"}),
    ) -> None:
        self._models = models
        self._state = state
        self._seed = TRIALS_A_SEED * seed + trial
        self._cached_roles = cached_roles
        self.usage: dict[str, Usage] = {}
        self._long_prompts: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for model in models.values():
            client = getattr(model.api, "http_client", None)
            if client and refuse_odd_body not in client.event_hooks["response"]:
                client.event_hooks["response"].append(refuse_odd_body)

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
        path = None
        if role in self._cached_roles:
            asked = (system, prompt, list(earlier), schema, max_tokens)
            # Another seed or trial is another call, whatever an earlier one replied.
            whose = (self._seed, self._state.served.get(role))
            path = reply_path(self._models[role], (*asked, *whose))
            if (kept := kept_reply(path)) is not None:
                self._count(role, kept.model).cached_calls += 1
                transcript().info(
                    {"role": role, "prompt": prompt, "reply": kept.text}, source="kept reply"
                )
                return kept
        outages = self._state.outages
        if outages[role] >= OUTAGE_CALLS:
            raise InfrastructureError(
                f"{role}: not called, after {OUTAGE_CALLS} calls in a row had failed.", role=role
            )
        try:
            output = await self._generate(role, system, prompt, schema, max_tokens, earlier)
        except LimitExceededError:
            raise
        except Exception as error:
            if is_context_full(error):
                # Another try could never succeed: the dialog goes on without this reply.
                return Completion("", "context_full")
            # Whatever a provider raises after its retries: the server's fault, or its address's.
            outages[role] += 1
            advice = advise(error, str(self._models[role]))
            raise InfrastructureError(
                f"{role}: {describe_error(error)}. {advice}".rstrip(), role=role
            ) from error
        outages[role] = 0
        usage = self._count(role, output.model, output.usage)
        usage.calls += 1
        usage.uncounted_calls += not _is_counted(output)
        reply = _read(role, output, schema)
        if path is not None and reply.stop == "stop":
            keep_reply(path, reply)
        letters = len(system + prompt + "".join(map("".join, earlier)))
        return replace(reply, notes=reply.notes + self._notes(role, output, letters))

    def _notes(self, role: str, output: ModelOutput, letters: int) -> tuple[tuple[str, str], ...]:
        """What else is to be recorded of a call: what was left out, and a prompt that was cut."""
        kinds = {"response_schema": "schema_refused"}
        notes = [
            (kinds.get(name, "parameter_refused"), f"{role}: the server refuses {name}: left out")
            for name in sorted(self._state.left_out[role] - self._state.without[role])
        ]
        if not _is_counted(output):
            notes.append(("tokens_unknown", f"{role}: the server does not say how many tokens"))
        elif output.usage and letters > LONG_PROMPT:
            tokens = output.usage.input_tokens + (output.usage.input_tokens_cache_read or 0)
            long = self._long_prompts[role] = [
                *self._long_prompts[role][1 - EQUAL_COUNTS :],
                (letters, tokens),
            ]
            lengths, counts = map(set, zip(*long, strict=True))
            if len(lengths) == EQUAL_COUNTS and len(counts) == 1:
                sentence = f"{role}: {tokens} tokens each of prompts of {sorted(lengths)} letters"
                notes.append(("prompt_cut", sentence))
        return tuple(notes)

    def _count(self, role: str, model: str, used: ModelUsage | None = None) -> Usage:
        """Return the usage of a role, to which the tokens of a call were added, if it was one."""
        total = self.usage.setdefault(role, Usage())
        if model and model not in total.served:
            total.served = sorted([*total.served, model])
        if used is not None:
            # Inspect leaves out of the tokens read those that the server had in its cache.
            cached, written = used.input_tokens_cache_read or 0, used.input_tokens_cache_write or 0
            total.input_tokens += used.input_tokens + cached + written
            total.cached_tokens += cached
            total.output_tokens += used.output_tokens
        return total

    async def _generate(
        self,
        role: str,
        system: str,
        prompt: str,
        schema: dict[str, Any] | None,
        max_tokens: int,
        earlier: Sequence[tuple[str, str]],
    ) -> ModelOutput:
        """The model's output; what its server refuses is left out, then and from then on."""
        while True:
            # Of calls at the same time each is refused, and each is to be sent again.
            left_out = set(self._state.left_out[role])
            # A copy: what replies are kept under tells what was chosen, whatever a server takes.
            model = copy(self._models[role])
            if "temperature" in left_out:
                model.config = model.config.model_copy(update={"temperature": None})
            messages = _messages(system, prompt, earlier, "system_role" in left_out)
            try:
                return await model.generate(
                    messages, config=self._configure(role, schema, max_tokens)
                )
            except Exception as error:
                refused = refused_parameter(error)
                if refused is None or refused in left_out:
                    raise
                self._state.left_out[role].add(refused)

    def _configure(
        self, role: str, schema: dict[str, Any] | None, max_tokens: int
    ) -> GenerateConfig:
        left_out, chosen = self._state.left_out[role], self._models[role].config
        limit = chosen.max_tokens or max_tokens
        config = GenerateConfig(max_tokens=limit)
        config.attempt_timeout = chosen.attempt_timeout or SECONDS + limit // TOKENS_A_SECOND
        config.timeout = chosen.timeout or config.attempt_timeout + RETRY_PAUSES
        if "seed" not in left_out:
            config.seed = self._seed % 2**31
        if "max_tokens" in left_out:
            # Servers of reasoning models know it by another name.
            config.max_tokens = None
            config.extra_body = {"max_completion_tokens": limit}
        if schema is not None and "response_schema" not in left_out:
            config.response_schema = _response_schema(json.dumps(schema))
        return config


def _read(role: str, output: ModelOutput, schema: dict[str, Any] | None) -> Completion:
    """The reply in an output, wherever in its message that stands."""
    if not output.choices:
        return Completion("", "reply_empty", model=output.model)
    message, stop = output.message, STOPS.get(output.stop_reason, "stop")
    parts = [] if isinstance(message.content, str) else message.content
    if any(getattr(part, "refusal", None) for part in parts):
        stop = "reply_filtered"
    # In place of a reply that was withheld, providers give the server's message.
    text = "" if stop in WITHHELD else final_text(output.completion)
    if text or stop != "stop":
        return Completion(text, stop, model=output.model)
    others = [(part.reasoning, "its thoughts") for part in parts if part.type == "reasoning"]
    others += [(json.dumps(call.arguments), "a tool call") for call in message.tool_calls or ()]
    for other, place in others if schema is not None else ():
        with suppress(ReplyRefusedError):
            text = json.dumps(read_object(other, schema or {}), ensure_ascii=False)
            notes = (("reply_elsewhere", f"{role}: the reply stood in {place}"),)
            return Completion(text, notes=notes, model=output.model)
    return Completion("", "reply_empty", model=output.model)


def _is_counted(output: ModelOutput) -> bool:
    """Whether a server said how many tokens a call took: no prompt has none, nor has any text.

    A server that refuses a prompt as too long has read none.
    """
    if output.choices and output.stop_reason == "model_length":
        return True
    used = output.usage
    if used is None or used.input_tokens + (used.input_tokens_cache_read or 0) == 0:
        return False
    return used.output_tokens > 0 or not output.completion


def _messages(
    system: str, prompt: str, earlier: Sequence[tuple[str, str]], is_merged: bool
) -> list[ChatMessage]:
    """A chat; the system prompt heads its first message where a server takes no such role."""
    chat: list[ChatMessage] = []
    for asked, said in earlier:
        # Servers refuse empty messages: one empty answer would end every later call.
        chat += [ChatMessageUser(content=asked), ChatMessageAssistant(content=said or "(silent)")]
    chat.append(ChatMessageUser(content=prompt))
    if system and is_merged:
        chat[0] = ChatMessageUser(content=f"{system}\n\n{chat[0].text}")
    elif system:
        chat.insert(0, ChatMessageSystem(content=system))
    return chat


@lru_cache(maxsize=4096)
def _response_schema(schema: str) -> ResponseSchema:
    parsed = JSONSchema.model_validate_json(schema)
    return ResponseSchema(name="reply", json_schema=parsed, strict=True)
