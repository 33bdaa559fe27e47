"""The paper's design of the Representative set: sizes, labels, tables, bytes."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benyfits_data.dataset import read_rows
from benyfits_data.editions import load_edition
from benyfits_data.household.columns import Households
from benyfits_data.language.reading_labels import contested
from benyfits_data.population.equal_repeats import NAME, assign, build_equal_repeats
from benyfits_data.population.representative import (
    Representative,
    RepresentativeError,
    reproducible,
    write_representative,
)
from tests.commands import invoke

ROWS, PROGRAMS, _ = reproducible(NAME)
PAPER = ["representative-25"]


@pytest.fixture(scope="module")
def built() -> Representative:
    return build_equal_repeats(
        load_edition(2024),
        households=25,
        repeats=3,
        seed=0,
    )


@pytest.mark.slow
def test_every_program_is_on_three_distinct_households(built: Representative) -> None:
    for program in built.edition.programs:
        assert sum(program in row.programs for row in built.rows) == 3


@pytest.mark.slow
def test_households_have_6_to_19_programs(built: Representative) -> None:
    loads = [len(row.programs) for row in built.rows]
    assert len(loads) == 25
    assert min(loads) >= 6
    assert max(loads) <= 19
    assert sum(loads) == 246


@pytest.mark.slow
def test_labels_are_those_of_the_checkers(built: Representative) -> None:
    for row in built.rows:
        assert not row.household.violations()
        assert row.eligible == {program: row.labels[program] for program in row.programs}
        for program, label in row.labels.items():
            assert built.edition.program(program).is_eligible(row.household) == label


@pytest.mark.slow
def test_contested_labels_are_named_and_counted(built: Representative, tmp_path: Path) -> None:
    table = Households.from_households([row.household for row in built.rows])
    assert [row.contested for row in built.rows] == contested(built.edition, table)
    manifest = write_representative(built, tmp_path)
    told = [program in row.contested for row in built.rows for program in row.programs]
    assert manifest["contested_pairs"] == sum(told)


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
        assert (given & is_open).sum() < (assign(82, 25, 3, rng) & is_open).sum() / 2
        assert given[24, 40] or (given & is_open)[:, 40].sum() == 3


def test_without_contested_labels_the_draws_are_the_same() -> None:
    none = np.zeros((25, 82), np.bool_)
    first, second = (np.random.default_rng(7) for _ in range(2))
    assert np.array_equal(assign(82, 25, 3, first), assign(82, 25, 3, second, none))


@pytest.mark.slow
def test_written_rows_read_back_and_the_table_counts_them(
    built: Representative, tmp_path: Path
) -> None:
    manifest = write_representative(built, tmp_path)
    rows = read_rows(tmp_path / ROWS)
    assert rows == built.rows
    total = (tmp_path / PROGRAMS).read_text().splitlines()[-1].split(",")
    assert total[0] == "Total"
    assert int(total[1]) == manifest["eligible_pairs"]
    assert int(total[1]) + int(total[2]) == manifest["pairs"] == 246


@pytest.mark.slow
def test_foreign_files_are_not_replaced(tmp_path: Path) -> None:
    arguments = [*PAPER, "--households", "6", "--repeats", "1", "--output", str(tmp_path)]
    (tmp_path / ROWS).write_text("mine")
    refused = invoke(*arguments)
    assert refused.exit_code == 1
    assert (tmp_path / ROWS).read_text() == "mine"
    for allowed in ([*arguments, "--overwrite"], arguments):
        assert invoke(*allowed).exit_code == 0


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
