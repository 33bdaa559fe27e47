"""Time that the planner takes for one question: read the answer before it, choose the next one.

`python -m tests.bench.question_times` prints milliseconds of processor time, for ten random
programs fact by fact, and for all with who-questions as the screener asks them. What is prepared
once for an interview or a set of programs is left out.
"""

import json
import time

import click
import numpy as np

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.household.model import LARGEST_HOUSEHOLD, Household
from benyfits_data.language.partial import household_facts
from benyfits_data.par import Track
from benyfits_data.planner import OPENINGS, Interview, Planner, facts_told
from benyfits_data.population.synthesis import synthesize
from benyfits_data.rng import stream

PROGRAMS = 10
TARGETS = {PROGRAMS: 100, 82: 200}
"""Milliseconds that 95 of 100 questions may take at most, by number of programs."""


def time_questions(planner: Planner, household: Household) -> list[float]:
    """Return the seconds of processor time that each question of an interview takes.

    Args:
        planner: Whose questions a truthful household answers.
        household: It.
    """
    facts, size = household_facts(household), len(household.members)
    interview, seconds = Interview(planner), []
    started = time.process_time()
    while question := interview.next_question():
        seconds.append(time.process_time() - started)
        told = {fact: facts[fact] for fact in facts_told(question, size)}
        started = time.process_time()
        interview.answer(question, told, size if question in OPENINGS else None)
    return seconds


@click.command()
@click.option("--households", type=click.IntRange(min=1), default=40)
def command(households: int) -> None:
    """Print how long questions take."""
    edition = load_edition(EDITIONS[-1])
    city = synthesize(10 * households, 1, workers=1)
    some = city.take(city.size <= LARGEST_HOUSEHOLD)
    tracks: dict[int, Track] = {PROGRAMS: "one", len(edition): "who"}
    for n_programs, track in tracks.items():
        seconds: list[float] = []
        # All programs take one planner, and ten times as long.
        interviews = households if n_programs == PROGRAMS else max(1, households // 4)
        planner = Planner(edition, track=track) if n_programs == len(edition) else None
        for number in range(interviews):
            chosen = stream(1, "bench", "questions", number).permutation(len(edition))
            names = [list(edition)[place] for place in sorted(chosen[:n_programs])]
            seconds += time_questions(
                planner or Planner(edition, names, track), some.household(number)
            )
        quantiles = np.quantile(1000 * np.array(seconds), (0.5, 0.95, 1)).round().astype(int)
        told = {"programs": n_programs, "track": track, "questions": len(seconds)}
        told |= dict(zip(("p50 ms", "p95 ms", "most ms"), quantiles.tolist(), strict=True))
        click.echo(json.dumps(told | {"p95 ms at most": TARGETS[n_programs]}))


if __name__ == "__main__":
    command()
