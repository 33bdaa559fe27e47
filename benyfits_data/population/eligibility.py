"""How many of the city's households each program would take, beside what agencies publish."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from benyfits_data.dataset import to_csv
from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.population.synthesis import (
    default_sources,
    households_of_chunk,
    over_chunks,
)

CONFIDENCE = 1.96
COLUMNS = (
    "program",
    "title",
    "unit",
    "edition",
    "share",
    "households",
    "households_low",
    "households_high",
    "published_what",
    "published",
    "published_unit",
    "published_year",
    "published_source",
    "note",
)


@dataclass(frozen=True)
class Eligibility:
    """Households of the city that are eligible for one program under one edition.

    They count if any member may receive it; `low` and `high` are the ends of the 95% interval.
    """

    program: str
    title: str
    unit: str
    edition: int
    share: float
    low: float
    high: float


def label_chunk(years: Sequence[int], n: int, seed: int, chunk: int) -> Counter[tuple[str, int]]:
    """Return how many households of one chunk are eligible, by program and edition."""
    households = households_of_chunk(n, seed, chunk)
    return Counter(
        {
            (name, year): int(labels.sum())
            for year in years
            for name, labels in label_and_trace(load_edition(year), households).labels.items()
        }
    )


def measure_eligibility(
    n: int, seed: int, workers: int = 2, years: Sequence[int] = EDITIONS
) -> list[Eligibility]:
    """Return the eligible households of every program under each edition that has it.

    The interval is that of a sample of `n` households (Wilson): it tells nothing of what the
    sources leave open.
    """
    counts = Counter[tuple[str, int]]()
    for part in over_chunks(partial(label_chunk, tuple(years)), n, seed, workers):
        counts.update(part)
    found = []
    for (name, year), count in sorted(counts.items()):
        program = load_edition(year).program(name)
        ends = wilson(count, n)
        found.append(Eligibility(name, program.title, program.unit, year, count / n, *ends))
    return found


def wilson(count: int, n: int) -> tuple[float, float]:
    """Return the 95% interval of a share (Wilson 1927)."""
    share, z = count / n, CONFIDENCE
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, float(middle - half)), min(1.0, float(middle + half))


def eligibility_table(found: Sequence[Eligibility]) -> str:
    """Return a CSV with one line for each program and edition."""
    sources = default_sources()
    households = sources.parameter("city_households")
    published = {row.program: row for row in sources.enrollments}
    lines = []
    for row in found:
        shares = row.share, row.low, row.high
        ours = f"{row.share:.5f}", *(round(share * households) for share in shares)
        beside: tuple[str, ...] = ("",) * 6
        if told := published.get(row.program):
            value, cited = f"{told.value:.0f}", " ".join(told.sources)
            beside = told.what, value, told.unit, told.year, cited, told.note
        lines.append((row.program, row.title, row.unit, row.edition, *ours, *beside))
    return to_csv(COLUMNS, lines)
