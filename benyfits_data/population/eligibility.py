"""How many of the city's households each program would take, beside what agencies publish."""

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

    Attributes:
        program: Its name.
        title: Its ordinary name.
        unit: Whether persons or households receive it; households count if any member may.
        edition: Whose rules.
        share: Eligible share of the city's households.
        low: Lower end of the 95% interval of the share.
        high: Upper end.
        households: Households in the city, for numbers.
    """

    program: str
    title: str
    unit: str
    edition: int
    share: float
    low: float
    high: float
    households: float


@dataclass(frozen=True)
class _Labels:
    households: int
    eligible: dict[tuple[int, str], int]


def label_chunk(years: Sequence[int], n: int, seed: int, chunk: int) -> _Labels:
    """Return how many households of one chunk are eligible, by edition and program."""
    households = households_of_chunk(n, seed, chunk)
    counts = {}
    for year in years:
        batch = label_and_trace(load_edition(year), households)
        for name, labels in batch.labels.items():
            counts[(year, name)] = int(np.count_nonzero(labels))
    return _Labels(n, counts)


def measure_eligibility(
    n: int, seed: int, workers: int = 2, years: Sequence[int] = EDITIONS
) -> list[Eligibility]:
    """Return the eligible households of every program under each edition that has it.

    The interval is that of a sample of `n` households (Wilson): it tells nothing of what the
    sources leave open.

    Args:
        n: Number of synthetic households.
        seed: Seed of the whole build.
        workers: Processes.
        years: The editions.
    """
    city = default_sources().parameter("city_households")
    total, counts = 0, dict[tuple[int, str], int]()
    for part in over_chunks(partial(label_chunk, tuple(years)), n, seed, workers):
        total += part.households
        for key, count in part.eligible.items():
            counts[key] = counts.get(key, 0) + count
    found = []
    for (year, name), count in sorted(counts.items(), key=lambda item: (item[0][1], item[0][0])):
        program = load_edition(year).program(name)
        low, high = wilson(count, total)
        found.append(
            Eligibility(name, program.title, program.unit, year, count / total, low, high, city)
        )
    return found


def wilson(count: int, n: int) -> tuple[float, float]:
    """Return the 95% interval of a share (Wilson 1927)."""
    share, z = count / n, CONFIDENCE
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, float(middle - half)), min(1.0, float(middle + half))


def eligibility_table(found: Sequence[Eligibility]) -> str:
    """Return a CSV with one line for each program and edition."""
    published = {row.program: row for row in default_sources().enrollments}
    lines = []
    for row in found:
        beside = published.get(row.program)
        lines.append(
            (
                row.program,
                row.title,
                row.unit,
                row.edition,
                f"{row.share:.5f}",
                round(row.share * row.households),
                round(row.low * row.households),
                round(row.high * row.households),
                beside.what if beside else "",
                f"{beside.value:.0f}" if beside else "",
                beside.unit if beside else "",
                beside.year if beside else "",
                " ".join(beside.sources) if beside else "",
                beside.note if beside else "",
            )
        )
    return to_csv(COLUMNS, lines)
