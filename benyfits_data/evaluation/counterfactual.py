"""What the user cost the agent: wrong verdicts decided again, on proven answers.

The agent's own questions are put once more, to a user whose answers are evaluated on the household.
A verdict that turns right acquits the agent of the error: it was the user's. Answers that were
faithful stand as they are, and so does what the agent made of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from benyfits_data.evaluation import spoken_facts as facts
from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.models import describe_error
from benyfits_data.evaluation.players.reference_players import NOT_UNDERSTOOD, ReferenceUser
from benyfits_data.evaluation.record import Turn
from benyfits_data.evaluation.user import fact_of
from benyfits_data.household.model import Household


class TruthfulUser:
    """Answers as the household is; says again what was said where a question is not understood.

    Args:
        household: The household.
        turns: The dialog as it was.

    Attributes:
        is_proven: Whether every answer so far was evaluated on the household.
    """

    def __init__(self, household: Household, turns: Sequence[Turn]) -> None:
        self._household = household
        self._reference = ReferenceUser(household)
        self._turns = {turn.question: turn for turn in turns}
        self.is_proven = True

    async def answer(self, question: str, turns: Sequence[Turn]) -> str:
        """Return the proven answer to a question, or what was said, which proves nothing."""
        answer = await self._reference.answer(question, turns)
        if answer != NOT_UNDERSTOOD:
            return answer
        turn = self._turns.get(question)
        fact = fact_of(turn, self._household) if turn else None
        if fact is not None:
            return facts.tell(self._household, fact)
        self.is_proven = False
        return turn.answer if turn else NOT_UNDERSTOOD


async def acquit(
    wrong: Mapping[str, bool], conversation: Conversation, agent: Any, household: Household
) -> dict[str, bool | None]:
    """Return for each wrong verdict whether the agent is acquitted of it; `None`: unknown.

    It is not acquitted where every answer was faithful, where it broke off, or where the verdict
    stays wrong on proven answers. It is unknown where an answer could not be proven and the verdict
    stays wrong, where the replay fails, and for agents that cannot be asked again (those in a
    process of their own, people).

    Args:
        wrong: The right verdict of each program that was decided wrongly.
        conversation: The dialog, its turns held against the household.
        agent: Who held it.
        household: The household it was about.
    """
    if all(turn.faithfulness == "faithful" for turn in conversation.turns):
        return dict.fromkeys(wrong, False)
    if any(failure.kind == "agent_failed" for failure in conversation.failures):
        return dict.fromkeys(wrong, False)
    user = TruthfulUser(household, conversation.turns)
    try:
        if hasattr(agent, "decide_again"):
            verdicts = await _replay(agent, conversation.again(user), conversation.turns, wrong)
        elif getattr(agent, "is_repeatable", False):
            verdicts = await agent.run(conversation.again(user))
        elif hasattr(agent, "predict") and not hasattr(agent, "run"):
            verdicts = await agent.predict(await _ask_again(conversation, user))
        else:
            return dict.fromkeys(wrong, None)
    except Exception as error:
        conversation.fail("replay_failed", describe_error(error))
        return dict.fromkeys(wrong, None)
    return {
        name: True if verdicts[name] == right else (False if user.is_proven else None)
        for name, right in wrong.items()
    }


async def _replay(
    agent: Any, again: Conversation, turns: Sequence[Turn], wrong: Mapping[str, bool]
) -> dict[str, bool]:
    """Return what an agent's programs decide once the answers that were not faithful are true."""
    # The last turn about a key is the one its value was read from.
    last = {(turn.member, turn.key): turn.faithfulness for turn in turns if turn.key}
    agent.forget({key for key, verdict in last.items() if verdict != "faithful"})
    return {name: await agent.decide_again(again, name) for name in wrong}


async def _ask_again(conversation: Conversation, user: TruthfulUser) -> Conversation:
    """Return the dialog with the same questions and proven answers."""
    again = conversation.again(user)
    for turn in conversation.turns:
        if turn.faithfulness != "faithful":
            answer = await user.answer(turn.question, again.turns)
            turn = replace(turn, answer=answer)
        again.turns.append(turn)
    return again
