"""Interviews with truthful households, and how their questions compare with the fewest."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from benyfits_data.dataset import Row
from benyfits_data.editions import load_edition
from benyfits_data.errors import ProofError
from benyfits_data.household.model import Household, most_members
from benyfits_data.language.partial import household_facts
from benyfits_data.par import RowPar, Track
from benyfits_data.par.tracks import SIZE, question_of
from benyfits_data.parallel import run_tasks
from benyfits_data.planner.interview import OPENINGS, Interview, Planner, Question, facts_told


@dataclass(frozen=True)
class Course:
    """One interview.

    Attributes:
        size: The number of members.
        settled: How many verdicts were proven before the first question and after each.
        n_wrong: How many of the proven verdicts differ from the checkers'.
        asked: The questions.
    """

    size: int
    settled: tuple[int, ...]
    n_wrong: int
    asked: tuple[Question, ...] = ()


def simulate(planner: Planner, households: Iterable[Household]) -> list[Course]:
    """Return interviews with households that tell whatever they are asked."""
    return [_hold(planner, household) for household in households]


def _hold(planner: Planner, household: Household) -> Course:
    facts, size = household_facts(household), len(household.members)
    interview = Interview(planner)
    settled, asked = [_count(interview)], list[Question]()
    while question := interview.next_question():
        answer = {fact: facts[fact] for fact in facts_told(question, size)}
        interview.answer(question, answer, size if question in OPENINGS else None)
        settled.append(_count(interview))
        asked.append(question)
    n_wrong = sum(
        verdict is not None and verdict is not planner.edition.program(name).is_eligible(household)
        for name, verdict in interview.verdicts().items()
    )
    return Course(size, tuple(settled), n_wrong, tuple(asked))


def _count(interview: Interview) -> int:
    return sum(verdict is not None for verdict in interview.verdicts().values())


WORST = 3
"""Rows farthest over par whose questions are told, for each track."""
TURNS = ("track", "who", "rows", "mean", "median", "p90", "most", "times par")
Farthest = tuple[str, Track, int, int, tuple[str, ...]]
FARTHEST = ("row", "track", "par", "planner", "asked, though the fewest found do without")


@dataclass(frozen=True)
class PlannedRow:
    """The fewest questions of a row, and those that the planner asks.

    Attributes:
        row: The row's id.
        track: What one question may ask.
        par: How many questions are needed.
        asked: How many the planner asks.
        spare: Those that are not among the fewest found; other sets may be as small.
    """

    row: str
    track: Track
    par: int
    asked: int
    spare: tuple[str, ...]


def compare_with_par(
    rows: Sequence[Row],
    fewest: Sequence[RowPar],
    tracks: Sequence[Track],
    workers: int | None,
    tick: Callable[[int], object],
) -> tuple[list[tuple[object, ...]], list[Farthest]]:
    """Return how many questions the planner asks beside par, and the rows farthest over it.

    Raises:
        ProofError: A verdict of the planner is not the checker's.
    """
    both = zip(rows, fewest, strict=True)
    by_row = run_tasks(partial(_play, tuple(tracks)), both, workers, tick=tick)
    played = [one for of_row in by_row for one in of_row]
    return _distributions(played, tracks), _farthest(played, tracks)


def _play(tracks: tuple[Track, ...], both: tuple[Row, RowPar]) -> list[PlannedRow]:
    row, fewest = both
    edition, played = load_edition(row.edition), []
    for track in tracks:
        places = most_members(row.household)
        planner = Planner(edition, row.programs, track, places=places)
        (course,) = simulate(planner, [row.household])
        if course.n_wrong or course.settled[-1] < len(row.programs):
            raise ProofError(
                f"{row.id}: the planner ends with a verdict that is open or wrong. The partial "
                "reader is wrong: run tests/language/test_partial.py.",
                row=row.id,
            )
        asked = [_name(question, track) for question in course.asked]
        spare = tuple(name for name in asked if name not in fewest.questions[track])
        played.append(PlannedRow(row.id, track, fewest.turns[track], len(asked), spare))
    return played


def _name(question: Question, track: Track) -> str:
    """Return a question of the planner as par names it."""
    if question.kind in ("size", "roster"):
        return question_of(SIZE, track)
    member = 0 if question.kind == "everybody" else question.member
    return question_of((question.feature, member), track)


def _distributions(
    played: Sequence[PlannedRow], tracks: Sequence[Track]
) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for track in tracks:
        some = [one for one in played if one.track == track]
        par = np.array([one.par for one in some])
        for who, turns in (("par", par), ("planner", np.array([one.asked for one in some]))):
            quantiles = np.quantile(turns, (0.5, 0.9, 1)).round(1).tolist()
            times = round(float(turns.sum() / max(1, par.sum())), 2)
            rows.append((track, who, len(some), round(float(turns.mean()), 1), *quantiles, times))
    return rows


def _farthest(played: Sequence[PlannedRow], tracks: Sequence[Track]) -> list[Farthest]:
    return [
        (one.row, track, one.par, one.asked, one.spare)
        for track in tracks
        for one in sorted(
            (one for one in played if one.track == track), key=lambda one: one.par - one.asked
        )[:WORST]
    ]
