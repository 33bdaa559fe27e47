"""Planned ProADA: ProADA's verdicts in fewer turns, with right, wrong and unfit programs."""

import anyio
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.agents.proada import ProadaAgent
from benyfits_data.evaluation.agents.proada_planned import ProadaPlannedAgent
from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.planned import load_rows
from benyfits_data.evaluation.players.reference_players import (
    ReferenceCoder,
    ReferenceInterpreter,
)
from benyfits_data.evaluation.players.users import GroundedUser
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.recorded import unpack
from benyfits_data.evaluation.run_options import Options
from benyfits_data.household.model import Household
from benyfits_data.rng import stream
from tests.evaluation.mixed_coder import MixedCoder
from tests.evaluation.players import (
    EDITION,
    QueueModels,
    QueueUser,
    example_rows,
    family,
    run,
    talk,
)

PROGRAMS = ("FairFaresNYC", "HeadStart", "IDNYC")
RULES = load_edition(EDITION).programs


def hold(sandbox, make, coder, programs, household, limit=1000):
    """One dialog with the reference user, and its verdicts."""
    conversation = Conversation(
        programs, dict.fromkeys(programs, ""), GroundedUser(household), QueueModels([]),
        Prompts(), stream(0, "test"), EDITION, limit=limit,
    )  # fmt: skip
    agent = make(coder(RULES, sandbox), ReferenceInterpreter(RULES), sandbox)
    return conversation, anyio.run(agent.run, conversation)


def compare(sandbox, coder, rows, limit=1000):
    """Turns of ProADA and of planned ProADA, and the pairs whose verdicts differ."""
    turns, differing = [], []
    for row in rows:
        household = Household.from_facts(row.household)
        plain, first = hold(sandbox, ProadaAgent, coder, row.programs, household, limit)
        planned, second = hold(sandbox, ProadaPlannedAgent, coder, row.programs, household, limit)
        turns.append((len(plain.turns), len(planned.turns)))
        differing += [(row.id, name) for name in row.programs if first[name] != second[name]]
    return turns, differing


@pytest.mark.slow
@pytest.mark.parametrize("coder", [ReferenceCoder, MixedCoder])
def test_verdicts_are_proadas_in_fewer_turns(sandbox, coder):
    turns, differing = compare(sandbox, coder, load_rows(unpack("diverse"))[:8])
    assert differing == []
    plain, planned = map(sum, zip(*turns, strict=True))
    assert planned < 0.85 * plain


@pytest.mark.slow
def test_a_household_of_eight_is_read_to_its_last_member(sandbox):
    ages = [40, 38, 17, 16, 15, 14, 13, 3]
    relations = ["self", "spouse", *["child"] * 6]
    members = [
        {"age": age, "relation": relation} for age, relation in zip(ages, relations, strict=True)
    ]
    home = Household.complete(members=members, place_of_residence="New York City")
    _, verdicts = hold(sandbox, ProadaPlannedAgent, ReferenceCoder, ("ThreeK",), home)
    assert verdicts == {"ThreeK": RULES["ThreeK"].is_eligible(home)} == {"ThreeK": True}


def test_what_the_user_does_not_know_is_left_to_the_program(sandbox):
    conversation = talk(("FairFaresNYC",), user=QueueUser("I don't know."))
    interpreter = ReferenceInterpreter(RULES)
    agent = ProadaPlannedAgent(ReferenceCoder(RULES, sandbox), interpreter, sandbox)
    verdicts = anyio.run(agent.run, conversation)
    assert verdicts.keys() == {"FairFaresNYC"}
    asked = [(turn.key, turn.member) for turn in conversation.turns if turn.kind == "question"]
    assert len(asked) == len(set(asked))


def test_when_questions_run_out_what_is_known_decides(sandbox):
    home = family()
    conversation, verdicts = hold(
        sandbox, ProadaPlannedAgent, ReferenceCoder, PROGRAMS, home, limit=3
    )
    assert len(conversation.turns) == 3
    assert verdicts.keys() == set(PROGRAMS)
    assert "limit_reached" in {failure.kind for failure in conversation.failures}


@pytest.mark.slow
def test_a_run_of_it_is_scored_and_its_questions_are_all_of_use(tmp_path):
    rows = example_rows(*PROGRAMS[:2], limit=2)
    options = Options(
        agent="proada-planned", roles=choose_roles(models="reference"), log_dir=tmp_path
    )
    dialogs = run("diverse", rows, options)
    assert all(dialog.verdicts == dialog.labels for dialog in dialogs)
    assert {turn.use for dialog in dialogs for turn in dialog.turns} == {"relevant"}
    assert {proof for dialog in dialogs for proof in dialog.proven.values()} == {True}
