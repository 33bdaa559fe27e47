"""Players that answer from a queue or by a rule, and rows to play, for tests."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.conversation import Completion, Conversation, InfrastructureError
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.reading import DialogReading
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.run import play_run
from benyfits_data.evaluation.run_options import Options
from benyfits_data.household.model import Household

EDITION = 2024


class QueueModels:
    """Replies from a queue, or from a function of role and prompt; keeps what it was asked."""

    def __init__(self, replies: Sequence[str] | Callable[[str, str], str]) -> None:
        self.replies = replies if callable(replies) else list(replies)
        self.asked: list[tuple[str, str, str, dict[str, Any] | None]] = []
        self.earlier: list[list[tuple[str, str]]] = []

    async def complete(
        self,
        role: str,
        system: str,
        prompt: str,
        schema: dict[str, Any] | None,
        max_tokens: int,
        earlier: Sequence[tuple[str, str]] = (),
    ) -> Completion:
        self.asked.append((role, system, prompt, schema))
        self.earlier.append(list(earlier))
        if callable(self.replies):
            return Completion(self.replies(role, prompt))
        if not self.replies:
            raise InfrastructureError("the queue is empty")
        return Completion(self.replies.pop(0))


class QueueUser:
    """Answers from a queue, then always with the last answer."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.questions: list[str] = []

    async def answer(self, question: str, turns: Sequence[Any]) -> str:
        self.questions.append(question)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def talk(
    programs: Sequence[str] = ("FairFaresNYC",),
    *,
    user: Any = None,
    models: Any = None,
    prompts: Prompts | None = None,
    reading: DialogReading | None = None,
) -> Conversation:
    requirements = {program: f"Rules of {program}." for program in programs}
    return Conversation(
        programs,
        requirements,
        user or QueueUser("I don't know."),
        models or QueueModels([]),
        prompts or Prompts(),
        np.random.default_rng(0),
        EDITION,
        reading and reading.read_exactly,
    )


def example_rows(*programs: str, limit: int | None = None) -> list[PlannedDialog]:
    """Rows made of the worked examples of some programs."""
    from benyfits_data.profiles.render import render_profile

    edition = load_edition(EDITION)
    rows = []
    for name in programs:
        program = edition.program(name)
        for number, example in enumerate(program.examples()):
            if len(rows) == limit:
                return rows
            household = example.household(program.thresholds)
            rows.append(
                PlannedDialog(
                    id=f"{name}-{number}",
                    edition=EDITION,
                    household=household.facts(),
                    profile=render_profile(household),
                    programs=tuple(programs),
                    labels={
                        other: edition.program(other).is_eligible(household) for other in programs
                    },
                    requirements={
                        other: edition.program(other).requirements() for other in programs
                    },
                )
            )
    return rows


def family() -> Household:
    """An adult with a spouse and two children."""
    return Household.from_facts(
        {
            "members": [
                {"name": "Ana Cruz", "age": 34, "relation": "self", "annual_work_income": 24000},
                {"name": "Ben Cruz", "age": 36, "relation": "spouse", "sex": "male"},
                {"name": "Cleo Cruz", "age": 7, "relation": "child", "disabled": True},
                {"name": "Dan Cruz", "age": 9, "relation": "child", "sex": "male"},
            ],
            "monthly_rent_spending": 1800,
        },
        constrained=False,
    )


def run(name: str, rows: Sequence[PlannedDialog], options: Options) -> list[Dialog]:
    """The dialogs of a finished run."""
    return play_run(name, rows, options).dialogs
