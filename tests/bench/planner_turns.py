"""Questions that the planner asks truthful households of the recorded sets, beside par.

`python -m tests.bench.planner_turns` prints mean, median and more for each set; it takes minutes.
"""

import json
from collections.abc import Callable, Mapping, Sequence

import click
import numpy as np

from benyfits_data.dataset import Row, read_rows
from benyfits_data.editions import load_edition
from benyfits_data.household.model import Household, most_members
from benyfits_data.language.partial import household_facts
from benyfits_data.par import row_digest
from benyfits_data.parallel import run_tasks
from benyfits_data.planner import SIZE_QUESTION, Interview, Planner, Question
from benyfits_data.recorded import carried_editions, read_recorded_par, unpack

SETS = ("diverse", "representative-25")
COLUMNS = ("mean", "median", "p90", "most", "times par")


def hold(
    planner: Planner, household: Household, knows: Callable[[Question], bool] = lambda _: True
) -> tuple[Interview, list[Question]]:
    """Return a finished interview with somebody truthful, and what was asked, each once."""
    facts, size = household_facts(household), len(household.members)
    interview, asked = Interview(planner), list[Question]()
    while question := interview.next_question():
        assert question not in asked
        asked.append(question)
        if not knows(question):
            interview.answer(question, {})
        elif question == SIZE_QUESTION:
            interview.answer(question, {}, size)
        else:
            fact = question.feature, question.member
            interview.answer(question, {fact: facts[fact]})
    return interview, asked


def count_questions(row: Row) -> int:
    """Return how many questions the planner asks about a row.

    Raises:
        SystemExit: A verdict is open in the end, or is not the checker's.
    """
    edition = load_edition(row.edition)
    planner = Planner(edition, row.programs, places=most_members(row.household))
    interview, asked = hold(planner, row.household)
    labels = {name: edition.program(name).is_eligible(row.household) for name in row.programs}
    if interview.verdicts() != labels:
        raise SystemExit(f"{row.id}: the planner ends with a verdict that is open or wrong.")
    return len(asked)


def measure_set(name: str, edition: int) -> dict[str, float]:
    """Return the mean par of a recorded set, and what `COLUMNS` name of the planner's questions."""
    rows, known = read_rows(unpack(name, edition)), read_recorded_par()
    turns = list(run_tasks(count_questions, rows, None))
    return summarise(turns, [known[row_digest(row)].turns for row in rows])


def summarise(turns: Sequence[int], par: Sequence[int]) -> dict[str, float]:
    """Return mean par and, of the turns, what `COLUMNS` name."""
    quantiles = np.quantile(turns, (0.5, 0.9, 1)).round(1).tolist()
    times = round(sum(turns) / max(1, sum(par)), 2)
    figures: Mapping[str, float] = dict(
        zip(COLUMNS, (round(float(np.mean(turns)), 1), *quantiles, times), strict=True)
    )
    return {"par": round(float(np.mean(par)), 1), **figures}


@click.command()
def command() -> None:
    """Print the planner's questions and par of each recorded set."""
    for edition in carried_editions():
        for name in SETS:
            click.echo(json.dumps({"set": f"{name} {edition}", **measure_set(name, edition)}))


if __name__ == "__main__":
    command()
