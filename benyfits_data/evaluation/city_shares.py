"""What share of the city's households may claim each program: what an agent can know unasked."""

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.recorded import FOLDER, SHARES

UNINFORMATIVE = 0.98
"""Where guessing the likelier answer is right in more of the city than this, a verdict tells
nothing of an agent."""


@cache
def city_shares(edition: int) -> Mapping[str, float]:
    """Return the share of the city's households that may claim each program of an edition.

    Carried are those of the published editions; of any other, those counted in `output/YEAR`.

    Raises:
        EvaluationError: Nobody has counted them.
    """
    for path in (FOLDER / str(edition) / SHARES, Path("output") / str(edition) / SHARES):
        if path.exists() and (found := _read(path, edition)):
            return found
    raise EvaluationError(
        f"Who may claim the programs of edition {edition} has not been counted. Run `benyfits-data "
        f"population eligibility --edition {edition} --output output/{edition}`.",
        edition=edition,
    )


def likelier(edition: int) -> dict[str, bool]:
    """Return the likelier verdict on each program of an edition."""
    return {program: share > 0.5 for program, share in city_shares(edition).items()}


def uninformative(edition: int) -> frozenset[str]:
    """Return the programs on which the likelier verdict is right in nearly all of the city."""
    shares = city_shares(edition).items()
    return frozenset(name for name, share in shares if max(share, 1 - share) > UNINFORMATIVE)


def _read(path: Path, edition: int) -> dict[str, float]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["edition"] == str(edition)]
    return {row["program"]: float(row["share"]) for row in rows}
