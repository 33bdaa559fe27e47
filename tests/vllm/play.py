"""The vLLM command of docs/models.md, played on the CPU: a tiny model of random weights.

Runs in vLLM's own environment, where inspect starts the server as it does on a GPU. Random weights
write no program that could be used, so ProADA's is scripted; dialog and user models are vLLM's.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benyfits_data.evaluation.agents.proada import ProadaAgent
from benyfits_data.evaluation.codegen.code_rules import KeyType
from benyfits_data.evaluation.codegen.coding import Coder, WrittenProgram, comments_of
from benyfits_data.evaluation.codegen.sandbox import Sandbox
from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.players.interpreters import Interpreter
from benyfits_data.evaluation.results.runs import find_logs, read_runs

GUIDE = Path(__file__).parents[2] / "docs" / "models.md"
OF_GPUS = ("quantization", "gpu_memory_utilization", "kv_cache_dtype")
"""Arguments of the guide that need a GPU, or weights that are not random."""
SCRIPTED = "tests.vllm.play:ScriptedProada"
AGENTS = ("direct", "react", SCRIPTED)
PROGRAM = """def check_eligibility(hh):
    city = hh["lives_in_city"] == "yes"  # "Do you live in New York City?"
    rents = hh["rents"] == "yes"  # "Do you rent your home?"
    people = hh["people"] < 9  # "How many people live with you?"
    age = hh[0]["age"] > 17  # "How old are you?"
    works = hh[0]["works"] == "yes"  # "Do you work?"
    income = hh[0]["income"] < 40_000  # "What do you earn a year?"
    return city and rents and people and age and works and income
"""
TYPES = {
    **dict.fromkeys(("lives_in_city", "rents", "works"), KeyType("choice", ("yes", "no"))),
    **dict.fromkeys(("people", "age", "income"), KeyType("int")),
}


class ScriptedCoder(Coder):
    """Writes the same program for every benefit: one that asks for six facts."""

    async def write(
        self, conversation: Conversation, program: str, known: Mapping[str, KeyType]
    ) -> WrittenProgram:
        """Return the program."""
        return WrittenProgram(PROGRAM, TYPES, comments_of(PROGRAM))


class ScriptedProada:
    """ProADA with a scripted code role."""

    roles = ("dialog", "user")

    async def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return the verdicts that the answers lead to."""
        with Sandbox() as sandbox:
            agent = ProadaAgent(ScriptedCoder(sandbox), Interpreter(), sandbox)
            return await agent.run(conversation)


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


def check_run(agent: str, folder: Path) -> None:
    """Fail unless each dialog ended in verdicts that could be read; ProADA asks for all facts.

    Args:
        agent: The agent that was played.
        folder: Of the logs.

    Raises:
        SystemExit: Something else came of it.
    """
    (run,) = read_runs(find_logs([folder]))
    kinds = {failure.kind for dialog in run.dialogs for failure in dialog.failures}
    # A random model writes no sense, but decoding under a schema always gives a verdict.
    if not run.dialogs or {"agent_failed", "verdict_not_parsed", "schema_refused"} & kinds:
        raise SystemExit(f"{agent}: {len(run.dialogs)} dialogs, failures {sorted(kinds)}")
    for dialog in run.dialogs if agent == SCRIPTED else ():
        if missed := TYPES.keys() - {turn.key for turn in dialog.turns}:
            raise SystemExit(f"{agent}: never asked for {sorted(missed)}, failures {sorted(kinds)}")


def main(model: str) -> None:
    """Play, and check what came of it.

    Args:
        model: Folder of the model.
    """
    for agent in AGENTS:
        with tempfile.TemporaryDirectory() as folder:
            command = documented_command(model, agent, Path(folder))
            subprocess.run([Path(sys.executable).parent / "benyfits-data", *command], check=True)
            check_run(agent, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1])
