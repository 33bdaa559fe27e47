"""All that is derived from a dialog and its household: pure, so that any log can be held again."""

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.counterfactual import find_acquittals
from benyfits_data.evaluation.error_analysis import explain_errors
from benyfits_data.evaluation.record import Dialog, Faithfulness, Turn
from benyfits_data.evaluation.regret import measure_regret
from benyfits_data.household.model import Household
from benyfits_data.understanding.claims import judge
from benyfits_data.understanding.query import evaluate


def derive(dialog: Dialog, household: Household) -> None:
    """Return nothing; the dialog is given its verdicts on answers, regret, errors, acquittals.

    Args:
        dialog: A dialog whose turns were read.
        household: The household it was about.
    """
    for turn in dialog.turns:
        turn.faithfulness, turn.fact = judge_turn(turn, household), find_facts(turn, household)
    measure_regret(dialog, household)
    dialog.errors = explain_errors(dialog, household, load_edition(dialog.edition).programs)
    dialog.acquitted = find_acquittals(dialog)


def judge_turn(turn: Turn, household: Household) -> Faithfulness:
    """Return how what was read in an answer holds against the household."""
    said = turn.said
    if said is None:
        return "not_understood" if turn.reader else "not_read"
    return judge(turn.asked, said, household).verdict


def find_facts(turn: Turn, household: Household) -> str | None:
    """Return what a question asks for and what is so, in a few words for people."""
    told = []
    for query in turn.asked:
        found = evaluate(query, household)
        whom = "" if not query.people.numbers else f" of member {query.people.numbers[0]}"
        told.append(f"{query.fact or 'members'}{whom}: {found.answer}")
    return "; ".join(told) or None
