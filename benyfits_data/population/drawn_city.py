"""The synthetic city itself: every household with the facts that were kept to draw it."""

import json
from collections.abc import Iterator
from typing import Any

from benyfits_data.household.features import FEATURES
from benyfits_data.population.conditions import Frame
from benyfits_data.population.synthesis import build_city, over_chunks, possible_households


def draw_lines(n: int, seed: int, workers: int) -> Iterator[list[str]]:
    """Yield the households of a city as lines of JSON, chunk by chunk.

    Each line has an `id`, the `household` in our layout, and under `city` what a household or a
    person was drawn by and no program asks: borough, kind of household, poverty, education.

    Args:
        n: Households of the city.
        seed: Seed of the build.
        workers: Processes; results do not depend on them.
    """
    start = 0
    for records in over_chunks(chunk_records, n, seed, workers):
        lines = []
        for number, record in enumerate(records, start=start + 1):
            content = {"id": f"city-{seed}-{number:0{len(str(n))}d}", **record}
            lines.append(json.dumps(content, ensure_ascii=False) + "\n")
        start += len(records)
        yield lines


def chunk_records(n: int, seed: int, chunk: int) -> list[dict[str, Any]]:
    """Return each household of one chunk with the facts that were kept to draw it."""
    city = build_city(n, seed, chunk)
    table = possible_households(city)[0]
    shared, own = _kept(city.households), _kept(city.people)
    members: list[list[dict[str, Any]]] = [[] for _ in range(n)]
    for person in range(len(city.household)):
        facts = {name: values[person] for name, values in own.items()}
        members[int(city.household[person])].append(facts)
    return [
        {
            "household": table.household(at).facts(),
            "city": {name: values[at] for name, values in shared.items()}
            | {"members": members[at]},
        }
        for at in range(n)
    ]


def _kept(frame: Frame) -> dict[str, list[Any]]:
    """Return the columns of a frame that are no features, choices by name."""
    kept = {}
    for name, column in frame.own().items():
        if name not in FEATURES:
            levels, values = frame.levels(name), column.tolist()
            kept[name] = [levels[code] for code in values] if levels else values
    return kept
