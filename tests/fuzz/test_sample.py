import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.columns import Households
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.language.numpy_backend import possible

N = 1500


@pytest.fixture(scope="module")
def pool() -> Households:
    return sample_households(N, load_edition(2024), seed=1)


def bytes_of(households: Households) -> bytes:
    columns = [households.size, *households.shared.values(), *households.member.values()]
    return b"".join(column.tobytes() for column in columns)


def test_sampled_households_break_no_constraint(pool):
    assert possible(pool).all()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_another_process(pool):
    code = (
        "import hashlib; from tests.fuzz.test_sample import bytes_of, sample_households, N;"
        "from benyfits_data.editions import load_edition;"
        "print(hashlib.sha256(bytes_of(sample_households(N, load_edition(2024), 1))).hexdigest())"
    )
    # Another order of sets than here, whatever it is here.
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": other},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert told == hashlib.sha256(bytes_of(pool)).hexdigest()


def test_every_value_of_every_choice_comes_up(pool):
    for name, feature in HOUSEHOLD_FEATURES.items():
        if feature.kind == "choice":
            assert set(np.unique(pool.shared[name])) >= set(range(len(feature.choices))), name
    for name, feature in MEMBER_FEATURES.items():
        if feature.kind == "choice":
            seen = np.unique(pool.member[name][pool.present])
            assert set(seen) >= set(range(len(feature.choices))), name


def test_every_flag_is_both_true_and_false_somewhere(pool):
    for name, feature in MEMBER_FEATURES.items():
        if feature.kind == "flag":
            assert len(np.unique(pool.member[name][pool.present])) == 2, name


def test_families_of_every_size_come_up(pool):
    sizes = np.bincount(pool.size, minlength=7)[1:]
    assert (sizes > N / 50).all()


def test_absent_members_hold_defaults(pool):
    for name in ("age", "relation", "annual_work_income"):
        feature = MEMBER_FEATURES[name]
        absent = pool.member[name][~pool.present]
        assert (absent == feature.encode(feature.default)).all(), name
