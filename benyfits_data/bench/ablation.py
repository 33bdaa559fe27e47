"""Ablations: what each algorithm and constant buys, one switched off or changed at a time.

`python -m benyfits_data.bench.ablation [TABLE ...]` prints the tables of `TABLES`: all of them
unless some are named.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from benyfits_data.bench import ablation_builds as builds
from benyfits_data.bench import ablation_models as models

TABLES: Mapping[str, tuple[Callable[[Sequence[str]], Iterator[str]], Mapping[str, Any]]] = {
    "builds": (builds.ablate, builds.ABLATIONS),
    "belief": (builds.ablate_belief, builds.BELIEF_ABLATIONS),
    "surprise": (models.ablate_surprise, models.SURPRISE_ABLATIONS),
    "planner": (models.ablate_planner, models.PLANNER_ABLATIONS),
    "par": (models.ablate_par, models.PAR_ABLATIONS),
}


def main(asked: Sequence[str]) -> None:
    """Print some tables, or all.

    Raises:
        SystemExit: There is no such table.
    """
    if unknown := sorted(set(asked) - TABLES.keys()):
        sys.exit(f"No table {', '.join(unknown)}. Expected some of {', '.join(TABLES)}.")
    for name in asked or TABLES:
        table, ablations = TABLES[name]
        for line in table(list(ablations)):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
