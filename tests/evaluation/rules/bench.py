"""How many wrong programs are told apart: `python -m tests.evaluation.rules.bench`.

Mutants of the checkers, written out as programs, are judged as a model's are. Each has to be shown
by a household that CPython confirms, or be proven equivalent.
"""

import time
from collections import Counter

import click

from benyfits_data.adequacy.mutants import make_mutants
from benyfits_data.cli.frame import Listing, print_listing
from benyfits_data.editions import DEFAULT_EDITION, load_edition
from benyfits_data.evaluation.codegen.checker_translation import translate
from benyfits_data.evaluation.rules.rule_verdicts import RuleJudge
from benyfits_data.evaluation.rules.trial_households import TrialHouseholds
from benyfits_data.rng import stream


def judge_mutants(
    year: int, count: int, seed: int, trials: TrialHouseholds | None = None
) -> Counter[str]:
    """Return how many mutants of an edition's checkers got each verdict.

    Args:
        year: The edition.
        count: How many are drawn, at most all.
        seed: Of the draw.
        trials: Households on which programs run.
    """
    edition = load_edition(year)
    mutants = [(name, it) for name in edition for it in make_mutants(edition.program(name))]
    rng = stream(seed, "bench", "rules")
    drawn = rng.choice(len(mutants), min(count, len(mutants)), replace=False)
    judge = RuleJudge(edition, trials)
    statuses: Counter[str] = Counter()
    for name, mutant in (mutants[place] for place in sorted(drawn)):
        program = translate(mutant.source, mutant.thresholds, "typed")
        statuses[judge.judge(name, program).status] += 1
    return statuses


@click.command()
@click.option("--mutants", type=int, default=100, help="How many are drawn.")
@click.option("--edition", type=int, default=DEFAULT_EDITION)
@click.option("--seed", type=int, default=0)
def command(mutants: int, edition: int, seed: int) -> None:
    """Print how many mutants got each verdict, and the seconds of one core."""
    began = time.process_time()
    statuses = judge_mutants(edition, mutants, seed)
    print_listing(Listing(("verdict", "mutants"), statuses.most_common()))
    click.echo(f"{time.process_time() - began:.0f} s of one core")
    told = statuses["differs"] + statuses["equivalent"] + statuses["equivalent_under_reading"]
    if told < statuses.total():
        raise SystemExit("Some mutants are neither told apart nor proven equivalent.")


if __name__ == "__main__":
    command()
