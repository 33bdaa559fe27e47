"""What questions ask and answers say: our own words are read exactly, others by a language model.

A model reads a dialog once, at its end, and only where a reader is named; no verdict hangs on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benyfits_data.evaluation.conversation import Models
from benyfits_data.evaluation.models import NO_READER
from benyfits_data.evaluation.record import CANONICAL, Turn
from benyfits_data.evaluation.replies import (
    ReplyRefusedError,
    clean_text,
    one_property,
    read_object,
)
from benyfits_data.household.model import Household
from benyfits_data.understanding import canonical
from benyfits_data.understanding.claims import VALUE_SCHEMA, Claims, can_be, claims_of
from benyfits_data.understanding.facts import (
    Json,
    Question,
    base_facts,
    describe_facts,
    items_schema,
    object_schema,
)

READ_TOKENS = 8192
"""Greatest length of what is read, thoughts included; a turn takes some 50 to 300."""
TURNS_AT_ONCE = 10
"""Turns that are read in one call: the list of facts, most of a prompt, is sent once for them."""
REMEMBERED_TURNS = 6
"""Earlier questions that a question may go on with, as in "and your spouse?"."""
AGAIN, CHOICES = "I did not understand. ", " Possible answers:"
"""What our own interpreter puts before and after a question that it puts again."""
NOT_UNDERSTOOD = "I am not sure what you mean."
"""What a user of ours says to a question that was not understood."""
_FACTS = """
`who` is an array of members' numbers, or "everyone"; "household" for facts of the household.
A question about people of some kind asks for what tells who they are: "how many children?" needs
relation and age of everyone. A question about nothing in this list asks for nothing: [].

{facts}
""".strip()
QUESTION_TASK = f"""
You read a question put to a person about their household, and list the facts it asks for in `asks`.

{_FACTS}
""".strip()
TURNS_TASK = f"""
You read questions put to a person about their household, and the answers. For each turn, by its
number, list the facts that the question asks for in `asks`, and what the answer says of facts in
`claims`, whether true or not: the value in the unit below, so that "$100 a week" is 5200 a year.
A yes or no claims what it confirms or denies. What is left open, as in "over 18", is no claim; nor
is what the list does not hold.

{_FACTS}
""".strip()
TurnReading = tuple[Question, Claims]


@dataclass(frozen=True)
class Reader:
    """Reads with a language model, under a JSON schema.

    Attributes:
        name: The model's name.
        models: Who completes prompts; the role `reader` is asked.
    """

    name: str
    models: Models

    async def read_question(
        self, text: str, earlier: Sequence[str], household: Household
    ) -> Question | None:
        """Return what a question asks, `None` where the reply has not the form.

        Args:
            text: The question.
            earlier: Questions before it: "and your spouse?" asks what the last one asked.
            household: Whose members may be meant.
        """
        n_members = len(household.members)
        lines = [*_context(household, earlier), f"Question: {text}"]
        try:
            reply = await self._read(
                QUESTION_TASK, lines, one_property("asks", items_schema(n_members))
            )
            return list(reply["asks"])
        except ReplyRefusedError:
            return None

    async def read_turns(
        self, turns: Sequence[Turn], earlier: Sequence[str], household: Household
    ) -> list[TurnReading | None]:
        """Return what turns ask and say, `None` where the reply has not the form."""
        n_members, numbers = len(household.members), range(1, len(turns) + 1)
        lines = _context(household, earlier)
        for number, turn in zip(numbers, turns, strict=True):
            lines += [f"{number}. Question: {turn.question}", f"{number}. Answer: {turn.answer}"]
        properties = {
            "turn": {"enum": [*numbers]},
            "asks": items_schema(n_members),
            "claims": items_schema(n_members, value=VALUE_SCHEMA),
        }
        schema = one_property("turns", {"type": "array", "items": object_schema(properties)})
        try:
            replies = (await self._read(TURNS_TASK, lines, schema))["turns"]
        except ReplyRefusedError:
            replies = []
        by_number = [[reply for reply in replies if reply["turn"] == number] for number in numbers]
        return [_read_turn(of_turn) for of_turn in by_number]

    async def _read(self, task: str, lines: Sequence[str], schema: Json) -> Json:
        system, prompt = task.format(facts=describe_facts()), "\n".join(lines)
        reply = await self.models.complete("reader", system, prompt, schema, READ_TOKENS)
        return read_object(clean_text(reply.text), schema)


def _read_turn(replies: Sequence[Json]) -> TurnReading | None:
    claims = [claim for reply in replies for claim in reply["claims"]]
    is_read = len(replies) == 1 and all(can_be(claim["fact"], claim["value"]) for claim in claims)
    return (replies[0]["asks"], claims) if is_read else None


def _context(household: Household, earlier: Sequence[str]) -> list[str]:
    """Return what a reader is told beside a question: the members, and the questions before."""
    members = "; ".join(
        f"{number}: {member.name} ({member.relation}, {member.sex})"
        for number, member in enumerate(household.members)
    )
    introduced = f"Members: {members}. Member 0 is the person who answers."
    return [introduced, *(f"Asked before: {question}" for question in earlier)]


def make_reader(name: str, models: Models) -> Reader | None:
    """Return who reads English in a run; nobody where no model does.

    Args:
        name: A model's name, or `none`.
        models: Who completes prompts.
    """
    return None if name == NO_READER else Reader(name, models)


class DialogReading:
    """Reads the turns of one dialog, and answers for users of ours, who tell the facts.

    Args:
        household: The household that is spoken of; its first member answers.
        reader: Who reads what is not in our own words; nobody unless given.
    """

    def __init__(self, household: Household, reader: Reader | None = None) -> None:
        self.household = household
        self._reader = reader
        self._asked: dict[str, Question | None] = {}

    async def _read_question(self, text: str, turns: Sequence[Turn]) -> Question | None:
        if self._reader and text not in self._asked:
            earlier = _last_questions(turns)
            self._asked[text] = await self._reader.read_question(text, earlier, self.household)
        return self._asked.get(text)

    async def answer(self, question: str, turns: Sequence[Turn]) -> str:
        """Return what the applicant says who tells the facts as they are.

        Args:
            question: A canonical question is answered in canonical words, any other by sentences
                that state the facts that were read in it.
            turns: The dialog so far.
        """
        said = canonical.answer(_plain(question), self.household)
        if said is None and (asked := await self._read_question(question, turns)) is not None:
            said = canonical.state(asked, self.household)
        return NOT_UNDERSTOOD if said is None else said

    def read_exactly(self, turn: Turn) -> None:
        """Give a turn what it asks and says where that is word for word ours."""
        home, reader = self.household, CANONICAL
        asked, said = (
            canonical.read_question(_plain(turn.question), home),
            canonical.answer(_plain(turn.question), home),
        )
        if asked is None and self._reader:
            asked, reader = self._asked.get(turn.question), self._reader.name
            said = None if asked is None else canonical.state(asked, home)
        if asked is not None:
            turn.asks = list(asked)
        if turn.answer in (said, NOT_UNDERSTOOD):
            facts = base_facts(asked or (), len(home.members)) if turn.answer == said else ()
            turn.claims = claims_of(facts, home)
            turn.reader = reader

    async def read(self, turns: Sequence[Turn]) -> None:
        """Give the turns of a finished dialog what the reader reads in them, if there is one.

        What was read exactly stays; what the reader does not reply in the form stays unread.

        Raises:
            InfrastructureError: The reader cannot be reached.
        """
        if self._reader is None:
            return
        left = [turn for turn in turns if turn.claims is None]
        for start in range(0, len(left), TURNS_AT_ONCE):
            batch = left[start : start + TURNS_AT_ONCE]
            earlier = _last_questions(turns[: turns.index(batch[0])])
            readings = await self._reader.read_turns(batch, earlier, self.household)
            for turn, reading in zip(batch, readings, strict=True):
                if reading is not None:
                    asks, claims = reading
                    turn.claims = list(claims)
                    turn.reader = self._reader.name
                    if turn.asks is None:
                        turn.asks = list(asks)


def _plain(question: str) -> str:
    return question.removeprefix(AGAIN).partition(CHOICES)[0]


def _last_questions(turns: Sequence[Turn]) -> list[str]:
    return [turn.question for turn in turns[-REMEMBERED_TURNS:]]
