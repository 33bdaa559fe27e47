"""Who may claim what: shares, intervals, what is published."""

from benyfits_data.population.eligibility import eligibility_table, measure_eligibility, wilson


def test_the_interval_of_a_share_holds_it_and_shrinks() -> None:
    low, high = wilson(50, 100)
    assert low < 0.5 < high
    assert wilson(5_000, 10_000)[0] > low
    assert wilson(0, 100)[0] == 0


def test_eligibility_lists_every_program_in_each_edition_beside_what_is_published() -> None:
    found = measure_eligibility(1_000, seed=1, workers=1, years=(2024, 2026))
    lines = eligibility_table(found).splitlines()
    assert len(lines) == 1 + 2 * 82
    assert any("registered riders" in line for line in lines)
    snap_like = {(row.program, row.edition): row for row in found}
    idnyc = snap_like[("IDNYC", 2024)]
    assert idnyc.low <= idnyc.share <= idnyc.high
