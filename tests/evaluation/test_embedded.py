"""Real inference: SmolLM2 on the CPU, under constrained decoding."""

import hashlib
import json
from functools import partial

import anyio
import pytest
from inspect_ai.model import get_model

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.conversation import Completion, InfrastructureError
from benyfits_data.evaluation.model_calls import InspectModels, ServerState
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.players import embedded
from benyfits_data.evaluation.run_options import Options
from tests.evaluation.players import example_rows, run

SMOLLM2 = "embedded/smollm2"

SMALL = choose_roles(dialog="embedded/smollm2")


def outside_the_city():
    """One household for which the first fact decides: a short dialog for a slow model."""
    rows = example_rows("FairFaresNYC")
    return [row for row in rows if row.household["place_of_residence"] != "New York City"][:1]


def test_a_model_file_with_another_digest_is_refused(tmp_path):
    (tmp_path / embedded.FILE_NAME).write_bytes(b"something else")
    found = hashlib.sha256(b"something else").hexdigest()
    with pytest.raises(EvaluationError, match=f"has SHA-256 {found}, expected {embedded.SHA256}"):
        embedded.fetch_smollm2(tmp_path)


def test_a_missing_gguf_file_is_explained():
    from benyfits_data.evaluation.players.embedded import EmbeddedAPI

    with pytest.raises(EvaluationError, match="no GGUF file there"):
        EmbeddedAPI("/no/such/file.gguf")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "holds"),
    [
        ({"type": "boolean"}, lambda value: isinstance(value, bool)),
        ({"enum": ["rent", "own", "neither"]}, lambda value: value in ("rent", "own", "neither")),
        (
            {"anyOf": [{"type": "integer"}, {"enum": ["unknown"]}]},
            lambda value: isinstance(value, int) or value == "unknown",
        ),
    ],
)
def test_smollm2_replies_under_a_schema(schema, holds):
    from benyfits_data.evaluation.players import embedded  # noqa: F401 - registers the provider
    from benyfits_data.evaluation.replies import one_property

    models = InspectModels({"dialog": get_model(SMOLLM2)}, ServerState(), cached_roles=frozenset())
    reply = anyio.run(
        models.complete,
        "dialog",
        "",
        "Tell me a long story about your home.",
        one_property("value", schema),
        40,
    )
    assert holds(json.loads(reply.text)["value"]), reply.text


@pytest.mark.parametrize(
    ("error", "message", "told"),
    [
        ("exceed_context_size_error", "too many tokens", "context_full"),
        ("broken", "no memory left", None),
    ],
)
def test_a_prompt_longer_than_the_context_is_no_outage(monkeypatch, error, message, told):
    from benyfits_data.evaluation.players import embedded

    class Refusing:
        def handle_chat_completions(self, request):
            return {"error": {"type": error, "message": message}}

    monkeypatch.setattr(embedded, "_server", lambda name: Refusing())
    models = InspectModels({"user": get_model(SMOLLM2)}, ServerState(), cached_roles=frozenset())
    call = partial(models.complete, "user", "", "How old are you?", None, 40)
    if told is None:
        with pytest.raises(InfrastructureError, match=message):
            anyio.run(call)
        return
    assert anyio.run(call) == Completion("", told, model=SMOLLM2)


@pytest.mark.slow
def test_a_whole_dialog_is_played_by_smollm2(tmp_path):
    (dialog,) = run("diverse", outside_the_city(), Options(roles=SMALL, log_dir=tmp_path))
    assert dialog.roles["dialog"] == SMOLLM2
    assert dialog.turns
    assert dialog.verdicts.keys() == dialog.labels.keys()
    assert dialog.usage["dialog"].calls >= len(dialog.turns)
    assert dialog.usage["dialog"].output_tokens > 0
    # Questions come from the model; values were decoded under the type of each key.
    stored = {turn.key: turn.value for turn in dialog.turns if turn.value not in (None, "unknown")}
    assert all(value.isdigit() for key, value in stored.items() if key != "place_of_residence")


@pytest.mark.slow
def test_direct_prompting_with_smollm2_ends_in_verdicts(tmp_path):
    rows = outside_the_city()
    roles = choose_roles(dialog=SMOLLM2)
    options = Options(agent="direct", roles=roles, log_dir=tmp_path)
    (dialog,) = run("diverse", rows, options)
    assert not [f for f in dialog.failures if f.kind == "verdict_not_parsed"]
