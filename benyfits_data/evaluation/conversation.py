"""What an agent sees and does during one dialog: rules, questions, answers, model calls.

Everything an agent does goes through here, so that turns are counted, limits hold and failures
are recorded in the same way for every agent.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.dialog import Failure, Turn, TurnKind
from benyfits_data.evaluation.keys import one_property, read_bool, read_json
from benyfits_data.evaluation.prompts import Prompts

QUESTIONS_PER_PROGRAM = 20
QUESTIONS = 100
"""The paper's limits: 20 questions per program, 100 in all."""

ANSWER_LETTERS = 2000
"""Answers are cut there, so that an endless one cannot fill every later prompt."""

PATIENCE = 3
"""Calls in a row that may fail, after all retries, before a model counts as gone."""

REPLY_TOKENS = 256
REASONING_TOKENS = 1024
CODE_TOKENS = 3072


class QuestionLimitReached(EvaluationError):
    """The dialog has used up its questions; the agent must decide now."""


class ModelCallError(EvaluationError):
    """A model did not reply, after all retries."""


class User(Protocol):
    """Whoever answers the questions."""

    async def answer(self, question: str, turns: Sequence[Turn]) -> str:
        """Return the reply to a question, given the earlier turns."""


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
    ) -> str:
        """Return a model's reply, decoded under a JSON schema where one is given."""


class Conversation:
    """One dialog in progress.

    Args:
        programs: The programs the user is interested in.
        requirements: Their eligibility texts.
        user: Who answers.
        models: Who completes prompts.
        prompts: The prompts in force.
        random: The agent's own random stream.
    """

    def __init__(
        self,
        programs: Sequence[str],
        requirements: Mapping[str, str],
        user: User,
        models: Models,
        prompts: Prompts,
        random: np.random.Generator,
    ) -> None:
        self.programs = list(programs)
        self.requirements = {program: requirements[program] for program in programs}
        self.random = random
        self.prompts = prompts
        self.models = models
        self.turns: list[Turn] = []
        self.failures: list[Failure] = []
        self.code: dict[str, str] = {}
        self.traces: dict[str, list[int]] = {}
        self._user = user
        self._failed_in_a_row: dict[str, int] = {}

    @property
    def limit(self) -> int:
        """How many questions the dialog may have."""
        return min(QUESTIONS, QUESTIONS_PER_PROGRAM * len(self.programs))

    @property
    def questions_left(self) -> int:
        """How many questions may still be asked."""
        return self.limit - len(self.turns)

    @property
    def rules(self) -> str:
        """The eligibility texts of all programs, each under its name."""
        return self.rules_of(self.programs)

    def rules_of(self, programs: Sequence[str]) -> str:
        """Return the eligibility texts of some programs, each under its name.

        Args:
            programs: Programs of this dialog.
        """
        return "\n\n".join(f"## {name}\n{self.requirements[name].strip()}" for name in programs)

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

        Args:
            question: The question, as the user sees it.
            kind: Whether it repeats an earlier one that brought no value.
            program: The program it is asked for, where known.
            key: The fact it is asked for, where known.
            member: The member it is about, where known.
            line: The line of a generated program that reads the fact.
            code: The text of that line.

        Raises:
            QuestionLimitReached: No question is left.
        """
        if self.questions_left <= 0:
            raise QuestionLimitReached(f"All {self.limit} questions of this dialog are used up.")
        question = " ".join(question.split()) or "(no question)"
        try:
            answer = await self._user.answer(question, self.turns)
        except ModelCallError as error:
            self.fail("user_failed", str(error), program)
            answer = ""
        if len(answer) > ANSWER_LETTERS:
            self.fail("answer_cut", f"an answer of {len(answer)} letters", program)
            answer = answer[:ANSWER_LETTERS]
        turn = Turn(question, answer.strip(), kind, program, key, member, line, code)
        self.turns.append(turn)
        return turn.answer

    def fail(
        self, kind: str, message: str, program: str | None = None, line: int | None = None
    ) -> None:
        """Record something that went wrong and was survived.

        Args:
            kind: Short name under which failures are counted.
            message: What happened.
            program: The program concerned, if it is one.
            line: The line of its generated program.
        """
        self.failures.append(Failure(kind, message[:500], program, line))

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
            ModelCallError: The model did not reply, or has failed too often in this dialog.
        """
        variables.setdefault("eligibility_requirements", self.rules)
        text = self.prompts.render(prompt, **variables)
        system = ""
        if with_dialog:
            system = self.prompts.render("system", eligibility_requirements=self.rules)
            text = f"{_tell(self.turns)}{text}"
        if self._failed_in_a_row.get(role, 0) >= PATIENCE:
            raise ModelCallError(f"{role}: not asked again after {PATIENCE} failures in a row.")
        try:
            reply = await self.models.complete(role, system, text, schema, max_tokens)
        except ModelCallError:
            self._failed_in_a_row[role] = self._failed_in_a_row.get(role, 0) + 1
            raise
        self._failed_in_a_row[role] = 0
        return reply

    async def judge(self, prompt: str, **variables: Any) -> bool | None:
        """Return the dialog model's yes or no to a prompt; `None`, recorded, when it gives none.

        Args:
            prompt: Name of the prompt.
            variables: Its variables.
        """
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
        try:
            reply = await self.complete(
                prompt,
                schema=schema,
                max_tokens=REPLY_TOKENS + 24 * len(wanted),
                eligibility_requirements=self.rules_of(wanted),
                num_programs=len(wanted),
                example_array=example_array(len(wanted)),
                **variables,
            )
        except ModelCallError as error:
            self.fail("model_failed", f"no verdict: {error}")
            return dict.fromkeys(wanted, False)
        verdicts = read_verdicts(reply, wanted)
        for program in wanted:
            if program not in verdicts:
                self.fail("verdict_not_parsed", f"counted as ineligible: {reply!r}", program)
        return {program: verdicts.get(program, False) for program in wanted}


def read_verdicts(reply: str, programs: Sequence[str]) -> dict[str, bool]:
    """Return the verdicts a reply gives, from a JSON object by name or an array in order.

    Args:
        reply: A model's reply.
        programs: The programs asked about.
    """
    found = read_json(reply)
    if isinstance(found, list) and len(found) == len(programs):
        found = dict(zip(programs, found, strict=True))
    if not isinstance(found, dict):
        return {}
    return {name: found[name] for name in programs if isinstance(found.get(name), bool)}


def example_array(length: int) -> str:
    """Return a JSON array of truth values of some length, as an example in prompts.

    Args:
        length: How many.
    """
    return "[" + ", ".join("true" if place % 2 == 0 else "false" for place in range(length)) + "]"


def _tell(turns: Sequence[Turn]) -> str:
    if not turns:
        return "The conversation has not begun yet.\n\n"
    lines = [f"You asked: {turn.question}\nThe user said: {turn.answer}" for turn in turns]
    return "The conversation so far:\n\n" + "\n".join(lines) + "\n\n"
