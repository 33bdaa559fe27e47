"""What tests of interviews and proofs share; no test changes it."""

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.language.partial import PartialReader
from benyfits_data.planner import Planner
from tests.planner import test_interview, test_proof_finder


@pytest.fixture(scope="session")
def reader() -> PartialReader:
    return PartialReader(load_edition(test_proof_finder.EDITION), test_proof_finder.PROGRAMS)


@pytest.fixture(scope="session")
def planner() -> Planner:
    """A planner whose prior knows next to nothing."""
    edition = load_edition(test_interview.EDITION)
    return Planner(edition, test_interview.PROGRAMS, prior=test_interview.SMALL)
