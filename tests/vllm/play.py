"""The vLLM command of docs/models.md, played on the CPU: a tiny model of random weights.

Runs in vLLM's own environment, where inspect starts the server as it does on a GPU.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from benyfits_data.evaluation.results.runs import find_logs, read_runs

GUIDE = Path(__file__).parents[2] / "docs" / "models.md"
OF_GPUS = ("quantization", "gpu_memory_utilization", "kv_cache_dtype")
"""Arguments of the guide that need a GPU, or weights that are not random."""
AGENTS = ("direct", "react", "proada")


def documented_command(model: str, agent: str, folder: Path) -> list[str]:
    """Return the arguments of the guide's command, for one dialog of an agent with another model.

    Args:
        model: Folder of the model.
        agent: The agent.
        folder: Of the logs.
    """
    (block,) = re.findall(r"```sh needs=gpu\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    (line,) = re.findall(r"^benyfits-data (eval .*)$", block.replace("\\\n", " "), re.MULTILINE)
    words = iter(shlex.split(line))
    command = []
    for word in words:
        if word == "-M":
            argument = next(words)
            if argument.partition("=")[0] not in OF_GPUS:
                command += ["-M", argument]
        else:
            command.append(f"vllm/{model}" if word.startswith("vllm/") else word)
    command += ["-M", "load_format=dummy", "-M", "dtype=bfloat16"]
    # Its tokens are bytes: prompts are four times as long. Of what is given twice the last counts.
    command += ["-M", "max_model_len=65536"]
    # This engine rewinds the random numbers of a seed when it cuts a prompt, and dies of that.
    command += ["--without", "seed"]
    return [*command, "--agent", agent, "--trials", "1", "--limit", "1", "--log-dir", str(folder)]


def main(model: str) -> None:
    """Play, and fail unless every dialog ended in verdicts that could be read.

    Args:
        model: Folder of the model.
    """
    for agent in AGENTS:
        with tempfile.TemporaryDirectory() as folder:
            command = documented_command(model, agent, Path(folder))
            subprocess.run([Path(sys.executable).parent / "benyfits-data", *command], check=True)
            (run,) = read_runs(find_logs([Path(folder)]))
        kinds = {failure.kind for dialog in run.dialogs for failure in dialog.failures}
        # A random model writes no sense, but decoding under a schema always gives a verdict.
        if not run.dialogs or {"agent_failed", "verdict_not_parsed", "schema_refused"} & kinds:
            raise SystemExit(f"{agent}: {len(run.dialogs)} dialogs, failures {sorted(kinds)}")


if __name__ == "__main__":
    main(sys.argv[1])
