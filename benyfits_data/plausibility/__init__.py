"""How surprising a household is in the synthetic city: structure, facts, percentile."""

from benyfits_data.plausibility.belief import Plausibility, Weight

__all__ = ["Plausibility", "Weight"]
