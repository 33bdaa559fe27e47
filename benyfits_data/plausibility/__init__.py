"""How surprising a household is in the synthetic city: structure, facts, percentile."""

from benyfits_data.plausibility.measure import Plausibility, Weight

__all__ = ["Plausibility", "Weight"]
