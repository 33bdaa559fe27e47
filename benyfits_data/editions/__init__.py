"""Everything in force in one year, read from the rooms: programs, thresholds, texts, examples."""

from benyfits_data.editions.edition import EDITIONS, Edition, load_edition, program_names
from benyfits_data.editions.examples import Example
from benyfits_data.editions.program import Program
from benyfits_data.editions.thresholds import SizeTable, Threshold, Thresholds

__all__ = [
    "EDITIONS",
    "Edition",
    "Example",
    "Program",
    "SizeTable",
    "Threshold",
    "Thresholds",
    "load_edition",
    "program_names",
]
