"""How sound the partial reader is, and how much it knows: `python -m tests.language.bench`.

Decided verdicts are held against CPython on completed households (violations must be 0); on random
facts of random households, verdicts decided by propagation and cases are counted beside those that
Z3 proves.
"""

import click

from benyfits_data.cli.tables import print_table
from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.language.partial import PartialReader, household_facts
from benyfits_data.language.z3_backend.open_verdicts import OpenVerdicts
from benyfits_data.rng import stream
from tests.language.draws import draw_possible
from tests.language.test_partial import drawn, violations

SEED = 31


@click.command()
@click.option("--households", type=int, default=100, help="Completed thirty times each.")
@click.option("--proofs", type=int, default=12, help="Households of which Z3 is asked too.")
@click.option("--every", type=int, default=4, help="Z3 is asked about one program in so many.")
def command(households: int, proofs: int, every: int) -> None:
    """Print completions tried, violations, and shares of what Z3 proves."""
    edition = load_edition(EDITIONS[-1])
    reader = PartialReader(edition)
    compared, wrong = violations(reader, households, SEED)
    print_table(("verdicts of completions compared", "violations"), [(compared, len(wrong))])
    solver, rng = OpenVerdicts(edition), stream(SEED, "bench", "partial")
    propagated = ours = theirs = more = 0
    for household in draw_possible(proofs, SEED, edition.year):
        facts, size = drawn(household_facts(household), rng), len(household.members)
        known = reader.know(size, facts)
        for program in list(edition)[::every]:
            entry = reader.entry(program)
            if isinstance(entry, bool):
                continue
            verdict, proven = known.verdict(program), solver.decide(program, size, facts)
            is_fixed = known.intervals.low[entry] == known.intervals.high[entry]
            propagated += is_fixed and proven is not None
            ours += verdict is not None and proven is verdict
            more += verdict is not None and proven is not verdict
            theirs += proven is not None
    columns = ("proven by Z3", "by intervals alone", "with refutations", "%", "not confirmed")
    share = round(100 * ours / max(1, theirs), 1)
    print_table(columns, [(theirs, propagated, ours, share, more)])
    if wrong or more:
        raise SystemExit(f"The partial reader is wrong: {(wrong or [f'{more} unconfirmed'])[0]}")


if __name__ == "__main__":
    command()
