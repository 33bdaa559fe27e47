"""Does a user answer faithfully? The paper's check by hand, made automatic.

Questions are drawn from those that a dataset gives rise to: the canonical question for every fact
that the programs of a row read, of every member, and general questions about the household. What
an answer says is read as in a run, and held against the household.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.error_analysis import find_facts, judge_turn
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.evaluation.players.users import make_user
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.record import VERDICTS
from benyfits_data.evaluation.run_options import Options
from benyfits_data.evaluation.studies.study_calls import call_all, completers, share
from benyfits_data.evaluation.turn_reading import TurnReader, make_reader
from benyfits_data.household.features import MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.language.source import features_read
from benyfits_data.rng import stream
from benyfits_data.understanding.canonical import ask_fact
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.people import EVERYBODY, OTHERS, OWN_CHILDREN, YOU, People
from benyfits_data.understanding.query import Query, QueryLimit

ANSWERS_PER_HOUSEHOLD = 5
"""A model reads a profile once for the questions about it; more households say more."""
GENERAL_SHARE = 0.25
GENERAL: Mapping[str, Query] = {
    "Who lives with you?": Query("who", OTHERS),
    "How many people are there in your household with you?": Query("count"),
    "How many children under 18 live in your household?": Query("count", People(below=18)),
    "How many adults are there in your household?": Query("count", People(at_least=18)),
    "Are you married?": Query("is", YOU, "married"),
    "Do you have any children?": Query("is", People(relations=OWN_CHILDREN)),
    "How old is the youngest person in your household?": Query(
        "value", People(pick="youngest"), "age"
    ),
    "How old is the oldest person in your household?": Query("value", People(pick="oldest"), "age"),
    "Does anyone in your household have a disability?": Query("is", EVERYBODY, "disabled"),
    "Who in your household has a disability?": Query("who", EVERYBODY, "disabled"),
    "Is anyone in your household pregnant?": Query("is", EVERYBODY, "pregnant"),
    "Does anyone in your household work?": Query("is", EVERYBODY, "employed"),
    "Who in your household works?": Query("who", EVERYBODY, "employed"),
    "What is the total yearly income of your household?": Query(
        "value", EVERYBODY, "household_income"
    ),
    "Is your household income more than $40,000 a year?": Query(
        "is", EVERYBODY, "household_income", limit=QueryLimit(">", 40_000, "year")
    ),
    "Is everyone in your household a US citizen?": Query(
        "is", EVERYBODY, "citizenship", value="citizen_or_national", of_all=True
    ),
    "Is anyone in your household 65 or older?": Query("is", People(at_least=65)),
    "Do you rent or own your home?": Query("value", EVERYBODY, "tenure"),
    "Does your household receive SNAP?": Query("is", EVERYBODY, "receives_snap"),
    "Do you live in New York City?": Query(
        "is", EVERYBODY, "place_of_residence", value="New York City"
    ),
}
"""General questions, and what they ask."""
Question = tuple[str, str | None, int | None]
"""A question, with the fact and the member it asks about where it is about one fact."""


@dataclass(frozen=True)
class _Asked:
    id: str
    row: PlannedDialog
    household: Household
    question: str
    key: str | None = None
    member: int | None = None


def answer_questions(
    rows: Sequence[PlannedDialog], n_answers: int, options: Options
) -> list[dict[str, Any]]:
    """Return the answers of the user role to drawn questions, judged.

    An answer holds its `id` (the row and the number of its question), `question`, `answer`, the
    `fact` with its true value, the `verdict`, and its `reader`, empty where it was not read.

    Args:
        rows: The dataset.
        n_answers: How many answers.
        options: Who answers; seed of the draw.
    """
    asked = draw_questions(rows, n_answers, options.seed)
    prompts, (models,) = Prompts(options.prompts), completers(options)
    reader = make_reader(options.roles["reader"], models)

    async def ask(item: _Asked) -> dict[str, Any]:
        reading = TurnReader(item.household, reader, known=GENERAL)
        user = make_user(
            options.roles["user"],
            item.row.profile,
            item.household,
            reading,
            models,
            prompts,
            is_proven=options.is_proven,
            style=options.style,
        )
        conversation = Conversation(
            item.row.programs,
            item.row.requirements,
            user,
            models,
            prompts,
            stream(options.seed, "study", item.id),
            item.row.edition,
            reading.read,
        )
        await conversation.ask(item.question, key=item.key, member=item.member)
        (turn,) = conversation.turns
        fact, verdict = find_facts(turn, item.household), judge_turn(turn, item.household)
        return {
            **{"id": item.id, "question": item.question, "answer": turn.answer},
            **{"fact": fact, "verdict": verdict, "reader": turn.reader},
        }

    return call_all(ask, asked, options)


def draw_questions(rows: Sequence[PlannedDialog], n_answers: int, seed: int) -> list[_Asked]:
    """Return that many questions, some about each household drawn, those of one together."""
    draw = stream(seed, "study", "user")
    asked: list[_Asked] = []
    order: list[int] = []
    while len(asked) < n_answers:
        order = order or draw.permutation(len(rows)).tolist()
        row = rows[order.pop()]
        household = Household.from_facts(row.household, constrained=False)
        facts = _facts_asked(row, household)
        for _ in range(min(ANSWERS_PER_HOUSEHOLD, n_answers - len(asked))):
            question: Question = (list(GENERAL)[draw.integers(len(GENERAL))], None, None)
            if draw.random() >= GENERAL_SHARE:
                question = facts[draw.integers(len(facts))]
            asked.append(_Asked(f"{row.id}/{len(asked)}", row, household, *question))
    return asked


def _facts_asked(row: PlannedDialog, household: Household) -> list[Question]:
    """The canonical questions for all facts that the programs of a row read."""
    edition = load_edition(row.edition)
    keys = {key for name in row.programs for key in features_read(edition.program(name).checker)}
    asked: list[Question] = [(ask_fact(MEMBERS_KEY, ""), MEMBERS_KEY, None)]
    for key in sorted(keys):
        if key not in MEMBER_FEATURES:
            asked.append((ask_fact(key, ""), key, None))
            continue
        for number, member in enumerate(household.members):
            asked.append((ask_fact(key, member.name if number else "you"), key, number))
    return asked


HEADER = ("verdict", "answers", "share %", "from %", "to %")


def tabulate_verdicts(answers: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """Return the number and share of each verdict, with 95% intervals."""
    counts = Counter(answer["verdict"] for answer in answers)
    return [(name, counts[name], *share(counts[name], len(answers))) for name in VERDICTS]
