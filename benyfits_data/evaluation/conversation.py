"""What an agent sees and does during one dialog: rules, questions, answers, model calls.

Everything an agent does goes through here, so that turns are counted, limits hold and failures
are recorded in the same way for every agent.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from traceback import StackSummary, TracebackException
from typing import Any, Literal, Protocol

import anyio
import numpy as np

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.fact_answers import FactAnswer, SettledFacts, question_of
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.record import Failure, Turn, TurnKind
from benyfits_data.evaluation.replies import (
    ReplyRefusedError,
    clean_text,
    one_property,
    read_object,
)
from benyfits_data.understanding.facts import object_schema
from benyfits_data.understanding.typed import NOTHING, read_value

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
CODE_TOKENS = 8192
"""Greatest lengths, thoughts included: with 256, models that think first never came to an answer.
Others stop long before; `--max-tokens` sets them where a context is small."""

EMPTY_QUESTIONS = 3
"""Questions in a row that may be empty: what keeps a model from asking thrice keeps it for ever."""
FIRST_DIALOGS = 3
"""Dialogs that have to fail alike: one or two may be of a household that the agent's author did not
think of, and every dialog more may cost calls of a model."""
AT_ONCE = "NothingAskedError"
"""Of what one dialog is enough: it has tried several times already."""
LONGEST_TRACEBACK = 5000
"""Characters of a traceback that are kept: its end, which says what went wrong."""

NOT_PLAYED = "not played: the first dialogs failed alike: "
_BOOLEAN = {"type": "boolean"}


class QuestionLimitReached(EvaluationError):
    """The dialog has used up its questions; the agent must decide now."""


class NothingAskedError(EvaluationError):
    """Several questions in a row were empty: nothing comes of this dialog or of others like it."""


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
        model: Who replied, as the server names it.
    """

    text: str
    stop: StopKind = "stop"
    notes: tuple[tuple[str, str], ...] = ()
    model: str = ""


class User(Protocol):
    """Whoever answers the questions."""

    async def answer(self, question: str, turns: Sequence[Turn]) -> str | Completion:
        """Return the reply to a question, given the earlier turns."""


Note = Callable[[Turn], None]


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


class Conversation:
    """One dialog in progress.

    Attributes:
        stage: What is being done, for messages on what went wrong meanwhile.
        verdicts_refused: Why no verdict of the dialog could be read; empty where some could.

    Args:
        programs: The programs the user is interested in.
        requirements: Their eligibility texts.
        user: Who answers.
        models: Who completes prompts.
        prompts: The prompts in force.
        random: The agent's own random stream.
        edition: Year of the rules.
        note: Is shown each turn as it is made.
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
        note: Note | None = None,
        limit: int | None = None,
    ) -> None:
        self.limit = paper_limit(len(programs)) if limit is None else limit
        self.programs = list(programs)
        self.requirements = {program: requirements[program] for program in programs}
        self.random = random
        self.turns: list[Turn] = []
        self.edition = edition
        self.settled = SettledFacts()
        self.prompts = prompts
        self.models = models
        self.failures: list[Failure] = []
        self.code: dict[str, str] = {}
        self.traces: dict[str, list[int]] = {}
        self.stage = "in the agent"
        self.verdicts_refused = ""
        self._user = user
        self._note = note
        self._noted: set[str] = set()

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
            self._stop_if_hopeless()
            return ""
        self.stage = "the user answers"
        reply = await self._user.answer(question, self.turns)
        self.stage = "in the agent"
        if not isinstance(reply, Completion):
            reply = Completion(reply)
        self.record(reply, "user, an answer", program)
        if len(reply.text) > ANSWER_LETTERS:
            self.fail("answer_cut", f"an answer of {len(reply.text)} letters", program)
        answer = clean_text(reply.text, ANSWER_LETTERS).strip()
        turn = Turn(question, answer, kind, program, key, member, line, code)
        if self._note is not None:
            self._note(turn)
        self.turns.append(turn)
        return turn.answer

    async def ask_fact(self, fact: str, member: int | None = None) -> FactAnswer:
        """Return what the user says of one fact, asked in canonical words; it counts as a turn.

        What relation, age and sex told so far settle is not asked: its answer has no text.

        Args:
            fact: A feature's name, or `number_of_members`.
            member: The member's number, 0 for the speaker; nothing for a fact of the household.

        Raises:
            EvaluationError: There is no such fact, or it is not one of a member's.
            QuestionLimitReached: No question is left.
        """
        question = question_of(fact, member)
        if (value := self.settled.value(fact, member)) is not NOTHING:
            return FactAnswer("", value, is_told=True)
        answer = await self.ask(question, key=fact, member=member)
        if (value := read_value(fact, answer)) is NOTHING:
            return FactAnswer(answer)
        self.settled.learn(fact, member, value)
        return FactAnswer(answer, value, is_told=True)

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
        """Return a model's reply to a prompt, as a text.

        Args:
            prompt: Name of the prompt.
            role: Which model.
            schema: JSON schema of the reply.
            max_tokens: Longest reply.
            with_dialog: Whether the model sees the rules of all programs and the dialog so far.
            variables: The prompt's variables besides `eligibility_requirements` and `dialog`.

        Raises:
            EvaluationError: The role is played without a model.
            InfrastructureError: The model cannot be reached, or refuses the call.
        """
        variables.setdefault("eligibility_requirements", self.rules)
        variables.setdefault("dialog", _tell(self.turns))
        text = self.prompts.render(prompt, **variables)
        system = ""
        if with_dialog:
            system = self.prompts.render("system", eligibility_requirements=self.rules)
            text = f"{variables['dialog']}\n\n{text}"
        self.stage = f"the {role} model replies to {prompt}"
        reply = await self.models.complete(role, system, text, schema, max_tokens)
        self.stage = "in the agent"
        self.record(reply, f"{role}, {prompt}, at most {max_tokens} tokens")
        # Of JSON that was cut off nobody knows how it would have ended.
        return "" if schema and reply.stop != "stop" else clean_text(reply.text)

    async def complete_object(
        self, prompt: str, schema: dict[str, Any], **how: Any
    ) -> dict[str, Any] | None:
        """Return the object that a model replies with; `None`, recorded, where it gives none.

        Args:
            prompt: Name of the prompt.
            schema: JSON schema of the object.
            how: What else `complete` takes; errors are those of it.
        """
        reply = await self.complete(prompt, schema=schema, **how)
        if not reply:
            return None
        try:
            return read_object(reply, schema)
        except ReplyRefusedError as error:
            self.fail("reply_not_parsed", f"{prompt}: {error}: {reply!r}")
            return None

    async def judge(self, prompt: str, **variables: Any) -> bool | None:
        """Return the dialog model's yes or no to a prompt; `None`, recorded, when it gives none."""
        reply = await self.complete_object(prompt, one_property("ready", _BOOLEAN), **variables)
        return None if reply is None else reply["ready"]

    async def predict(
        self, programs: Sequence[str] | None = None, prompt: str = "predict", **variables: Any
    ) -> dict[str, bool]:
        """Return the dialog model's verdict per program, under constrained decoding.

        Where the reply is refused, each program is recorded as a failure and counts as ineligible.

        Args:
            programs: The programs to decide about; all unless given.
            prompt: Name of the prompt.
            variables: Its variables besides those of appendix C.
        """
        wanted = list(programs if programs is not None else self.programs)
        verdicts = await self.complete_object(
            prompt,
            object_schema(dict.fromkeys(wanted, _BOOLEAN)),
            max_tokens=REPLY_TOKENS + 24 * len(wanted),
            eligibility_requirements=self.rules_of(wanted),
            num_programs=len(wanted),
            example_object=example_object(wanted),
            **variables,
        )
        if verdicts is None:
            if wanted == self.programs:
                self.verdicts_refused = (
                    f"{self.failures[-1].message[:200]}. Play a model that replies under JSON "
                    "schemas, or give --keep-going."
                )
            for program in wanted:
                self.fail("verdict_not_parsed", "no verdict: counted as ineligible", program)
        return verdicts or dict.fromkeys(wanted, False)

    def _stop_if_hopeless(self) -> None:
        """End a dialog in which nothing is asked any more.

        Raises:
            NothingAskedError: As many questions as `EMPTY_QUESTIONS` in a row were empty.
        """
        last = self.turns[-EMPTY_QUESTIONS:]
        if len(last) < EMPTY_QUESTIONS or any(turn.question != NO_QUESTION for turn in last):
            return
        kinds = ("reply_", "context_full")
        why = next((f for f in reversed(self.failures) if f.kind.startswith(kinds)), None)
        cause = f" ({why.kind.replace('_', ' ')}: {why.message[:120]})" if why else ""
        raise NothingAskedError(
            f"{EMPTY_QUESTIONS} questions in a row were empty{cause}. A model that thinks at "
            "length needs --max-tokens; `inspect view` shows what was sent."
        )


def paper_limit(n_programs: int) -> int:
    """Return how many questions the paper gives a dialog about so many programs."""
    return min(QUESTIONS, QUESTIONS_PER_PROGRAM * n_programs)


def example_object(programs: Sequence[str]) -> str:
    """Return a JSON object with a truth value for each program, as an example in prompts."""
    return json.dumps({name: place % 2 == 0 for place, name in enumerate(programs)})


def _tell(turns: Sequence[Turn]) -> str:
    if not turns:
        return "The conversation has not begun yet."
    lines = [f"You asked: {turn.question}\nThe user said: {turn.answer}" for turn in turns]
    return "The conversation so far:\n\n" + "\n".join(lines)


class NotPlayedError(EvaluationError):
    """A dialog is left unscored because its run was stopped."""


def format_traceback(error: BaseException, agent_path: Path | None) -> str:
    """Return the traceback of an error, from the first line of the agent's own file on.

    Args:
        error: What was raised in a dialog.
        agent_path: The file of the agent; `None` where it has none.
    """
    report = TracebackException.from_exception(error)
    places = [n for n, frame in enumerate(report.stack) if Path(frame.filename) == agent_path]
    if places:
        report.stack = StackSummary.from_list(report.stack[places[0] :])
    elif isinstance(error, EvaluationError):
        # An error of ours says itself what is wrong; our own lines would tell nobody more.
        report.stack = StackSummary()
    return clean_text("".join(report.format()))[-LONGEST_TRACEBACK:].strip()


def describe_exception(error: BaseException) -> str:
    """Return an exception in one line."""
    text = clean_text(" ".join(str(error).split()), 300)
    return f"{type(error).__name__}: {text}"


class BreakOffs:
    """Stops a run whose first dialogs all fail alike.

    Args:
        dialogs: How many are planned; 0 to play on whatever happens.
        show: Is told how many dialogs have ended more: 0 at each turn, 1 at the end of each.
    """

    def __init__(self, dialogs: int = 0, show: Callable[[int], object] = lambda n: None) -> None:
        self.show = show
        self._reason = ""
        self._patience = min(FIRST_DIALOGS, dialogs)
        self._ends: list[str] = []
        self._scopes: set[anyio.CancelScope] = set()

    @contextmanager
    def dialog(self) -> Iterator[None]:
        """Play a dialog in this context.

        Raises:
            NotPlayedError: The run was stopped, before or meanwhile.
        """
        scope = anyio.CancelScope()
        if self._reason:
            raise NotPlayedError(self._reason)
        self._scopes.add(scope)
        try:
            with scope:
                yield
        finally:
            self._scopes.remove(scope)
        if scope.cancelled_caught:
            raise NotPlayedError(self._reason)

    def note(self, kind: str, reason: str = "") -> None:
        """Note how a dialog failed, and why; the kind is empty if it did not."""
        self.show(1)
        self._ends.append(kind)
        needed = min(self._patience, 1) if kind == AT_ONCE else self._patience
        if kind and needed and self._ends == [kind] * needed:
            self._reason = NOT_PLAYED + reason.rstrip(".")
            for scope in self._scopes:
                scope.cancel()
