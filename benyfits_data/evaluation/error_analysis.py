"""What is derived from a dialog and its household, above all where each wrong verdict comes from.

Pure, so that any log can be held again.
"""

from collections.abc import Collection, Mapping
from typing import Any

from benyfits_data.editions import Program, load_edition
from benyfits_data.evaluation.counterfactual import find_acquittals
from benyfits_data.evaluation.record import NO_USER, Dialog, Faithfulness, Turn
from benyfits_data.evaluation.regret import look_up, map_turn, measure_regret
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.language.partial import Fact
from benyfits_data.par.tracks import GIVEN
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


def explain_errors(
    dialog: Dialog, household: Household, programs: Mapping[str, Program]
) -> dict[str, str]:
    """Return the kind of each wrong verdict, by program; the first that applies.

    - `no_verdict`: the dialog broke off, or no verdict could be read.
    - `limit_reached`: the questions were used up before the program was decided.
    - `user_wrong`: an answer about a fact that decides is not so.
    - `answer_misread`: an answer about such a fact was kept as another value, or as none.
    - `not_known`: a question or an answer that may have mattered was not read.
    - `stopped_early`: some fact that decides was never asked about, and no answer implies it.
    - `program_wrong`, `reasoned_wrong`: a generated program, or the model, was wrong all the same.

    Facts that decide are those our checker reads of this household.

    Args:
        dialog: A dialog whose turns are held against the household already.
        household: The household it was about.
        programs: Our programs, by name.
    """
    wrong = [name for name, label in dialog.labels.items() if dialog.verdicts[name] != label]
    return {name: _explain(dialog, name, household, programs) for name in wrong}


def facts_that_decide(household: Household, program: Program) -> set[Fact]:
    """Return the facts that a checker reads of a household."""
    read: set[Fact] = set()
    watched: Any = _Watched(household, read)
    program.checker(watched, program.thresholds)
    return read


class _Watched:
    """A household or a member that notes which facts are read of it."""

    def __init__(self, owner: Any, read: set[Fact], number: int | None = None) -> None:
        self._owner = owner
        self._read = read
        self._number = number
        self._members: list[_Watched] = []

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._owner, name)
        if name in ("members", "applicant"):
            # Made once: a checker may ask whether two members are the same.
            everybody = enumerate(self._owner.members)
            self._members = self._members or [
                _Watched(each, self._read, n) for n, each in everybody
            ]
            return self._members if name == "members" else self._members[0]
        if self._number is None and name in HOUSEHOLD_FEATURES:
            self._read.add((name, None))
        if self._number is not None and name in MEMBER_FEATURES:
            self._read.add((name, self._number))
        return found


def _explain(
    dialog: Dialog, name: str, household: Household, programs: Mapping[str, Program]
) -> str:
    kinds = {item.kind for item in dialog.failures if item.program in (None, name)}
    if kinds & {"agent_failed", "verdict_not_parsed"}:
        return "no_verdict"
    if "limit_reached" in kinds:
        return "limit_reached"
    if dialog.agent == NO_USER:
        return "reasoned_wrong"
    decide = facts_that_decide(household, programs[name]) if name in programs else set()
    # Who the applicant is, is told to nobody and known to everybody.
    asked, about, are_all_mapped = {GIVEN}, [], True
    for turn in dialog.turns:
        facts = map_turn(turn, household).asked
        asked |= facts
        are_all_mapped &= bool(turn.queries)
        if facts & decide or turn.program == name:
            about.append((turn, facts))
    if any(turn.faithfulness == "unfaithful" for turn, _ in about):
        return "user_wrong"
    if any(_is_misread(turn, facts, household) for turn, facts in about):
        return "answer_misread"
    if any(turn.faithfulness in ("not_read", "not_understood") for turn, _ in about):
        return "not_known"
    if name in dialog.code and not kinds & {"code_crashed", "code_looped"}:
        return "program_wrong"
    if decide - asked and not dialog.proven.get(name):
        return "stopped_early" if are_all_mapped else "not_known"
    return "reasoned_wrong"


def _is_misread(turn: Turn, facts: Collection[Fact], household: Household) -> bool:
    """Whether the value kept of an answer differs from the household's, where both are known."""
    if turn.value is None or len(facts) != 1 or turn.faithfulness != "faithful":
        return False
    (fact,) = facts
    return _plain(str(turn.value)) != _plain(str(look_up(household, fact)))


def _plain(value: str) -> str:
    word = value.strip().lower().replace("_", " ")
    word = {"true": "yes", "false": "no"}.get(word, word)
    digits = word.replace("-", "")
    try:
        return str(float(digits if len(digits) == 8 and digits.isdigit() else word))
    except ValueError:
        return word
