"""What all builds of datasets share: rows from households, and what every manifest tells first."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset.rows import Row
from benyfits_data.editions import Edition
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.rng import stream
from benyfits_data.version import __version__

Namer = Callable[[Households, np.random.Generator], NDArray[np.object_]]
"""Draws a name for every member, shape `(6, n)`."""
Renderer = Callable[[Household], str]
"""Writes a household's profile."""


def make_rows(
    name: str,
    edition: Edition,
    seed: int,
    households: Households,
    wanted: Sequence[Iterable[str]],
    labels: Mapping[str, Sequence[bool] | NDArray[np.bool_]],
    contested: Sequence[dict[str, tuple[str, ...]]],
    draw_names: Namer,
    render: Renderer,
    weights: Sequence[dict[str, float]] = (),
) -> list[Row]:
    """Return households as rows of a dataset, named and described.

    Args:
        name: The dataset's name, which begins the ids.
        edition: Whose rules label it.
        seed: The seed of the build.
        households: Their names are set in place.
        wanted: The programs that each is interested in.
        labels: For every program, whether each household is eligible.
        contested: Which of its labels hang on a reading.
        draw_names: Names the members.
        render: Writes a household's profile.
        weights: What the programs it is interested in stand for in the city, where it was sampled.
    """
    households.names = draw_names(households, stream(seed, name, "names"))
    width = len(str(len(households)))
    rows = []
    for place, asked in enumerate(wanted):
        household = households.household(place)
        of_household = {program: bool(label[place]) for program, label in labels.items()}
        programs = tuple(sorted(asked))
        rows.append(
            Row(
                id=f"{name}-{edition.year}-{place + 1:0{width}d}",
                edition=edition.year,
                household=household,
                profile=render(household),
                programs=programs,
                eligible={program: of_household[program] for program in programs},
                labels=of_household,
                contested=contested[place],
                weights=weights[place] if weights else {},
            )
        )
    return rows


def described(name: str, edition: Edition, seed: int, rows: Sequence[Row]) -> dict[str, Any]:
    """Return what the manifest of every dataset tells of its rows."""
    answers = [eligible for row in rows for eligible in row.eligible.values()]
    return {
        "name": name,
        "version": __version__,
        "edition": edition.year,
        "rules": edition.provenance(),
        "seed": seed,
        "households": len(rows),
        "pairs": len(answers),
        "eligible_pairs": sum(answers),
        "contested_pairs": sum(row.contested_pairs for row in rows),
    }
