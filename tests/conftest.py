"""What holds for all tests: no verdict depends on the speed of the machine."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "any machine",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=False,
)
settings.load_profile("any machine")
