"""Rules that hardly anybody breaks, and rare people who must exist: how many of each there are."""

from dataclasses import dataclass

import numpy as np

from benyfits_data.population.check_draws import Tally, sum_of
from benyfits_data.population.source_rows import PeopleRow
from benyfits_data.population.synthesis import build_city, over_chunks
from benyfits_data.population.synthetic_city import City


@dataclass(frozen=True)
class PeopleResult:
    """How many people or households of the city a row of `people.csv` names, and among how many."""

    row: PeopleRow
    found: int
    among: int

    @property
    def share(self) -> float:
        """Share of those among whom they are counted."""
        return self.found / max(self.among, 1)


def put_what_people_are(city: City) -> None:
    """Put columns that rows of `people.csv` name and nothing is drawn from."""
    people, households = city.people, city.households
    hours = people["work_hours_per_week"] * np.maximum(people["consecutive_work_weeks"], 0)
    cents = 100 * people["annual_work_income"].astype(np.int64) // np.maximum(hours, 1)
    people.put("hourly_cents", cents)
    own = people["annual_work_income"] + people["annual_investment_income"]
    people.put("own_income", own.astype(np.int64))
    responsible = city.count(people["responsible_for_day_to_day"]) > 0
    people.put("someone_responsible", responsible[city.household])
    holder_sex = city.of_householder(people["sex"])[city.household]
    people.put("like_householder", people["sex"] == holder_sex)
    households.put("owners", city.count(people["is_property_owner"]))
    older, children, grandchildren = (
        city.count(people.mask(f"relation {names}")) > 0
        for names in ("parent|grandparent", "child|adopted child|stepchild", "grandchild")
    )
    levels = 1 + older.astype(np.int32) + children + (children & grandchildren)
    households.put("generations", levels.astype(np.int32))


def count_people(city: City) -> Tally:
    """Return, for each row of `people.csv`, how many people meet it, of how many."""
    put_what_people_are(city)
    found: Tally = {}
    for row in city.sources.people:
        frame = city.households if row.level == "household" else city.people
        among = frame.mask(row.among)
        named = among & frame.mask(row.condition)
        found["people", row.what] = np.array([named.sum(), among.sum()], float)
    return found


def count_chunk(n: int, seed: int, chunk: int) -> Tally:
    """Return the counts of one chunk of the city."""
    return count_people(build_city(n, seed, chunk))


def people_of_city(n: int, seed: int, workers: int = 2) -> Tally:
    """Return the counts of a city of `n` households."""
    return sum_of(over_chunks(count_chunk, n, seed, workers))


def people_results(rows: tuple[PeopleRow, ...], counts: Tally) -> list[PeopleResult]:
    """Return what was counted for each row, in the order of the rows."""
    return [
        PeopleResult(row, int(told[0]), int(told[1]))
        for row in rows
        if (told := counts.get(("people", row.what))) is not None
    ]
