"""Real inference: SmolLM2 on the CPU, served by llama.cpp, under constrained decoding."""

import hashlib
import json
from dataclasses import replace

import anyio
import pytest

from benyfits_data.evaluation.model_calls import InspectModels, ServerState
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.planned import load_rows
from benyfits_data.evaluation.replies import one_property
from benyfits_data.evaluation.run_options import Options, make_models
from benyfits_data.evaluation.studies import answer_reading, user_answers
from benyfits_data.recorded import unpack
from benyfits_data.understanding.claims import VALUE_SCHEMA
from benyfits_data.understanding.facts import items_schema
from tests import small_model
from tests.evaluation.players import example_rows, run
from tests.small_model import NAME

PATIENCE = 3600
"""Seconds a reply may take: on a busy machine a long prompt takes minutes to read."""
OPTIONS = Options(roles=choose_roles(dialog=NAME), concurrency=1, timeout=PATIENCE)
# One server for all; it takes a while to load.
one_server = pytest.mark.xdist_group("small model")


@pytest.fixture(scope="module")
def settings():
    server, settings = small_model.serve()
    yield settings
    del server


@pytest.fixture
def models(settings):
    made = make_models(replace(OPTIONS, settings=settings))
    return InspectModels(made, ServerState(), cached_roles=frozenset())


def play(settings, folder, **more):
    """One dialog about a household for which the first fact decides: a short one."""
    rows = example_rows("FairFaresNYC")
    rows = [row for row in rows if row.household["place_of_residence"] != "New York City"][:1]
    options = replace(OPTIONS, settings=settings, log_dir=folder, **more)
    (dialog,) = run("diverse", rows, options)
    return dialog


def test_a_model_file_with_another_digest_is_refused(tmp_path):
    (tmp_path / small_model.FILE_NAME).write_bytes(b"something else")
    found = hashlib.sha256(b"something else").hexdigest()
    with pytest.raises(ValueError, match=f"has SHA-256 {found}, expected {small_model.SHA256}"):
        small_model.fetch(tmp_path)


@pytest.mark.slow
@one_server
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
def test_it_replies_under_a_schema(models, schema, holds):
    story, wanted = "Tell me a long story about your home.", one_property("value", schema)
    reply = anyio.run(models.complete, "dialog", "", story, wanted, 40)
    assert holds(json.loads(reply.text)["value"]), reply.text


@pytest.mark.slow
@one_server
def test_a_prompt_longer_than_the_context_is_no_outage(models):
    prompt = "How old are you? " * small_model.CONTEXT_TOKENS
    reply = anyio.run(models.complete, "dialog", "", prompt, None, 40)
    assert (reply.text, reply.stop) == ("", "context_full")


@pytest.mark.slow
@one_server
def test_a_whole_dialog_is_played(settings, tmp_path):
    dialog = play(settings, tmp_path)
    assert dialog.roles["dialog"] == NAME
    assert dialog.turns
    assert dialog.verdicts.keys() == dialog.labels.keys()
    assert dialog.usage["dialog"].calls >= len(dialog.turns)
    assert dialog.usage["dialog"].output_tokens > 0
    # Questions come from the model; values were decoded under the type of each key.
    stored = {turn.key: turn.value for turn in dialog.turns if turn.value not in (None, "unknown")}
    assert all(value.isdigit() for key, value in stored.items() if key != "place_of_residence")


@pytest.mark.slow
@one_server
def test_direct_prompting_ends_in_verdicts(settings, tmp_path):
    dialog = play(settings, tmp_path, agent="direct")
    assert not [f for f in dialog.failures if f.kind == "verdict_not_parsed"]


@pytest.mark.slow
@one_server
def test_it_reads_answers_and_gives_them(settings, monkeypatch):
    items = [it for it in answer_reading.load_items() if it.answer in ("34", "renter")]
    monkeypatch.setattr(answer_reading, "load_items", lambda: items)
    reader = replace(OPTIONS, settings=settings)
    age, tenure = answer_reading.read_answers(reader)
    # Decoded under each key's schema: a whole number or no value, one of the words or no value.
    assert age["read"].isdigit() or age["read"] == "NOTHING"
    assert tenure["read"] in ("owner", "renter", "rent-free", "no home", "NOTHING")
    short = load_rows(unpack("representative"), profiles="short")
    roles = choose_roles(user=NAME, reader="none")
    user = replace(OPTIONS, roles=roles, settings=settings)
    (given,) = user_answers.answer_questions(short, 1, user)
    assert given["answer"]


@pytest.mark.slow
@one_server
@pytest.mark.parametrize("more", [{}, {"value": VALUE_SCHEMA}])
def test_it_replies_under_the_readers_schemas(models, more):
    wanted = one_property("asks", items_schema(4, **more))
    reply = anyio.run(models.complete, "dialog", "", "Ben Cruz is 36.", wanted, 60)
    # Such a model may never end, but what it begins with is what was asked for; none is refused.
    assert "".join(reply.text.split()).startswith('{"' + next(iter(wanted["properties"])))
    assert reply.notes == ()
