"""Turns held against the fewest that prove the labels, and what was asked or said without need."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import UNDEFINED, Table, figure, tabulate
from benyfits_data.evaluation.results.user_tables import describe_reader

WORST = 3
"""Dialogs a note names."""
NOTE = (
    "Par: the fewest questions whose answers force the labels, on the agent's track, exact "
    "(docs/benchmark.md). "
    "A dialog that asks for several facts at once, or guesses, may lie below."
)


def list_par(runs: Sequence[Run]) -> Table:
    """Return how many turns dialogs took, and how many more than their par."""
    worst: list[str] = []

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        known = [(it, it.par) for it in run.dialogs if it.par is not None]
        missing = len(run.dialogs) - len(known)
        if not known:
            if run.dialogs:
                yield run.track, 0, missing, *[UNDEFINED] * 10
            return
        turns = np.array([len(dialog.turns) for dialog, _ in known])
        par = np.array([par for _, par in known])
        ratio = figure(turns.sum() / par.sum(), 2) if par.sum() else UNDEFINED
        spread = (*_spread(turns), *_spread(turns - par))
        yield run.track, len(known), missing, figure(par.mean()), *spread, ratio
        farthest = sorted(known, key=lambda pair: (pair[1] - len(pair[0].turns), pair[0].household))
        named = [f"{it.household} ({len(it.turns)}, par {par})" for it, par in farthest[:WORST]]
        worst.append(f"{run.title} on {run.name}, farthest over par: {', '.join(named)}.")

    header = (
        "track; with par; no par; mean par; turns; median; p90; max; "
        "over par; median over; p90 over; max over; turns a par question"
    )
    table = tabulate("Turns over par", header, runs, describe)
    return Table(table.title, table.header, table.rows, "\n".join([NOTE, *worst]))


def list_waste(runs: Sequence[Run]) -> Table:
    """Return the questions without need, and the verdicts that the answers did not prove."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        measured = [dialog for dialog in run.dialogs if dialog.proven]
        uses = Counter(turn.use for dialog in measured for turn in dialog.turns)
        proofs = Counter(
            (proof, dialog.verdicts[name] == dialog.labels[name])
            for dialog in measured
            for name, proof in dialog.proven.items()
        )
        if measured:
            proven = 100 * (proofs[True, True] + proofs[True, False]) / proofs.total()
            without = (proofs[False, True], proofs[False, False])
            yield (
                *(len(measured), uses.total()),
                *(uses["repeated"], uses["irrelevant"], uses["unmapped"]),
                *(proofs.total(), figure(proven), *without),
                *(proofs[None, True] + proofs[None, False], describe_reader(run.dialogs)),
            )

    header = (
        "dialogs; questions; repeated; could change nothing; not mapped to facts; "
        "verdicts; proven %; lucky; unproven and wrong; not known; read by"
    )
    return tabulate("Questions without need", header, runs, describe)


def _spread(values: Any) -> tuple[str, str, str, str]:
    median, p90 = np.percentile(values, [50, 90])
    return figure(values.mean()), figure(median), figure(p90), str(values.max())
