"""What inspect finds through the package's entry point: our tasks and model providers."""

from benyfits_data.evaluation.compatible import CompatibleAPI
from benyfits_data.evaluation.embedded import EmbeddedAPI
from benyfits_data.evaluation.task import diverse, representative

__all__ = ["CompatibleAPI", "EmbeddedAPI", "diverse", "representative"]
