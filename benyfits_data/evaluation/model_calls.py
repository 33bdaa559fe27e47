"""How prompts reach the models of inspect, and what of an outage is kept apart from a reply."""

import hashlib
import json
import re
import socket
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

import anyio
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
from benyfits_data.evaluation.agents import used_roles
from benyfits_data.evaluation.conversation import Completion, InfrastructureError, StopKind
from benyfits_data.evaluation.record import Usage
from benyfits_data.evaluation.replies import (
    ReplyRefusedError,
    clean_text,
    final_text,
    is_under,
    one_property,
    read_object,
)
from benyfits_data.evaluation.run_manifest import describe_config
from benyfits_data.evaluation.run_options import PARAMETERS, Options, Parameter, make_models
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

LONGEST_SENTENCE = 300
REFUSALS = (400, 404, 405, 413, 415, 422, 424, 500, 501)
"""HTTP statuses under which servers refuse a call for what it holds. 429 and 5xx else: outages."""

_CONTEXT = re.compile(
    r"context.{0,3}(?:length|window|size|limit|the overflows)|\bn_ctx|max_model_len|max_seq_len"
    r"|session_len|maximum (?:model|prompt|input) length|kv cache|too (?:long|many.{0,7} tokens)"
    r"|(?:prompt|input|token count)\b.*\bexceeds|reduce the length|`inputs`",
    re.IGNORECASE,
)
_RATE = re.compile(r"per (?:second|minute|hour|day)|rate.?limit|\bTPM\b|quota", re.IGNORECASE)
_NAMED: Mapping[Parameter, re.Pattern[str]] = {
    "system_role": re.compile(
        r"\b(?:system|developer)\W+(?:role|message|prompt|instruction)|\broles?\b", re.IGNORECASE
    ),
    "response_schema": re.compile(r"response_format|schema|guided|grammar|json mode", re.I),
    "seed": re.compile(r"\bseed\b", re.IGNORECASE),
    "temperature": re.compile(r"\btemperature\b", re.IGNORECASE),
    "max_tokens": re.compile(r"max(?:imum)?[_ ](?:\w+[_ ])?tokens", re.IGNORECASE),
}
"""By which words a refusal names each, in the order in which they are looked for."""
_SENTENCES = ("metadata", "raw", "message", "error", "detail", "msg", "errors")
"""Where servers put the sentence, and proxies that of the server behind them."""
FIRST_RETRIES, FIRST_TOKENS = 1, 32
"""Of the short call before a run: where nobody listens, it says so within seconds."""
READY = one_property("ready", {"type": "boolean"})
"""It asks for another reply than the prompt: only a server that decodes under it gives that."""


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


# What a server's refusal means


def find_status(error: BaseException) -> int | None:
    """Return the HTTP status behind what a provider raised, or `None`."""
    for cause in _causes(error):
        response = getattr(cause, "response", None)
        for owner, name in ((cause, "status_code"), (cause, "code"), (response, "status_code")):
            status = getattr(owner, name, None)
            if isinstance(status, int) and status >= HTTPStatus.BAD_REQUEST:
                return status
    return None


def describe_error(error: BaseException) -> str:
    """Return an error of a provider in one line: the server's own sentence, where it sent one."""
    status = find_status(error)
    if status is not None:
        return f"{_sentence(error) or 'no reason given'} (HTTP {status})"
    last = [*_causes(error)][-1]
    text = clean_text(" ".join(str(last).split()), LONGEST_SENTENCE)
    return f"{type(last).__name__}: {text}" if text else type(last).__name__


def advise(error: BaseException, model: str) -> str:
    """Return what to do about an error of a provider, as a sentence; empty where nobody knows.

    Args:
        error: What it raised.
        model: The name of the model that was asked.
    """
    sentence, status = _sentence(error), find_status(error)
    if re.search(r"\bstream\b", sentence, re.IGNORECASE):
        return "Give -M stream=true."
    if model.startswith("openai/") and status in (404, 405, 501):
        return "A server that lacks OpenAI's Responses API is named openai-api/SERVER/MODEL."
    if _NAMED["max_tokens"].search(sentence):
        return "Give --max-tokens as the server allows it."
    if status in REFUSALS:
        return f"What a server refuses is left out with --without {','.join(PARAMETERS)}."
    if isinstance([*_causes(error)][-1], ConnectionRefusedError | socket.gaierror):
        return "Start the server, or mend --base-url."
    if any("Timeout" in type(cause).__name__ for cause in _causes(error)):
        return "Give --timeout more seconds, or --concurrency fewer dialogs."
    return ""


def is_context_full(error: BaseException) -> bool:
    """Return whether a call was refused because prompt and reply do not fit the model's context."""
    sentence = _sentence(error)
    is_refused = find_status(error) in REFUSALS and not _RATE.search(sentence)
    return is_refused and bool(_CONTEXT.search(sentence))


def refused_parameter(error: BaseException) -> Parameter | None:
    """Return what of a call a server refuses, of what a call can do without; `None` if nothing."""
    if find_status(error) not in REFUSALS or is_context_full(error):
        return None
    sentence = _sentence(error)
    return next((name for name, words in _NAMED.items() if words.search(sentence)), None)


async def refuse_odd_body(response: Any) -> None:
    """Give a response that is no chat completion the status of an error, so that it is shown.

    Args:
        response: A response of an HTTP client to a call that was not to be streamed.
    """
    kind = response.headers.get("content-type", "")
    is_chat = response.url.path.endswith("/chat/completions") and "event-stream" not in kind
    if response.status_code != HTTPStatus.OK or not is_chat:
        return
    try:
        body = json.loads(await response.aread())
    except ValueError:
        body = None
    if not _is_completion(body):
        # An error may pass, so clients try again; they do not where such a body is not acceptable.
        sent = body.get("error") if isinstance(body, dict) else None
        code = sent.get("code") if isinstance(sent, dict) else None
        is_status = isinstance(code, int) and code >= HTTPStatus.BAD_REQUEST
        other = HTTPStatus.BAD_GATEWAY if sent else HTTPStatus.NOT_ACCEPTABLE
        response.status_code = code if is_status else other


def _is_completion(body: Any) -> bool:
    """Whether a body holds what clients rely on: messages of text, and whole numbers of tokens."""
    if not isinstance(body, dict) or not isinstance(body.get("choices"), list):
        return False
    messages = [part.get("message") for part in body["choices"] if isinstance(part, dict)]
    said = [part.get("content") for part in messages if isinstance(part, dict)]
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    usage = body.get("usage") or dict.fromkeys(names, 0)
    return (
        len(said) == len(body["choices"])
        and all(isinstance(text, str | None) for text in said)
        and all(isinstance(usage.get(name), int) for name in names)
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what lies behind it; what was tried last, where retries wrap it."""
    cause: BaseException | None = error
    seen: list[BaseException] = []
    while cause is not None and cause not in seen:
        seen.append(cause)
        yield cause
        attempt = getattr(cause, "last_attempt", None)
        tried = attempt.exception() if attempt is not None else None
        cause = tried or cause.__cause__ or cause.__context__


def _sentence(error: BaseException) -> str:
    """What the server said, on one line."""
    causes = list(_causes(error))
    responses = [getattr(cause, "response", None) for cause in causes]
    texts = [getattr(response, "text", None) for response in responses]
    bodies = [*(getattr(cause, "body", None) for cause in causes), *texts]
    body = next(filter(None, bodies), "")
    return clean_text(" ".join(_words(body).split()), LONGEST_SENTENCE)


def _words(body: Any) -> str:
    """The sentence in a body, or all of it where it has none."""
    if isinstance(body, list):
        return "; ".join(map(_words, body))
    if not isinstance(body, str | Mapping):
        return json.dumps(body)
    if isinstance(body, Mapping):
        said = next((body[name] for name in _SENTENCES if body.get(name)), None)
        place = ".".join(map(str, body["loc"])) + ": " if isinstance(body.get("loc"), list) else ""
        return json.dumps(body) if said is None else place + _words(said)
    with suppress(ValueError):
        return _words(json.loads(body))
    return re.sub(r"<[^>]+>", " ", body)


# Before a run


def check_models(options: Options, warn: Callable[[str], object]) -> dict[str, str]:
    """Return the model that replied to one short call, by role, as its server names it.

    Args:
        options: How the run will be played.
        warn: Is told, in a sentence, of a server that does not hold replies to a schema.

    Raises:
        EvaluationError: A model does not answer.
    """

    async def check_all() -> dict[str, str]:
        return {
            role: await _check_model(role, model, options, warn)
            for role, model in make_models(options, retries=FIRST_RETRIES).items()
            if role in used_roles(options.agent)
        }

    return anyio.run(check_all)


async def _check_model(
    role: str, model: Any, options: Options, warn: Callable[[str], object]
) -> str:
    address = getattr(model.api, "base_url", None)
    name = options.roles[role] + (f" at {address}" if address else "")
    state = ServerState.of(options.describe_roles())
    models = InspectModels({role: model}, state, options.seed, cached_roles=frozenset())
    schema = None if role == "user" else READY
    try:
        reply = await models.complete(role, "", "Reply with OK.", schema, FIRST_TOKENS)
    except InfrastructureError as error:
        raise EvaluationError(
            f"{name} does not answer. {error} Nothing was played.", role=role
        ) from error
    if schema and reply.stop == "stop" and not is_under(reply.text, schema):
        warn(
            f"{role}: {name} does not hold replies to a JSON schema. A reply in another form "
            "counts as a failure."
        )
    return "+".join(models.usage[role].served)
