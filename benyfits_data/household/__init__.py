"""What a household is: features, model, measures, constraints.

Importing any part of it enters all constraints, so that every household is checked by all.
"""

from benyfits_data.household import constraints as _entered  # noqa: F401
