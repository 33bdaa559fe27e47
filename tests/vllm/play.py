"""One dialog of each agent against vLLM's OpenAI server: the code path of a GPU."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from benyfits_data.evaluation.conversation import CODE_TOKENS
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.run import run
from benyfits_data.evaluation.run_options import Options
from tests.evaluation.players import example_rows, share_settings

AGENTS = ("random", "direct", "react", "proada", "proada-without-clarity")
PATIENCE = 600.0
"""Seconds the server may take to start."""


def main(python: str, model: str) -> None:
    """Start the server, play, and fail unless every dialog ended in verdicts under a schema.

    Args:
        python: The interpreter of vLLM's environment.
        model: Folder of the model.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    structured = json.dumps({"backend": "xgrammar", "disable_any_whitespace": True})
    command = [python, "-m", "vllm.entrypoints.openai.api_server", "--model", model]
    command += ["--served-model-name", "tiny", "--port", str(port), "--host", "127.0.0.1"]
    command += ["--dtype", "bfloat16", "--max-model-len", "16384", "--enable-prefix-caching"]
    command += ["--structured-outputs-config", structured]
    environment = {**os.environ, "VLLM_CPU_KVCACHE_SPACE": "1"}
    server = subprocess.Popen(command, env=environment)
    try:
        url = f"http://127.0.0.1:{port}/v1"
        _wait(server, url)
        _play(url)
    finally:
        server.terminate()
        server.wait(30)


def _wait(server: "subprocess.Popen[bytes]", url: str) -> None:
    started = time.monotonic()
    while True:
        if server.poll() is not None:
            raise SystemExit(f"vLLM's server ended with {server.returncode}.")
        try:
            urllib.request.urlopen(f"{url}/models", timeout=2).read()
        except (urllib.error.URLError, OSError):
            if time.monotonic() - started > PATIENCE:
                raise SystemExit("vLLM's server did not start in time.") from None
            time.sleep(2)
        else:
            return


def _play(url: str) -> None:
    os.environ.setdefault("VLLM_API_KEY", "local")
    rows = example_rows("IDNYC", limit=1)
    with tempfile.TemporaryDirectory() as folder:
        for agent in AGENTS:
            code = "vllm/tiny" if agent == "proada" else "reference"
            roles = choose_roles(models="vllm/tiny", code=code)
            options = Options(
                agent=agent,
                roles=roles,
                settings=share_settings(roles, base_url=url),
                timeout=300,
                log_dir=Path(folder) / agent,
            )
            (dialog,) = run("vllm", rows, options)
            kinds = sorted({failure.kind for failure in dialog.failures})
            calls = sum(usage.calls for usage in dialog.usage.values())
            sys.stdout.write(
                f"{agent}: {len(dialog.turns)} turns, {calls} calls, verdicts {dialog.verdicts}, "
                f"failures {kinds}\n"
            )
            sys.stdout.flush()
            # A random model writes no sense, but decoding under a schema always gives a verdict.
            if {"agent_failed", "verdict_not_parsed"} & set(kinds):
                raise SystemExit(f"{agent}: {dialog.failures}")
    sys.stdout.write(f"every agent played one dialog (programs up to {CODE_TOKENS} tokens)\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
