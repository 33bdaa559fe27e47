"""The dialog loop of the paper: ask, hear, READY?, and in the end PREDICT."""

import inspect
from typing import Any

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.conversation import (
    Conversation,
    QuestionLimitReached,
)


async def play(agent: Any, conversation: Conversation) -> dict[str, bool]:
    """Return the agent's verdict on every program of the dialog.

    Args:
        agent: An object with `run`, or with `ask`, `ready` and `predict`.
        conversation: The dialog.

    Raises:
        EvaluationError: A verdict is missing or is no bool.
    """
    if hasattr(agent, "run"):
        verdicts = await _call(agent.run, conversation)
    else:
        await _question(agent, conversation)
        verdicts = await _call(agent.predict, conversation)
    return _check(agent, conversation, verdicts)


async def _question(agent: Any, conversation: Conversation) -> None:
    try:
        while conversation.questions_left > 0:
            question = await _call(agent.ask, conversation)
            await conversation.ask(question)
            if await _call(agent.ready, conversation):
                return
    except QuestionLimitReached:
        pass
    conversation.fail("limit_reached", f"all {conversation.limit} questions were used up")


async def _call(step: Any, conversation: Conversation) -> Any:
    result = step(conversation)
    return await result if inspect.isawaitable(result) else result


def _check(agent: Any, conversation: Conversation, verdicts: Any) -> dict[str, bool]:
    expected = "{program: True or False} for every program of conversation.programs"
    if not isinstance(verdicts, dict):
        raise EvaluationError(
            f"{type(agent).__name__} returned {type(verdicts).__name__}, expected {expected}."
        )
    for program in conversation.programs:
        if not isinstance(verdicts.get(program), bool):
            raise EvaluationError(
                f"{type(agent).__name__} says {verdicts.get(program)!r} of {program}, "
                f"expected {expected}.",
                program=program,
            )
    return {program: verdicts[program] for program in conversation.programs}
