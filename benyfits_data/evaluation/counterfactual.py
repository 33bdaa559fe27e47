"""What the user cost the agent: wrong verdicts decided again, on proven answers.

The agent's own questions are put once more, to a user whose answers are evaluated on the household.
A verdict that turns right acquits the agent of the error: it was the user's. Answers that were
faithful stand as they are, and so does what the agent made of them.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from benyfits_data.evaluation.break_offs import describe_exception
from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.players.users import GroundedUser
from benyfits_data.evaluation.record import Dialog, Replay, Turn
from benyfits_data.evaluation.turn_reading import NOT_UNDERSTOOD, TurnReader
from benyfits_data.household.model import Household


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
    found: dict[str, bool | None] = {}
    for name in wrong:
        is_right = again.verdicts.get(name) == dialog.labels[name]
        is_known = name in again.verdicts and (is_right or again.is_proven)
        found[name] = is_right if is_known else None
    return found


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
    found = Replay(_faithful(dialog.turns))
    if not any(turn.queries for turn in dialog.turns if turn.faithfulness != "faithful"):
        # Every answer would be the same: calls that tell nothing.
        return found
    try:
        if hasattr(agent, "decide_again"):
            verdicts = await _decide_again(agent, again, dialog.turns, wrong)
        elif getattr(agent, "is_repeatable", False):
            verdicts = await agent.run(again)
        elif hasattr(agent, "predict") and not hasattr(agent, "run"):
            verdicts = await agent.predict(await _ask_again(again, dialog.turns, user))
        else:
            return found
    except Exception as error:
        conversation.fail("replay_failed", describe_exception(error))
        return found
    found.verdicts = {name: bool(verdicts[name]) for name in wrong}
    found.is_proven = user.is_proven
    return found


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
