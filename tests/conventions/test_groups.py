"""Tests of one group run in one process, so that what they share is made once."""

import os

import pytest


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="one process runs all")
@pytest.mark.xdist_group("told")
def test_a_group_is_part_of_the_name_by_which_tests_are_dealt_out(
    request: pytest.FixtureRequest,
) -> None:
    if request.config.getvalue("loadgroup"):
        assert request.node.nodeid.endswith("@told")
