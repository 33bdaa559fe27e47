import os
import subprocess
import sys

import numpy as np
import pytest

from benyfits_data import rounding

WHOLE = np.array([1.1 * 1.1 * 100, 0.29 * 100, 3.0])
"""121 and 29, but for their last bits, and 3."""


def test_a_whole_number_but_for_its_last_bits_is_neither_raised_nor_lowered() -> None:
    assert np.ceil(WHOLE).tolist() == [122, 29, 3]
    assert np.floor(WHOLE).tolist() == [121, 28, 3]
    for rounded in (rounding.ceil, rounding.floor, rounding.nearest):
        assert rounded(WHOLE).tolist() == [121, 29, 3]


def test_equals_are_equal_though_their_last_bits_differ() -> None:
    one, other = 0.1 + 0.2, 0.3
    assert np.argsort([one, other], kind="stable").tolist() == [1, 0]
    assert np.argsort(rounding.settled(np.array([one, other])), kind="stable").tolist() == [0, 1]


CITY = """
import sys
import benyfits_data
import numpy as np

aside = float(sys.argv[1])
for name in ("exp", "log", "log1p"):
    computed = getattr(np, name)
    setattr(np, name, lambda x, of=computed: np.nextafter(of(x), aside) if aside else of(x))
from benyfits_data.population.synthesis import synthesize
from benyfits_data.plausibility.probability_tables import surprise

city = synthesize(3_000, 0, workers=1)
for name, column in sorted({**city.shared, **city.member}.items()):
    print(name, hash(column.tobytes()))
print(hash(surprise(np.exp(-np.arange(0.5, 9_000) / 1_000)).tobytes()))
"""


@pytest.mark.slow
def test_logarithms_that_differ_in_the_last_bit_give_the_same_people_and_surprise() -> None:
    """As other processors compute them, whichever this one is."""

    def run(aside: str) -> str:
        command = [sys.executable, "-c", CITY, aside]
        ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        return ran.stdout

    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    assert run("inf") == run("0") == run("-inf")
