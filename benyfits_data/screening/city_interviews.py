"""What a screening takes: interviews with truthful households of the synthetic city."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benyfits_data.editions import Edition
from benyfits_data.errors import DatasetFormatError, ProofError
from benyfits_data.household.model import Household, most_members
from benyfits_data.planner.simulation import Course, simulate
from benyfits_data.population.synthesis import synthesize
from benyfits_data.screening.screen_session import screening_planner

MOMENTS = (0, 1, 2, 5, 10, 15, 20, 30, 40, 60)
"""Questions after which the share of settled programs is told."""
BY_SIZE = (
    "members", "households", "mean", "lower quartile", "median", "upper quartile", "95%", "most",
)  # fmt: skip
SETTLED = ("questions", "mean", "lower quartile", "all settled, % of households")
Row = Sequence[object]
_RUN = ("edition", "households", "seed")


def hold_interviews(
    edition: Edition,
    n: int,
    seed: int,
    file: Path | None = None,
    tick: Callable[[int], object] = lambda done: None,
) -> list[Course]:
    """Return the interviews of `n` truthful households of the city.

    Args:
        edition: Whose programs are asked about.
        n: How many households the city has.
        seed: Draws the city.
        file: Gets a line a household; a run that was broken off goes on where it ends.
        tick: Told of each interview that is held.

    Raises:
        ProofError: A proven verdict differs from the checker's.
        DatasetFormatError: The file is of another run.
    """
    courses = _read_courses(file, (edition.year, n, seed)) if file else []
    tick(len(courses))
    if len(courses) < n:
        city = synthesize(n, seed, workers=1)
        for number in range(len(courses), n):
            courses.append(_screen(edition, city.household(number)))
            if file:
                _append(file, (edition.year, n, seed), number, courses[-1])
            tick(1)
    check_courses(courses)
    return courses


def _screen(edition: Edition, household: Household) -> Course:
    (course,) = simulate(screening_planner(edition, most_members(household)), [household])
    return course


def _append(file: Path, run: tuple[int, int, int], number: int, course: Course) -> None:
    line = (
        dict(zip(_RUN, run, strict=True))
        | {"household": number}
        | {key: getattr(course, key) for key in ("size", "settled", "n_wrong")}
    )
    with file.open("a") as out:
        out.write(json.dumps(line) + "\n")


def _read_courses(file: Path, run: tuple[int, int, int]) -> list[Course]:
    """Return the interviews that a file holds.

    Raises:
        DatasetFormatError: A line is of another run, or none.
    """
    courses = []
    for number, line in enumerate(file.read_text().splitlines() if file.exists() else []):
        try:
            entry = json.loads(line)
            place = (*(entry[key] for key in _RUN), entry["household"])
            course = Course(entry["size"], tuple(entry["settled"]), entry["n_wrong"])
        except (ValueError, KeyError, TypeError):
            place, course = None, None
        if course is None or place != (*run, number):
            raise DatasetFormatError(
                f"{file}:{number + 1} is not household {number} of a simulation of edition, "
                f"households and seed {run}. Name another file, or cut this one off before it.",
                path=file,
                line=number + 1,
            )
        courses.append(course)
    return courses


def check_courses(courses: Sequence[Course]) -> None:
    """Return nothing where every proven verdict is the checker's.

    Raises:
        ProofError: One is not.
    """
    wrong = [number for number, course in enumerate(courses) if course.n_wrong]
    if wrong:
        raise ProofError(
            f"Household {wrong[0]} and {len(wrong) - 1} others have proven verdicts that differ "
            "from the checkers'. The partial reader is wrong: run tests/language/test_partial.py."
        )


def questions_by_size(courses: Sequence[Course]) -> list[Row]:
    """Return quantiles of the number of questions for each household size, and for all."""
    rows: list[Row] = []
    for size in [*sorted({course.size for course in courses}), None]:
        asked = [course.n_questions for course in courses if size in (None, course.size)]
        quantiles = np.quantile(asked, (0.25, 0.5, 0.75, 0.95, 1)).round(1).tolist()
        rows.append((size or "all", len(asked), round(float(np.mean(asked)), 1), *quantiles))
    return rows


def settled_by_question(courses: Sequence[Course]) -> list[Row]:
    """Return how many programs are settled after some numbers of questions."""
    rows: list[Row] = []
    for moment in MOMENTS:
        settled = [course.settled[min(moment, course.n_questions)] for course in courses]
        done = np.mean([course.n_questions <= moment for course in courses])
        rows.append(
            (
                moment,
                round(float(np.mean(settled)), 1),
                float(np.quantile(settled, 0.25)),
                round(100 * float(done), 1),
            )
        )
    return rows
