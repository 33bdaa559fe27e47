"""Turns with programs of mixed quality: `python -m tests.evaluation.mixed_bench DATASET [N]`.

ProADA and planned ProADA play the first N rows (all unless given) with the programs of
`mixed_coder`; a line of JSON tells mean turns, F1, and how many verdicts of the two differ.
"""

import json
import sys
from pathlib import Path

from benyfits_data.evaluation.agents.proada import ProadaAgent
from benyfits_data.evaluation.agents.proada_planned import ProadaPlannedAgent
from benyfits_data.evaluation.codegen.sandbox import Sandbox
from benyfits_data.evaluation.planned import PlannedDialog, load_rows
from benyfits_data.household.model import Household
from tests.evaluation.mixed_coder import MixedCoder
from tests.evaluation.test_proada_planned import hold

AGENTS = {"proada": ProadaAgent, "proada-planned": ProadaPlannedAgent}


def measure(rows: list[PlannedDialog]) -> dict[str, object]:
    """Return figures of both agents, with no limit on questions."""
    turns, verdicts = dict.fromkeys(AGENTS, 0), {name: list[bool]() for name in AGENTS}
    labels = [row.labels[program] for row in rows for program in row.programs]
    with Sandbox() as sandbox:
        for row in rows:
            household = Household.from_facts(row.household)
            for name, agent in AGENTS.items():
                dialog, found = hold(sandbox, agent, MixedCoder, row.programs, household)
                turns[name] += len(dialog.turns)
                verdicts[name] += [found[program] for program in row.programs]
    told: dict[str, object] = {"rows": len(rows), "verdicts": len(labels)}
    for name, found in verdicts.items():
        hits = sum(a and b for a, b in zip(found, labels, strict=True))
        f1 = 200 * hits / max(1, sum(found) + sum(labels))
        told[name] = {"turns": round(turns[name] / len(rows), 1), "F1": round(f1, 1)}
    differing = sum(a != b for a, b in zip(*verdicts.values(), strict=True))
    return told | {"verdicts that differ": differing}


if __name__ == "__main__":
    dataset = load_rows(Path(sys.argv[1]))
    some = dataset[: int(sys.argv[2])] if len(sys.argv) > 2 else dataset
    sys.stdout.write(json.dumps(measure(some)) + "\n")
