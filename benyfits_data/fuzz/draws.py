"""How each feature is drawn: so that traces balance, and so that most draws are possible at once.

Features without an entry in the tables of special draws are drawn from their declaration alone. An
entry only spares the settling of constraints work: what it draws may still give way to them.
"""

import numpy as np

from benyfits_data.editions import Edition
from benyfits_data.fuzz.boundaries import boundaries
from benyfits_data.fuzz.chances import MOODS, Chances, Codes, Index, Lanes
from benyfits_data.fuzz.home_draws import HOUSEHOLD
from benyfits_data.fuzz.member_draws import MEMBER
from benyfits_data.household.columns import Households
from benyfits_data.household.declaration import Feature
from benyfits_data.household.features import FEATURES

SPECIAL = {**HOUSEHOLD, **MEMBER}


class Draws(Chances):
    """Draws the features of one edition."""

    def __call__(
        self,
        feature: Feature,
        households: Households,
        rows: Index | None,
        columns: Index,
        rng: np.random.Generator,
    ) -> Codes:
        """Return one code for each lane, as `language.settling.Draw` says."""
        lanes = Lanes(households, rows, columns)
        special = SPECIAL.get(feature.name)
        drawn = self.plain(feature, lanes, rng) if special is None else special(self, lanes, rng)
        codes: Codes = drawn.astype(feature.dtype)
        return codes


def draws_of(edition: Edition, moods: np.random.Generator) -> Draws:
    """Return the draws of an edition for households that are bred, whose moods are taken in turn.

    Args:
        edition: Whose limits to draw around.
        moods: The stream to draw the moods from.
    """
    return Draws(boundaries(edition), moods.integers(0, MOODS, MOODS**2))


EARLY = (
    "place_of_residence",
    "housing_type",
    "tenure",
    "sex",
    "current_school_level",
    "work_hours_per_week",
    "consecutive_work_weeks",
    "nonconsecutive_work_days",
    "weeks_pregnant",
)
"""Features that other draws look at, in the order in which they are drawn."""
DRAWING_ORDER = (
    *EARLY,
    *(name for name, feature in FEATURES.items() if name not in EARLY and feature.kind != "text"),
)
