"""How good is a reader? It plays banks of questions and answers of which gold is known.

The banks are one archive beside this module, `reading_banks.jsonl.xz`: a line for each household,
question and answer. docs/dataset.md lists its keys.
"""

import json
import lzma
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.run_options import Options
from benyfits_data.evaluation.studies.study_calls import call_all, completers
from benyfits_data.evaluation.turn_reading import make_reader
from benyfits_data.household.model import Household
from benyfits_data.understanding.claims import Claims, judge, true_stance
from benyfits_data.understanding.model_reader import ModelReader
from benyfits_data.understanding.query import Queries, Query, QueryEvaluation, evaluate
from benyfits_data.understanding.reading_schema import Context

BANKS = Path(__file__).parent / "reading_banks.jsonl.xz"
OUTCOMES = ("right", "false", "not understood")
JUDGED = ("right", "falsely accepted", "falsely refused", "not read")


@dataclass(frozen=True)
class BankItem:
    """A question put to a household, or an answer given for it.

    Attributes:
        bank: The bank's letter.
        kind: The kind of question or answer.
        household: The household.
        question: The question's words.
        earlier: Questions before it.
        queries: What it asks; empty where no query says it.
        gold: What a right answer shows, by name; empty for answers.
        answer: The answer; nothing for questions.
        verdict: The verdict it deserves.
        claims: What it says, where that was written down.
    """

    bank: str
    kind: str
    household: Household
    question: str
    earlier: tuple[str, ...]
    queries: Queries
    gold: Mapping[str, Any]
    answer: str | None = None
    verdict: str = ""
    claims: Claims | None = None

    @property
    def context(self) -> Context:
        """What a reader may know."""
        return Context.of(self.household, self.earlier)


@cache
def load_banks() -> tuple[BankItem, ...]:
    """Return the questions and answers of the unseen banks, the split `test`."""
    lines = map(json.loads, lzma.decompress(BANKS.read_bytes()).splitlines())
    households: dict[int, Household] = {}
    items = []
    for line in lines:
        if "facts" in line:
            facts = line["facts"]
            households[line["household"]] = Household.from_facts(facts, constrained=False)
        elif line["split"] == "test":
            items.append(_item(line, households[line["household"]]))
    return tuple(items)


def _item(line: Mapping[str, Any], household: Household) -> BankItem:
    return BankItem(
        line["bank"],
        line["kind"],
        household,
        line["question"],
        tuple(line.get("earlier", ())),
        tuple(map(Query.from_record, line.get("queries", ()))),
        line.get("gold", {}),
        line.get("answer"),
        line.get("verdict", ""),
        Claims.from_record(line["claims"]) if "claims" in line else None,
    )


def draw(items: Sequence[BankItem], limit: int | None) -> list[BankItem]:
    """Return at most as many items, spread over the banks; questions without queries are left."""
    known = [item for item in items if item.queries or item.answer is not None]
    step = 1 if limit is None else max(1, -(-len(known) // limit))
    return known[::step]


async def play(reader: ModelReader, item: BankItem) -> dict[str, Any]:
    """Return how a reader reads an item: a question, or an answer with its question."""
    queries = await reader.read_question(item.question, item.context)
    if item.answer is None:
        outcome = question_outcome(queries, item)
        read: Any = queries and [query.to_record() for query in queries]
    else:
        claims = await reader.read_answer(item.question, queries or (), item.answer, item.context)
        outcome = answer_outcome(queries or (), claims, item)
        read = claims and claims.to_record()
    names = ("bank", "kind", "question", "answer")
    return {**{name: getattr(item, name) for name in names}, "outcome": outcome, "read": read}


def question_outcome(read: Queries | None, item: BankItem) -> str:
    """Return whether what was read tells what gold tells, of the item's household."""
    if read is None:
        return "right" if item.gold.get("unknown") else "not understood"
    return "right" if tell_the_same(read, item.queries, item.household) else "false"


def answer_outcome(queries: Queries, claims: Claims | None, item: BankItem) -> str:
    """Return whether the verdict that follows from claims is the right one."""
    if claims is None:
        return "not read"
    verdict = judge(queries, claims, item.household).verdict
    if verdict == item.verdict:
        return "right"
    return "falsely accepted" if verdict == "faithful" else "falsely refused"


def tell_the_same(read: Queries, gold: Queries, household: Household) -> bool:
    """Return whether two readings of a question have the same answer."""
    ours = [evaluate(query, household) for query in read]
    wanted = [evaluate(query, household) for query in gold]
    if all(evaluation.query.asks_whether and evaluation.is_known for evaluation in wanted):
        return true_stance(ours) == true_stance(wanted)
    return all(any(_is_same(one, evaluation) for one in ours) for evaluation in wanted)


def _is_same(one: QueryEvaluation, wanted: QueryEvaluation) -> bool:
    if not (one.is_known and wanted.is_known):
        return one.is_known == wanted.is_known
    how = wanted.query.how
    if how == "is":
        return bool(true_stance([one]) == wanted.answer)
    if how == "who" or wanted.query.fact is None:
        return _holders(one) == _holders(wanted)
    if how == "count":
        n = one.answer if one.query.how == "count" else len(_holders(one))
        return bool(n == wanted.answer)
    if how == "sum":
        total = one.answer if one.query.how == "sum" else sum(_numbers(one))
        return bool(total == wanted.answer)
    if how == "which":
        return one.query.fact == wanted.query.fact and one.people == wanted.people
    return sorted(map(str, _shown(one))) == sorted(map(str, _shown(wanted)))


def _holders(evaluation: QueryEvaluation) -> set[int | None]:
    return {value.member for value in evaluation.values if value.holds}


def _shown(evaluation: QueryEvaluation) -> list[Any]:
    return [
        value.value for value in evaluation.values if value.holds or not evaluation.query.extreme
    ]


def _numbers(evaluation: QueryEvaluation) -> list[float]:
    return [value for value in _shown(evaluation) if isinstance(value, int | float)]


def compare(
    read: Mapping[str, Sequence[Mapping[str, Any]]], *, of_answers: bool
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return header and rows of a table: by kind and reader, the share of each outcome in percent.

    Args:
        read: What `play` returned, by reader.
        of_answers: Whether it is a table of answers, or of questions.
    """
    names = JUDGED if of_answers else OUTCOMES
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for reader, items in read.items():
        for item in items:
            if (item["answer"] is not None) == of_answers:
                counts[item["kind"], reader][item["outcome"]] += 1
                counts["all", reader][item["outcome"]] += 1
    header = ["kind", "reader", "answers" if of_answers else "questions"]
    rows = [
        (*key, n.total(), *(round(100 * n[name] / n.total(), 1) for name in names))
        for key, n in sorted(counts.items(), key=lambda entry: (entry[0][0] == "all", entry[0]))
    ]
    return [*header, *(f"{name} %" for name in names)], rows


def measure(items: Sequence[BankItem], options: Options) -> list[dict[str, Any]]:
    """Return how the model of the role `reader` reads each item, as it reads in a run.

    Raises:
        EvaluationError: Nobody plays that role.
    """
    (models,) = completers(options)
    reader = make_reader(options.roles["reader"], models)
    if reader is None:
        raise EvaluationError("--reader-model none reads nothing. Name a model.")

    async def read(item: BankItem) -> dict[str, Any]:
        return await play(reader, item)

    return call_all(read, items, options)
