"""What holds for all tests: no verdict depends on the speed of the machine."""

from hypothesis import HealthCheck, settings

import benyfits_data

assert benyfits_data  # Imported before NumPy is: it chooses how matrices are multiplied.

settings.register_profile(
    "any machine",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=False,
)
settings.load_profile("any machine")
