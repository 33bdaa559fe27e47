"""The vLLM command of the guide, played through inspect's provider; the server is a stand-in."""

import json
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from unittest.mock import Mock

import pytest

from tests.commands import invoke
from tests.evaluation.players import example_rows
from tests.evaluation.server import Reply, Server, play_dialog
from tests.evaluation.test_results import write_dataset
from tests.vllm.play import OF_GPUS, SCRIPTED, TYPES, check_run, documented_command


def talk(request, number):
    """Play both roles of vLLM's: values under the schema, and answers to suggested questions."""
    schema = request.get("response_format", {}).get("json_schema", {}).get("schema", {})
    if "value" in schema.get("properties", ()):
        words = schema["properties"]["value"].get("enum")
        return Reply(json.dumps({"value": words[0] if words else 7}))
    return play_dialog(request)


@pytest.mark.parametrize("agent", ["direct", SCRIPTED])
def test_the_documented_command_starts_one_vllm_and_plays_it(tmp_path, monkeypatch, agent):
    vllm = ModuleType("vllm")
    vllm.__spec__ = ModuleSpec("vllm", None)
    monkeypatch.setitem(sys.modules, "vllm", vllm)
    monkeypatch.delenv("VLLM_BASE_URL", raising=False)
    data = write_dataset(tmp_path / "rows.jsonl", example_rows("FairFaresNYC", limit=2))
    # Of each name inspect remembers the server.
    model = f"tiny-{agent.rpartition(':')[2]}"
    command = documented_command(model, agent, tmp_path / "logs")
    with Server(talk) as server:
        started = Mock(return_value=(server.url, None, 1))
        monkeypatch.setattr("inspect_ai.model._providers.vllm.start_local_server", started)
        done = invoke(*command, "--dataset", data)
    assert done.exit_code == 0, done.output
    # Preflight and run share it.
    (call,) = started.call_args_list
    assert call.args[0][:5] == ["vllm", "serve", model, "--host", "127.0.0.1"]
    given = call.kwargs["server_args"]
    assert (given["load_format"], given["enable_prefix_caching"]) == ("dummy", True)
    assert json.loads(given["structured_outputs_config"])["disable_any_whitespace"] is True
    assert not given.keys() & {*OF_GPUS}
    assert server.requests[-1]["temperature"] == 0.7
    check_run(agent, tmp_path / "logs")
    if agent == SCRIPTED:
        monkeypatch.setitem(TYPES, "shoe_size", TYPES["age"])
        with pytest.raises(SystemExit, match=r"never asked for .*shoe_size"):
            check_run(agent, tmp_path / "logs")
