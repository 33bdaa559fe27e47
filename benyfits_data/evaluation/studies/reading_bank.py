"""How well does a model read? A bank of questions and answers by many authors, read and compared.

`reading_bank.jsonl.xz` holds a line for each household (`household`, its number, and `facts`), each
question (`asks`: the facts it asks for; `gold`: what its author holds a right answer to show), and
each answer (`verdict`: what its author holds it to deserve; `claims` where they were written down).
In the split `test` no author saw a reader; prompts may be tried on `example`.
"""

import json
import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal

from benyfits_data.evaluation.reading import Reader
from benyfits_data.evaluation.record import Turn
from benyfits_data.evaluation.run_options import Options
from benyfits_data.evaluation.scoring import facts_asked, judge_turn
from benyfits_data.evaluation.studies import call_all, completers, count_outcomes
from benyfits_data.household.model import Household
from benyfits_data.rng import stream
from benyfits_data.understanding.facts import Json

BANK = Path(__file__).parent / "reading_bank.jsonl.xz"
OUTCOMES = ("right", "wrong", "not_read")


@dataclass(frozen=True)
class BankItem:
    """A question put to a household, and perhaps an answer given for it.

    Attributes:
        split: `test`, or `example`.
        asks: The facts that the question asks for, as records of requests.
        earlier: The question before, which it may go on with.
        gold: What a right answer shows, by its author: `number`, `names` and the like.
        answer: The answer; empty where the item is a question alone.
        verdict: What the answer deserves, by its author.
        claims: What the answer says, as records of claims; `None` where nobody wrote it down.
    """

    split: Literal["test", "example"]
    household: Household
    question: str
    asks: list[Json]
    earlier: Sequence[str] = ()
    gold: Mapping[str, Any] = field(default_factory=dict)
    answer: str = ""
    verdict: str = ""
    claims: list[Json] | None = None


@cache
def load_bank() -> tuple[BankItem, ...]:
    """Return all items of the bank, in their order."""
    households: dict[int, Household] = {}
    items, names = [], [each.name for each in fields(BankItem)]
    for line in map(json.loads, lzma.decompress(BANK.read_bytes()).splitlines()):
        if "facts" in line:
            facts = line["facts"]
            households[line["household"]] = Household.from_facts(facts, constrained=False)
            continue
        held = {name: line[name] for name in names if name in line}
        items.append(BankItem(**{**held, "household": households[line["household"]]}))
    return tuple(items)


def read_bank(n_items: int, options: Options) -> list[dict[str, Any]]:
    """Return how the reader role reads unseen questions and answers of the bank.

    A reading holds `kind` (question, answer), the `question` and `answer`, what was `expected` and
    `read`, and the `outcome`: a question is read rightly where exactly the facts it asks for are
    found, an answer where what it claims deserves the verdict of its author.

    Args:
        n_items: How many items are drawn.
        options: Who reads; seed of the draw.
    """
    items = [item for item in load_bank() if item.split == "test"]
    drawn = stream(options.seed, "study", "reader").permutation(len(items))[:n_items]
    (models,) = completers(options)
    reader = Reader(options.roles["reader"], models)

    async def read(item: BankItem) -> dict[str, Any]:
        expected, result, is_read = item.verdict, "", True
        if item.answer:
            turn = Turn(item.question, item.answer, asks=item.asks)
            (reading,) = await reader.read_turns([turn], item.earlier, item.household)
            if is_read := reading is not None:
                turn.claims = list(reading[1])
                judge_turn(turn, item.household)
                result = turn.faithfulness
        else:
            expected = _list_facts(item, item.asks)
            question = await reader.read_question(item.question, item.earlier, item.household)
            if is_read := question is not None:
                result = _list_facts(item, list(question))
        outcome = "not_read" if not is_read else "right" if result == expected else "wrong"
        return {
            **{"kind": "answer" if item.answer else "question", "question": item.question},
            **{"answer": item.answer, "expected": expected, "read": result, "outcome": outcome},
        }

    return call_all(read, [items[place] for place in drawn], options)


def _list_facts(item: BankItem, asks: list[Json]) -> str:
    facts = facts_asked(Turn(item.question, "", asks=asks), item.household)
    return ", ".join(sorted(f"{name} {number}" for name, number in facts))


HEADER = ("read", "n", "right %", "from %", "to %", "wrong", "not read")


def tabulate_bank(readings: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """Return outcomes by kind, shares in percent with their 95% intervals."""
    rows = count_outcomes(((reading["kind"] + "s", reading) for reading in readings), OUTCOMES)
    return sorted(rows, reverse=True)
