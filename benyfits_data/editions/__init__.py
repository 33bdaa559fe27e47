"""Everything in force in one year, read from the program folders."""

from benyfits_data.editions.edition import (
    DEFAULT_EDITION,
    EDITIONS,
    Edition,
    check_edition,
    edition_years,
    load_edition,
)
from benyfits_data.editions.examples import Example
from benyfits_data.editions.program import Program
from benyfits_data.editions.readings import Option, Reading
from benyfits_data.editions.register import Correction, Record, load_register
from benyfits_data.editions.thresholds import SizeTable, Threshold, Thresholds

__all__ = [
    "DEFAULT_EDITION",
    "EDITIONS",
    "Correction",
    "Edition",
    "Example",
    "Option",
    "Program",
    "Reading",
    "Record",
    "SizeTable",
    "Threshold",
    "Thresholds",
    "check_edition",
    "edition_years",
    "load_edition",
    "load_register",
]
