"""The NumPy reader: labels, traces, constraints and measures of many households at once."""

from benyfits_data.language.batch.reading import holds, measure, possible

__all__ = ["holds", "measure", "possible"]
