"""The paper's design of the Representative set: sizes, labels, tables, bytes."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benyfits_data.dataset import Row, read_manifest, read_rows
from benyfits_data.editions import load_edition
from benyfits_data.household.columns import Households
from benyfits_data.language.reading_labels import contested
from benyfits_data.population.equal_repeats import NAME, assign
from benyfits_data.population.representative import RepresentativeError, reproducible
from benyfits_data.recorded import unpack
from tests.commands import invoke

ROWS, PROGRAMS, _ = reproducible(NAME)
PAPER = ["representative-25"]


EDITION = load_edition(2024)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """The recorded set, which tests/rebuild builds anew."""
    return read_rows(unpack(NAME, EDITION.year))


def test_every_program_is_on_three_distinct_households_of_6_to_19_programs(rows: list[Row]) -> None:
    for program in EDITION.programs:
        assert sum(program in row.programs for row in rows) == 3
    loads = [len(row.programs) for row in rows]
    assert len({row.household for row in rows}) == len(loads) == 25
    assert min(loads) >= 6
    assert max(loads) <= 19
    assert sum(loads) == 246


def test_labels_are_those_of_the_checkers_and_contested_ones_are_named(rows: list[Row]) -> None:
    for row in rows:
        assert not row.household.violations()
        assert row.eligible == {program: row.labels[program] for program in row.programs}
        for program, label in row.labels.items():
            assert EDITION.program(program).is_eligible(row.household) == label
    table = Households.from_households([row.household for row in rows])
    assert [row.contested for row in rows] == contested(EDITION, table)
    told = [program in row.contested for row in rows for program in row.programs]
    assert read_manifest(unpack(NAME, EDITION.year).parent, NAME)["contested_pairs"] == sum(told)


def test_contested_labels_are_avoided_where_others_do() -> None:
    is_open = np.zeros((25, 82), np.bool_)
    is_open[:20, :40] = True
    is_open[:24, 40] = True
    for seed in range(5):
        rng = np.random.default_rng(seed)
        given = assign(82, 25, 3, rng, is_open)
        assert (given.sum(axis=0) == 3).all()
        assert (given.sum(axis=1) >= 6).all()
        # One household only has a sure label of the last of them.
        plain = assign(82, 25, 3, rng)
        assert 6 <= plain.sum(axis=1).min() < plain.sum(axis=1).max() <= 19
        assert (given & is_open).sum() < (plain & is_open).sum() / 2
        assert given[24, 40] or (given & is_open)[:, 40].sum() == 3


def test_without_contested_labels_the_draws_are_the_same() -> None:
    none = np.zeros((25, 82), np.bool_)
    first, second = (np.random.default_rng(7) for _ in range(2))
    assert np.array_equal(assign(82, 25, 3, first), assign(82, 25, 3, second, none))


@pytest.mark.slow
def test_foreign_files_are_not_replaced_and_the_table_counts_the_rows(tmp_path: Path) -> None:
    arguments = [*PAPER, "--households", "6", "--repeats", "1", "--output", str(tmp_path)]
    (tmp_path / ROWS).write_text("mine")
    refused = invoke(*arguments)
    assert refused.exit_code == 1
    assert (tmp_path / ROWS).read_text() == "mine"
    for allowed in ([*arguments, "--overwrite"], arguments):
        assert invoke(*allowed).exit_code == 0
    eligible = [own for row in read_rows(tmp_path / ROWS) for own in row.eligible.values()]
    name, positive, negative, *_ = (tmp_path / PROGRAMS).read_text().splitlines()[-1].split(",")
    assert (name, int(positive), int(negative)) == (
        "Total",
        sum(eligible),
        len(EDITION) - sum(eligible),
    )


@given(st.integers(1, 90), st.integers(1, 60), st.integers(1, 12), st.integers(0, 99))
def test_any_size_that_is_possible_is_assigned(
    programs: int, households: int, repeats: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    if repeats > households or programs * repeats < households:
        with pytest.raises(RepresentativeError):
            assign(programs, households, repeats, rng)
        return
    given_ = assign(programs, households, repeats, rng)
    assert (given_.sum(axis=0) == repeats).all()
    assert given_.sum(axis=1).min() >= 1
