"""Where each wrong verdict of a dialog comes from, found while the household is at hand."""

from collections.abc import Mapping
from typing import Any

from benyfits_data.editions import Program
from benyfits_data.evaluation.record import Dialog, Turn
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household


def explain_errors(
    dialog: Dialog, household: Household, programs: Mapping[str, Program]
) -> dict[str, str]:
    """Return the kind of each wrong verdict, by program; the first that applies.

    - `no_verdict`: the dialog broke off, or no verdict could be read.
    - `limit_reached`: the questions were used up before the program was decided.
    - `user_wrong`: an answer about a fact that decides is not so.
    - `answer_misread`: an answer about such a fact was kept as another value, or as none.
    - `stopped_early`: some fact that decides was never asked about.
    - `program_wrong`, `reasoned_wrong`: a generated program, or the model, was wrong all the same.

    Facts that decide are those our checker reads of this household.

    Args:
        dialog: A dialog whose turns are held against the household already.
        household: The household it was about.
        programs: Our programs, by name.
    """
    wrong = [name for name, label in dialog.labels.items() if dialog.verdicts[name] != label]
    return {name: _explain(dialog, name, household, programs) for name in wrong}


def facts_that_decide(household: Household, program: Program) -> set[str]:
    """Return the facts that a checker reads of a household, named as turns name them."""
    read: set[str] = set()
    watched: Any = _Watched(household, read)
    program.checker(watched, program.thresholds)
    return read


class _Watched:
    """A household or a member that notes which facts are read of it."""

    def __init__(self, owner: Any, read: set[str], number: int | None = None) -> None:
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
            self._read.add(name)
        if self._number is not None and name in MEMBER_FEATURES:
            self._read.add(f"{name} of member {self._number}")
        return found


def _explain(
    dialog: Dialog, name: str, household: Household, programs: Mapping[str, Program]
) -> str:
    kinds = {item.kind for item in dialog.failures if item.program in (None, name)}
    if kinds & {"agent_failed", "verdict_not_parsed"}:
        return "no_verdict"
    if "limit_reached" in kinds:
        return "limit_reached"
    decide = facts_that_decide(household, programs[name]) if name in programs else set()
    turns = [turn for turn in dialog.turns if _fact(turn) in decide or turn.program == name]
    if any(turn.faithfulness == "unfaithful" for turn in turns):
        return "user_wrong"
    if any(turn.value is not None and _is_misread(turn) for turn in turns):
        return "answer_misread"
    has_program = name in dialog.code and not kinds & {"code_crashed", "code_looped"}
    if has_program:
        return "program_wrong"
    # That member 0 is the applicant is told to nobody and known to everybody.
    told = {_fact(turn) for turn in dialog.turns} | {"relation of member 0"}
    return "stopped_early" if decide - told else "reasoned_wrong"


def _fact(turn: Turn) -> str:
    return (turn.fact or "").partition(": ")[0]


def _is_misread(turn: Turn) -> bool:
    """Whether the value kept of an answer differs from the household's, where both are known."""
    if turn.fact is None or turn.faithfulness != "faithful":
        return False
    return _plain(str(turn.value)) != _plain(turn.fact.partition(": ")[2])


def _plain(value: str) -> str:
    word = value.strip().lower().replace("_", " ")
    word = {"true": "yes", "false": "no"}.get(word, word)
    digits = word.replace("-", "")
    try:
        return str(float(digits if len(digits) == 8 and digits.isdigit() else word))
    except ValueError:
        return word
