"""The `compatible/<service>/<model>` provider: any server that speaks OpenAI's chat completions.

It does what inspect's own `openai-api/<service>/<model>` does for messages of text, at a fraction
of the processor time per call, so that hundreds of dialogs at once wait for the server and not
for each other. Replies are read into plain data instead of the client library's objects.
"""

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass
from weakref import WeakKeyDictionary

import aiohttp
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    RetryDecision,
    StopReason,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.precedence import away

CONNECT_SECONDS = 60
IDLE_SECONDS = 15
"""How long an unused connection is kept; servers tend to close theirs after longer."""

_TOO_MANY = 429
_TIMED_OUT = 408
_SERVER_ERROR = 500
_SENT_AS_IS = (
    "max_tokens",
    "temperature",
    "top_p",
    "seed",
    "frequency_penalty",
    "presence_penalty",
    "logit_bias",
    "reasoning_effort",
)
_STOPS: dict[str, StopReason] = {"length": "max_tokens", "content_filter": "content_filter"}


class ServerReplyError(EvaluationError):
    """A server answered with an error, or with something that is no chat completion.

    Attributes:
        status_code: The HTTP status.
        message: What it said, shortened.
    """

    def __init__(self, status_code: int, message: str) -> None:
        super().__init__(f"HTTP {status_code}: {message[:300]}", status_code=status_code)
        self.status_code = status_code
        self.message = message


@modelapi(name="compatible")
class CompatibleAPI(ModelAPI):
    """A model behind an OpenAI-compatible server.

    Args:
        model_name: `<service>/<model>`; the service names the two settings below.
        base_url: Address that ends in `/v1`; `<SERVICE>_BASE_URL` if not given.
        api_key: The key; `<SERVICE>_API_KEY` if not given. A server without keys needs none.
        config: Defaults of generation.
        model_args: Sent with every request, such as `top_k`.

    Attributes:
        makes_room: It lets other dialogs go on while it waits for the server.

    Raises:
        EvaluationError: The name has no service, or there is no address.
    """

    makes_room = True

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the base class's own default
        **model_args: Any,
    ) -> None:
        service, slash, self.served_name = model_name.partition("/")
        if not slash:
            raise EvaluationError(
                f"compatible/{model_name}: expected compatible/<service>/<model>, such as "
                f"compatible/local/{model_name}.",
                found=model_name,
            )
        prefix = service.upper().replace("-", "_")
        super().__init__(model_name, base_url, api_key, [f"{prefix}_API_KEY"], config)
        self.api_key = self.api_key or os.environ.get(f"{prefix}_API_KEY")
        self.base_url = self.base_url or os.environ.get(f"{prefix}_BASE_URL")
        if not self.base_url:
            raise EvaluationError(
                f"compatible/{model_name} needs the address of its server: give --base-url or "
                f"set {prefix}_BASE_URL.",
                service=service,
            )
        self.model_args = model_args
        self._url = self.base_url.rstrip("/") + "/chat/completions"
        self._headers = {"Content-Type": "application/json"}
        if self.api_key:
            self._headers["Authorization"] = f"Bearer {self.api_key}"
        self._sessions: WeakKeyDictionary[
            asyncio.AbstractEventLoop, tuple[aiohttp.ClientSession, AsyncGenerator[Any, None]]
        ] = WeakKeyDictionary()

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Return the server's reply; decoding follows the response schema if there is one.

        Args:
            input: The messages; only their text is sent.
            tools: Not used by this benchmark.
            tool_choice: Not used by this benchmark.
            config: How to decode.

        Raises:
            ServerReplyError: The server answered with an error, or with no chat completion.
        """
        request = {
            "model": self.served_name,
            "messages": [{"role": message.role, "content": message.text} for message in input],
            **_decoding(config),
            **self.model_args,
        }
        headers = {**self._headers, **(config.extra_headers or {})}
        session = await self._session()
        data = json.dumps(request)
        async with away(), session.post(self._url, data=data, headers=headers) as response:
            body = await response.read()
            if not response.ok:
                raise ServerReplyError(response.status, body.decode(errors="replace"))
        try:
            return _read(json.loads(body), self.served_name)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            found = body.decode(errors="replace")
            raise ServerReplyError(
                response.status, f"expected a chat completion, found {found!r}"
            ) from error

    def should_retry(self, ex: BaseException) -> RetryDecision:
        """Return whether another attempt may succeed.

        Args:
            ex: What an attempt raised.
        """
        if isinstance(ex, ServerReplyError):
            if ex.status_code == _TOO_MANY:
                return RetryDecision.rate_limit()
            is_passing = ex.status_code == _TIMED_OUT or ex.status_code >= _SERVER_ERROR
            # A proxy that is starting up answers with a page and status 200.
            return RetryDecision.transient() if is_passing or ex.status_code < 300 else _GIVE_UP
        is_network = isinstance(ex, aiohttp.ClientError | OSError)
        return RetryDecision.transient() if is_network else _GIVE_UP

    def connection_key(self) -> str:
        """Return the identity under which requests are counted."""
        return f"{self._url} {self.model_name}"

    async def _session(self) -> aiohttp.ClientSession:
        """The connections of the running event loop, which cannot be used from another one."""
        loop = asyncio.get_running_loop()
        if loop not in self._sessions:
            opened = _open_session(self._url)
            self._sessions[loop] = await anext(opened), opened
        return self._sessions[loop][0]


_GIVE_UP = RetryDecision.no()


async def _open_session(url: str) -> AsyncGenerator[aiohttp.ClientSession, None]:
    """Yield a session; inspect closes no models, but a loop that ends closes its generators."""
    address = urlsplit(url)
    bypass = proxy_bypass(address.hostname or "")
    async with aiohttp.ClientSession(
        # How many requests are under way is inspect's to say.
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE_SECONDS),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
        cookie_jar=aiohttp.DummyCookieJar(),
        proxy=None if bypass else getproxies().get(address.scheme),
    ) as session:
        yield session


def _decoding(config: GenerateConfig) -> dict[str, Any]:
    params: dict[str, Any] = {}
    for name in _SENT_AS_IS:
        value = getattr(config, name)
        if value is not None:
            params[name] = value
    if config.stop_seqs:
        params["stop"] = config.stop_seqs
    if config.response_schema:
        params["response_format"] = {
            "type": "json_schema",
            "json_schema": {
                "name": config.response_schema.name,
                "schema": config.response_schema.json_schema.model_dump(exclude_none=True),
                "strict": config.response_schema.strict,
            },
        }
    return params | (config.extra_body or {})


def _read(reply: dict[str, Any], model: str) -> ModelOutput:
    choice = reply["choices"][0]
    message = choice["message"]
    content = message.get("content") or message.get("refusal") or ""
    thoughts = message.get("reasoning_content") or message.get("reasoning")
    if not thoughts and content.lstrip().startswith("<think>"):
        thoughts, _, content = content.lstrip().removeprefix("<think>").partition("</think>")
    said = ChatMessageAssistant(
        content=[ContentReasoning(reasoning=thoughts.strip()), ContentText(text=content.strip())]
        if thoughts
        else content,
        model=model,
        source="generate",
    )
    stopped = _STOPS.get(choice.get("finish_reason") or "", "stop")
    return ModelOutput(
        model=reply.get("model") or model,
        choices=[ChatCompletionChoice(message=said, stop_reason=stopped)],
        usage=_read_usage(reply.get("usage") or {}),
    )


def _read_usage(usage: dict[str, Any]) -> ModelUsage:
    details = usage.get("prompt_tokens_details") or {}
    cached = details.get("cached_tokens") or 0
    return ModelUsage(
        input_tokens=usage.get("prompt_tokens", 0) - cached,
        output_tokens=usage.get("completion_tokens", 0),
        total_tokens=usage.get("total_tokens", 0),
        input_tokens_cache_read=cached or None,
    )
