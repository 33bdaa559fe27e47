"""What follows from a dialog and its household: where a wrong verdict comes from, and whose it is.

A wrong verdict is decided again on proven answers: the agent's own questions are put once more, to
a user whose answers are evaluated on the household. A verdict that turns right acquits the agent of
the error: it was the user's. Answers that were faithful stand as they are, and so does what the
agent made of them. All but the replay is pure, so that any log can be held again.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benyfits_data.editions import Program, load_edition
from benyfits_data.evaluation.break_offs import describe_exception
from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.players.users import GroundedUser
from benyfits_data.evaluation.record import NO_USER, Dialog, Faithfulness, Replay, Turn
from benyfits_data.evaluation.regret import look_up, map_turn, measure_regret
from benyfits_data.evaluation.turn_reading import NOT_UNDERSTOOD, TurnReader
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
    parts = []
    for query in turn.asked:
        evaluation = evaluate(query, household)
        whom = "" if not query.people.numbers else f" of member {query.people.numbers[0]}"
        parts.append(f"{query.fact or 'members'}{whom}: {evaluation.answer}")
    return "; ".join(parts) or None


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
    return {name: _explain(dialog, name, household, programs) for name in _wrong(dialog)}


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
        value = getattr(self._owner, name)
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
        return value


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


class TruthfulUser:
    """Answers as the household is; says again what was said where a question is not understood.

    Args:
        household: The household.
        turns: The dialog as it was.
        reading: Who read its questions.

    Attributes:
        is_proven: Whether every answer so far was evaluated on the household.
    """

    def __init__(self, household: Household, turns: Sequence[Turn], reading: TurnReader) -> None:
        self._grounded = GroundedUser(household, reading)
        self._said = {turn.question: turn.answer for turn in turns}
        self.is_proven = True

    async def answer(self, question: str, turns: Sequence[Turn]) -> str:
        """Return the proven answer to a question, or what was said, which proves nothing."""
        answer = await self._grounded.answer(question, turns)
        if answer != NOT_UNDERSTOOD:
            return answer
        self.is_proven = False
        return self._said.get(question, NOT_UNDERSTOOD)


def find_acquittals(dialog: Dialog) -> dict[str, bool | None]:
    """Return for each wrong verdict whether the agent is acquitted of it; `None`: unknown.

    It is not acquitted where every answer was faithful, where it broke off, or where the verdict
    stays wrong on proven answers. It is unknown where an answer could not be proven and the verdict
    stays wrong, where nothing was decided again, or where other answers stood then than are held to
    be faithful now.

    Args:
        dialog: A dialog whose turns are held against the household, with its replay.
    """
    wrong = _wrong(dialog)
    if is_settled(dialog):
        return dict.fromkeys(wrong, False)
    again = dialog.replay
    if again is None or again.kept != _faithful(dialog.turns):
        return dict.fromkeys(wrong, None)
    acquittals: dict[str, bool | None] = {}
    for name in wrong:
        is_right = again.verdicts.get(name) == dialog.labels[name]
        is_known = name in again.verdicts and (is_right or again.is_proven)
        acquittals[name] = is_right if is_known else None
    return acquittals


def is_settled(dialog: Dialog) -> bool:
    """Return whether wrong verdicts are the agent's own, without any being decided again."""
    are_faithful = all(turn.faithfulness == "faithful" for turn in dialog.turns)
    return are_faithful or any(failure.kind == "agent_failed" for failure in dialog.failures)


async def replay(
    dialog: Dialog,
    conversation: Conversation,
    agent: Any,
    household: Household,
    reading: TurnReader | None = None,
) -> Replay | None:
    """Return what an agent decides on proven answers; nothing where that could tell nothing.

    Agents that cannot be asked again (those in a process of their own, people) decide nothing.

    Args:
        dialog: The dialog, its turns held against the household.
        conversation: The conversation it was, for models and limits.
        agent: Who held it.
        household: The household it was about.
        reading: Who reads questions.
    """
    wrong = _wrong(dialog)
    if not wrong or is_settled(dialog):
        return None
    reading = reading or TurnReader(household)
    user = TruthfulUser(household, dialog.turns, reading)
    again = conversation.again(user, reading.read)
    replayed = Replay(_faithful(dialog.turns))
    if not any(turn.queries for turn in dialog.turns if turn.faithfulness != "faithful"):
        # Every answer would be the same: calls that tell nothing.
        return replayed
    try:
        if hasattr(agent, "decide_again"):
            verdicts = await _decide_again(agent, again, dialog.turns, wrong)
        elif getattr(agent, "is_repeatable", False):
            verdicts = await agent.run(again)
        elif hasattr(agent, "predict") and not hasattr(agent, "run"):
            verdicts = await agent.predict(await _ask_again(again, dialog.turns, user))
        else:
            return replayed
    except Exception as error:
        conversation.fail("replay_failed", describe_exception(error))
        return replayed
    replayed.verdicts = {name: bool(verdicts[name]) for name in wrong}
    replayed.is_proven = user.is_proven
    return replayed


def _wrong(dialog: Dialog) -> list[str]:
    return [name for name, label in dialog.labels.items() if dialog.verdicts[name] != label]


def _faithful(turns: Sequence[Turn]) -> list[int]:
    return [place for place, turn in enumerate(turns) if turn.faithfulness == "faithful"]


async def _decide_again(
    agent: Any, again: Conversation, turns: Sequence[Turn], wrong: Collection[str]
) -> dict[str, bool]:
    """Return what an agent's programs decide once the answers that were not faithful are true."""
    # The last turn about a key is the one its value was read from.
    last = {(turn.member, turn.key): turn.faithfulness for turn in turns if turn.key}
    agent.forget({key for key, verdict in last.items() if verdict != "faithful"})
    return {name: await agent.decide_again(again, name) for name in wrong}


async def _ask_again(
    again: Conversation, turns: Sequence[Turn], user: TruthfulUser
) -> Conversation:
    """Return the dialog with the same questions and proven answers."""
    for turn in turns:
        if turn.faithfulness != "faithful":
            answer = await user.answer(turn.question, again.turns)
            turn = replace(turn, answer=answer)
        again.turns.append(turn)
    return again
