"""What inspect finds through the package's entry point: our tasks and the embedded provider."""

from benyfits_data.evaluation.embedded import EmbeddedAPI
from benyfits_data.evaluation.task import diverse, representative

__all__ = ["EmbeddedAPI", "diverse", "representative"]
