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
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.evaluation.players.users import make_user
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.reading import DialogReading, make_reader
from benyfits_data.evaluation.record import VERDICTS
from benyfits_data.evaluation.run_options import Options
from benyfits_data.evaluation.scoring import judge_turn
from benyfits_data.evaluation.studies import call_all, completers, share
from benyfits_data.household.features import MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.language.source import features_read
from benyfits_data.rng import stream
from benyfits_data.understanding.canonical import ask_fact, name_member
from benyfits_data.understanding.facts import MEMBERS_KEY

ANSWERS_PER_HOUSEHOLD = 5
"""A model reads a profile once for the questions about it; more households say more."""
GENERAL_SHARE = 0.25
GENERAL = (
    "Who lives with you?",
    "How many people are there in your household with you?",
    "How many children under 18 live in your household?",
    "How many adults are there in your household?",
    "Are you married?",
    "Do you have any children?",
    "How old is the youngest person in your household?",
    "How old is the oldest person in your household?",
    "Does anyone in your household have a disability?",
    "Who in your household has a disability?",
    "Is anyone in your household pregnant?",
    "Does anyone in your household work?",
    "Who in your household works?",
    "What is the total yearly income of your household?",
    "Is your household income more than $40,000 a year?",
    "Is everyone in your household a US citizen?",
    "Is anyone in your household 65 or older?",
    "Do you rent or own your home?",
    "Does your household receive SNAP?",
    "Do you live in New York City?",
)
"""General questions, in words that a reader has to read."""
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
        reading = DialogReading(item.household, reader)
        user = make_user(options.roles["user"], item.row.profile, reading, models, prompts)
        conversation = Conversation(
            item.row.programs,
            item.row.requirements,
            user,
            models,
            prompts,
            stream(options.seed, "study", item.id),
            item.row.edition,
            reading.read_exactly,
        )
        await conversation.ask(item.question, key=item.key, member=item.member)
        await reading.read(conversation.turns)
        (turn,) = conversation.turns
        judge_turn(turn, item.household)
        return {
            **{"id": item.id, "question": item.question, "answer": turn.answer},
            **{"fact": turn.fact, "verdict": turn.faithfulness, "reader": turn.reader},
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
            question: Question = (GENERAL[draw.integers(len(GENERAL))], None, None)
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
        for number in range(len(household.members)):
            asked.append((ask_fact(key, name_member(number)), key, number))
    return asked


HEADER = ("verdict", "answers", "share %", "from %", "to %")


def tabulate_verdicts(answers: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """Return the number and share of each verdict, with 95% intervals."""
    counts = Counter(answer["verdict"] for answer in answers)
    return [(name, counts[name], *share(counts[name], len(answers))) for name in VERDICTS]
