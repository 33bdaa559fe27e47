"""What relation, age and sex settle is not asked by whoever asks for facts."""

import anyio
import pytest

from benyfits_data.evaluation.fact_answers import FactAnswer, SettledFacts
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.reading import DialogReading
from benyfits_data.evaluation.run_options import Options
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.typed import NOTHING
from tests.evaluation.players import example_rows, family, run, talk

BABY = {("relation", 1): "child", ("age", 1): 0}
SON = {("relation", 1): "child", ("sex", 1): "male"}
ALONE = {(MEMBERS_KEY, None): 1}
WITH_FRIEND = {(MEMBERS_KEY, None): 2, ("relation", 1): "friend"}
WITH_SPOUSE = {(MEMBERS_KEY, None): 2, ("relation", 1): "spouse"}


def settled_by(told):
    settled = SettledFacts()
    for (fact, member), value in told.items():
        settled.learn(fact, member, value)
    return settled


@pytest.mark.parametrize(
    ("told", "fact", "member", "value"),
    [
        (BABY, "work_hours_per_week", 1, 0),
        (BABY, "annual_work_income", 1, 0),
        (BABY, "work_hours_per_week", 0, NOTHING),
        (SON, "weeks_pregnant", 1, None),
        (SON, "months_pregnant", 1, None),
        (SON, "weeks_pregnant", 0, NOTHING),
        ({("age", 0): 80}, "weeks_pregnant", 0, None),
        (ALONE, "filing_jointly", None, False),
        (WITH_FRIEND, "filing_jointly", None, False),
        (WITH_SPOUSE, "filing_jointly", None, NOTHING),
        ({}, "filing_jointly", None, NOTHING),
        (ALONE, "tenure", None, NOTHING),
        (ALONE, "favourite_colour", 0, NOTHING),
        # What was told is asked again where an agent wishes to.
        (BABY, "age", 1, NOTHING),
        # What no fact may be settles nothing.
        (
            {("age", 0): "young", ("sex", 0): "yes", (MEMBERS_KEY, None): "x"},
            "disabled",
            0,
            NOTHING,
        ),
        # Nor do members of whom nothing was told.
        ({(MEMBERS_KEY, None): 40}, "filing_jointly", None, NOTHING),
    ],
)
def test_a_fact_is_settled_where_it_can_have_one_value(told, fact, member, value):
    assert settled_by(told).value(fact, member) is value


def test_whoever_asks_for_facts_gets_settled_ones_without_a_turn():
    home = family()
    conversation = talk(user=DialogReading(home))

    async def ask_all():
        hours = await conversation.ask_fact("work_hours_per_week", member=2)
        await conversation.ask_fact("age", member=2)
        return hours, await conversation.ask_fact("work_hours_per_week", member=2)

    before, after = anyio.run(ask_all)
    assert (before.value, after) == (0, FactAnswer("", 0, is_told=True))
    assert len(conversation.turns) == 2


def test_proada_asks_no_joint_return_of_who_lives_alone_and_is_right(tmp_path, monkeypatch):
    rows = example_rows("EarnedIncomeTaxCredit", limit=2)
    asked = {}
    for is_on in (True, False):
        if not is_on:
            monkeypatch.setattr(SettledFacts, "value", lambda *fact: NOTHING)
        options = Options("proada", choose_roles(), log_dir=tmp_path / str(is_on))
        asked[is_on] = run("diverse", rows, options)
        assert all(dialog.verdicts == dialog.labels for dialog in asked[is_on])
    few, many = (sum(len(dialog.turns) for dialog in asked[is_on]) for is_on in (True, False))
    assert few < many
