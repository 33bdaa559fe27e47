"""What an agent sees and does during one dialog: rules, questions, answers, model calls.

Everything an agent does goes through here, so that turns are counted, limits hold and failures
are recorded in the same way for every agent.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.break_offs import current_run
from benyfits_data.evaluation.fact_answers import (
    FactAnswer,
    question_of,
    question_of_everybody,
    read_everybody,
    read_one,
)
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.record import Failure, Turn, TurnKind, Unsent
from benyfits_data.evaluation.replies import clean_text, one_property
from benyfits_data.evaluation.verdict_reading import read_bool, read_verdicts
from benyfits_data.understanding.canonical import ROSTER_FACTS, ROSTER_QUESTION

QUESTIONS_PER_PROGRAM = 20
QUESTIONS = 100
"""The paper's limits: 20 questions per program, 100 in all."""
ANSWER_LETTERS = 2000
"""Answers are cut there, so that an endless one cannot fill every later prompt."""

QUESTION_LETTERS = 2000
"""Questions are cut there; ours have at most some 300."""

NO_QUESTION = "(no question)"
NO_ANSWER = "(nothing was asked)"
"""How a turn without a question reads in prompts and logs."""

REPLY_TOKENS = 4096
REASONING_TOKENS = 4096
CODE_TOKENS = 8192
"""Greatest lengths, thoughts included: with 256, models that think first never came to an answer.
Others stop long before; `--max-tokens` sets them where a context is small."""


class QuestionLimitReached(EvaluationError):
    """The dialog has used up its questions; the agent must decide now."""


class InfrastructureError(EvaluationError):
    """A model could not be reached, or refused a call, after all retries: no fault of the agent.

    The dialog it happens in is left unscored and is played again when the run is continued.
    """


StopKind = Literal["stop", "reply_cut", "reply_empty", "context_full", "reply_filtered"]


@dataclass(frozen=True)
class Completion:
    """A reply, and why it ends: complete, cut off, or withheld.

    Attributes:
        notes: What else went wrong and was survived: its kind, and what happened.
        unsent: What a user said before, and did not send.
        is_replaced: Whether a sentence of ours stands in for what a user said.
        model: Who replied, as the server names it.
    """

    text: str
    stop: StopKind = "stop"
    notes: tuple[tuple[str, str], ...] = ()
    unsent: tuple[Unsent, ...] = ()
    is_replaced: bool = False
    model: str = ""


class User(Protocol):
    """Whoever answers the questions."""

    async def answer(self, question: str, turns: Sequence[Turn]) -> str | Completion:
        """Return the reply to a question, given the earlier turns."""


Read = Callable[[Turn, Sequence[Turn]], Awaitable[None]]


class Models(Protocol):
    """Whoever completes prompts, by role."""

    async def complete(
        self,
        role: str,
        system: str,
        prompt: str,
        schema: dict[str, Any] | None,
        max_tokens: int,
        earlier: Sequence[tuple[str, str]] = (),
    ) -> Completion:
        """Return a model's reply, decoded under a JSON schema where one is given."""


class DialogView:
    """What any agent sees of one dialog.

    Args:
        programs: The programs the user is interested in.
        requirements: Their eligibility texts.
        random: The agent's own random stream.
        limit: How many questions the dialog may have; as many as in the paper unless given.
    """

    def __init__(
        self,
        programs: Sequence[str],
        requirements: Mapping[str, str],
        random: np.random.Generator,
        limit: int | None = None,
    ) -> None:
        self.limit = paper_limit(len(programs)) if limit is None else limit
        self.programs = list(programs)
        self.requirements = {program: requirements[program] for program in programs}
        self.random = random
        self.turns: list[Turn] = []

    @property
    def questions_left(self) -> int:
        """How many questions may still be asked."""
        return self.limit - len(self.turns)

    @property
    def rules(self) -> str:
        """The eligibility texts of all programs, each under its name."""
        return self.rules_of(self.programs)

    def rules_of(self, programs: Sequence[str]) -> str:
        """Return the eligibility texts of some programs, each under its name."""
        return "\n\n".join(f"## {name}\n{self.requirements[name].strip()}" for name in programs)


class Conversation(DialogView):
    """One dialog in progress.

    Args:
        programs: The programs the user is interested in.
        requirements: Their eligibility texts.
        user: Who answers.
        models: Who completes prompts.
        prompts: The prompts in force.
        random: The agent's own random stream.
        edition: Year of the rules.
        read: Reads each turn, given those before it, as it is made.
        limit: How many questions the dialog may have; as many as in the paper unless given.
    """

    def __init__(
        self,
        programs: Sequence[str],
        requirements: Mapping[str, str],
        user: User,
        models: Models,
        prompts: Prompts,
        random: np.random.Generator,
        edition: int,
        read: Read | None = None,
        limit: int | None = None,
    ) -> None:
        super().__init__(programs, requirements, random, limit)
        self.edition = edition
        self.prompts = prompts
        self.models = models
        self.failures: list[Failure] = []
        self.code: dict[str, str] = {}
        self.traces: dict[str, list[int]] = {}
        self.stage = "the agent begins"
        self._user = user
        self._read = read
        self._noted: set[str] = set()

    def again(self, user: User, read: Read | None = None) -> "Conversation":
        """Return the same conversation before its first question, with another user."""
        return Conversation(
            self.programs,
            self.requirements,
            user,
            self.models,
            self.prompts,
            self.random,
            self.edition,
            read,
            self.limit,
        )

    async def ask(
        self,
        question: str,
        *,
        kind: TurnKind = "question",
        program: str | None = None,
        key: str | None = None,
        member: int | None = None,
        line: int | None = None,
        code: str | None = None,
    ) -> str:
        """Return the user's answer to a question; it counts as a turn.

        What else is told, as far as it is known, is kept with the turn: see `Turn`.

        Raises:
            QuestionLimitReached: No question is left.
        """
        if self.questions_left <= 0:
            raise QuestionLimitReached(f"All {self.limit} questions of this dialog are used up.")
        if not isinstance(question, str):
            raise EvaluationError(f"The agent asked {type(question).__name__}, expected text.")
        question = " ".join(clean_text(question, QUESTION_LETTERS).split())
        if not question:
            # Nobody can answer nothing; it counts as a turn, so that no dialog goes on for ever.
            self.fail("question_empty", "the agent asked nothing", program)
            self.turns.append(Turn(NO_QUESTION, NO_ANSWER, kind, program, key, member, line, code))
            return ""
        self.stage = "the user answers"
        reply = await self._user.answer(question, self.turns)
        self.stage = "the agent goes on"
        if not isinstance(reply, Completion):
            reply = Completion(reply)
        self.record(reply, "user, an answer", program)
        if len(reply.text) > ANSWER_LETTERS:
            self.fail("answer_cut", f"an answer of {len(reply.text)} letters", program)
        answer = clean_answer(reply.text)
        turn = Turn(question, answer, kind, program, key, member, line, code)
        turn.unsent, turn.is_replaced = list(reply.unsent), reply.is_replaced
        if self._read is not None:
            await self._read(turn, self.turns)
        self.turns.append(turn)
        current_run().show(False)
        return turn.answer

    async def ask_fact(self, fact: str, member: int | None = None) -> FactAnswer:
        """Return what the user says of one fact, asked in canonical words; it counts as a turn.

        Args:
            fact: A feature's name, or `number_of_members`.
            member: The member's number, 0 for the speaker; nothing for a fact of the household.

        Raises:
            EvaluationError: There is no such fact, or it is not one of a member's.
            QuestionLimitReached: No question is left.
        """
        await self.ask(question_of(fact, member), key=fact, member=member)
        return read_one(fact, member, self.turns[-1])

    async def ask_everybody(self, fact: str) -> FactAnswer:
        """Return what the user says of one fact of every member; its value is a list.

        Errors are those of `ask_fact`.
        """
        await self.ask(question_of_everybody(fact))
        return read_everybody((fact,), self.turns[-1])

    async def ask_roster(self) -> FactAnswer:
        """Return who lives there: its value has a dictionary of age and relation a member.

        Raises:
            QuestionLimitReached: No question is left.
        """
        await self.ask(ROSTER_QUESTION)
        return read_everybody(ROSTER_FACTS, self.turns[-1])

    def fail(
        self,
        kind: str,
        message: str,
        program: str | None = None,
        line: int | None = None,
        traceback: str | None = None,
    ) -> None:
        """Record, under the kind it is counted as, something that went wrong and was survived."""
        self.failures.append(Failure(kind, clean_text(message, 500), program, line, traceback))

    def record(self, reply: Completion, what: str, program: str | None = None) -> None:
        """Record what is wrong with a reply; what a server does with every call once a dialog."""
        for kind, message in reply.notes:
            if kind not in self._noted:
                self._noted.add(kind)
                self.fail(kind, message)
        if reply.stop != "stop":
            self.fail(reply.stop, what, program)

    async def complete(
        self,
        prompt: str,
        *,
        role: str = "dialog",
        schema: dict[str, Any] | None = None,
        max_tokens: int = REPLY_TOKENS,
        with_dialog: bool = True,
        **variables: Any,
    ) -> str:
        """Return a model's reply to a prompt.

        Args:
            prompt: Name of the prompt.
            role: Which model.
            schema: JSON schema of the reply.
            max_tokens: Longest reply.
            with_dialog: Whether the model sees the rules of all programs and the dialog so far.
            variables: The prompt's variables besides `eligibility_requirements`.

        Raises:
            EvaluationError: The role is played without a model.
            InfrastructureError: The model cannot be reached, or refuses the call.
        """
        variables.setdefault("eligibility_requirements", self.rules)
        text = self.prompts.render(prompt, **variables)
        system = ""
        if with_dialog:
            system = self.prompts.render("system", eligibility_requirements=self.rules)
            text = f"{_tell(self.turns)}{text}"
        self.stage = f"the {role} model replies to {prompt}"
        reply = await self.models.complete(role, system, text, schema, max_tokens)
        self.stage = "the agent goes on"
        self.record(reply, f"{role}, {prompt}, at most {max_tokens} tokens")
        return clean_text(reply.text)

    async def judge(self, prompt: str, **variables: Any) -> bool | None:
        """Return the dialog model's yes or no to a prompt; `None`, recorded, when it gives none."""
        schema = one_property("ready", {"type": "boolean"})
        reply = await self.complete(prompt, schema=schema, **variables)
        verdict = read_bool(reply, "ready")
        if verdict is None:
            self.fail("reply_not_parsed", f"{prompt}: {reply!r}")
        return verdict

    async def predict(
        self, programs: Sequence[str] | None = None, prompt: str = "predict", **variables: Any
    ) -> dict[str, bool]:
        """Return the dialog model's verdict per program, under constrained decoding.

        A program the reply leaves out is recorded as a failure and counts as ineligible.

        Args:
            programs: The programs to decide about; all unless given.
            prompt: Name of the prompt.
            variables: Its variables besides those of appendix C.
        """
        wanted = list(programs if programs is not None else self.programs)
        schema = {
            "type": "object",
            "properties": {program: {"type": "boolean"} for program in wanted},
            "required": wanted,
            "additionalProperties": False,
        }
        reply = await self.complete(
            prompt,
            schema=schema,
            max_tokens=REPLY_TOKENS + 24 * len(wanted),
            eligibility_requirements=self.rules_of(wanted),
            num_programs=len(wanted),
            example_array=example_array(len(wanted)),
            **variables,
        )
        verdicts = read_verdicts(reply, wanted)
        for program in wanted:
            if program not in verdicts:
                self.fail("verdict_not_parsed", f"counted as ineligible: {reply!r}", program)
        return {program: verdicts.get(program, False) for program in wanted}


def paper_limit(n_programs: int) -> int:
    """Return how many questions the paper gives a dialog about so many programs."""
    return min(QUESTIONS, QUESTIONS_PER_PROGRAM * n_programs)


def clean_answer(text: str) -> str:
    """Return an answer as it is sent: without what could do harm, and cut where it is endless."""
    return clean_text(text, ANSWER_LETTERS).strip()


def example_array(length: int) -> str:
    """Return a JSON array of truth values of some length, as an example in prompts."""
    return "[" + ", ".join("true" if place % 2 == 0 else "false" for place in range(length)) + "]"


def _tell(turns: Sequence[Turn]) -> str:
    if not turns:
        return "The conversation has not begun yet.\n\n"
    lines = [f"You asked: {turn.question}\nThe user said: {turn.answer}" for turn in turns]
    return "The conversation so far:\n\n" + "\n".join(lines) + "\n\n"
