"""Any language model as a reader: constrained decoding under a schema, temperature 0."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from benyfits_data.understanding.claims import Claims
from benyfits_data.understanding.query import Queries
from benyfits_data.understanding.reading_schema import (
    Context,
    claims_of,
    claims_schema,
    describe_facts,
    names_of,
    queries_of,
    query_schema,
)

Complete = Callable[[str, str, dict[str, Any]], Awaitable[str]]
"""Returns a model's reply to a system text and a prompt, decoded under a JSON schema."""
MOST_TOKENS = 1500
_FORM = """
Facts that a question or an answer may be about (`people`: who lives there, nothing else of them):

{facts}

`who` lists members by name, "you" for the person spoken to, relations to that person, "everybody"
or "everybody but you"; sex, ages (age_below 0: no limit) and pick narrow it down. per: the time an
amount of money is for, where it is said.
""".strip()
QUESTION_TASK = f"""
You read a question that is put to a person about their household, and write down what it asks.
One query for each thing asked:
how: value (what is it), is (yes or no: is it so of any; of_all: of all of them), who (of whom is it
so), count (of how many), sum (all values added up), which (which facts of a group).
value: the choice asked about. sign, number, up_to: the limit or range asked about, else "" and 0.
inverted: those are meant of whom it is not so. denies: the question denies ("you don't work?").
among: whom the people are asked to be ("is Rob your child?"). than: whom they are compared with.
extreme: only the largest or smallest value. joint: "and" or "or" where a query goes on from the one
before. A thing that no fact tells is `not_known`. understood: false where you cannot tell.

{_FORM}
""".strip()
ANSWER_TASK = f"""
You read what a person answered to a question about their household, and write down what it says,
whether true or not. One claim for each fact said:
how: each (of each of them), any (of some of them), only (of them alone), count (how many they are),
sum (what theirs add up to). sign: how the true value is said to stand to value. value: yes or no, a
number, a choice by its name, or a day; "never" where there is none.
stance: "yes" or "no" where the answer says whether what was asked is so, else "". says_nothing: it
evades, or does not know. adds: what it tells beside that none of the facts holds. understood: false
where you cannot tell.

{_FORM}
""".strip()


class ModelReader:
    """Reads with a language model.

    Args:
        name: The model's name.
        complete: How it is asked.
    """

    def __init__(self, name: str, complete: Complete) -> None:
        self.name = name
        self._complete = complete

    async def read_question(self, text: str, context: Context) -> Queries | None:
        """Return what a question asks, `None` where it is not understood."""
        earlier = "".join(f"Asked before: {question}\n" for question in context.earlier)
        prompt = f"{_tell_members(context)}\n{earlier}Question: {text}"
        return queries_of(await self._read(QUESTION_TASK, prompt, query_schema(context)), context)

    async def read_answer(
        self, question: str, queries: Queries, text: str, context: Context
    ) -> Claims | None:
        """Return what an answer says, `None` where it is not understood."""
        asked = json.dumps([query.to_record() for query in queries])
        prompt = f"{_tell_members(context)}\nQuestion: {question}\nIt asks: {asked}\nAnswer: {text}"
        return claims_of(await self._read(ANSWER_TASK, prompt, claims_schema(context)), context)

    async def _read(self, task: str, prompt: str, schema: dict[str, Any]) -> Any:
        reply = await self._complete(task.format(facts=describe_facts()), prompt, schema)
        try:
            return json.loads(reply)
        except (ValueError, RecursionError):
            return None


def _tell_members(context: Context) -> str:
    members = zip(names_of(context), context.relations, strict=True)
    return "Household: " + "; ".join(f"{name} ({relation})" for name, relation in members)


def open_reader(name: str) -> ModelReader:
    """Return a model of Inspect by its name as a reader."""
    from inspect_ai.model import (
        ChatMessageSystem,
        ChatMessageUser,
        GenerateConfig,
        ResponseSchema,
        get_model,
    )
    from inspect_ai.util import JSONSchema

    model = get_model(name)

    async def complete(system: str, prompt: str, schema: dict[str, Any]) -> str:
        response = ResponseSchema(
            name="reading", json_schema=JSONSchema.model_validate(schema), strict=True
        )
        config = GenerateConfig(temperature=0, max_tokens=MOST_TOKENS, response_schema=response)
        said = ChatMessageSystem(content=system), ChatMessageUser(content=prompt)
        return (await model.generate([*said], config=config)).completion

    return ModelReader(name, complete)
