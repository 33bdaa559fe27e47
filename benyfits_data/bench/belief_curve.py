"""What belief costs: pairs and households of the Diverse set against the percentile asked for.

`python -m benyfits_data.bench.belief_curve [OUTPUT]` builds the set of edition 2024 at several
percentiles and without belief, from one corpus, and writes `belief_curve.csv` and `.svg`, which
the report page shows.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time

import numpy as np

from benyfits_data.dataset import to_csv, write_atomically
from benyfits_data.diverse.build import select
from benyfits_data.editions import load_edition
from benyfits_data.fuzz.believable.donors import default_donor_city
from benyfits_data.fuzz.corpus import CoverageReader
from benyfits_data.fuzz.directed import search_missing
from benyfits_data.fuzz.distributed import sample_corpus
from benyfits_data.plotting import BLUE, ORANGE, figure, to_svg

EDITION, SEED, HOUSEHOLDS = 2024, 0, 10_000
PERCENTILES = (None, 95.0, 75.0, 50.0, 25.0, 10.0)
"""As `diverse --plausible` takes them; None is `off`."""
COLUMNS = ("plausible", "pairs", "households", "median", "within 99th", "within 99.9th", "s")


def measure(percentiles: Sequence[float | None]) -> Iterator[list[object]]:
    """Yield a row of `COLUMNS` a percentile; `s` is the selection's processor time."""
    city, edition = default_donor_city(), load_edition(EDITION)
    corpus = search_missing(sample_corpus(HOUSEHOLDS, edition, SEED), SEED)
    coverage_of = CoverageReader("branches", edition)
    for percentile in percentiles:
        start = process_time()
        grown, selection = select(corpus, SEED, "exact", coverage_of, city, percentile)
        chosen = grown.take(sorted({home for home, _ in selection.pairs})).households
        found = city.belief.percentile(chosen)
        yield [
            "off" if percentile is None else f"{percentile:g}",
            len(selection.pairs),
            len(chosen),
            f"{np.median(found):.1f}",
            int((found <= 99).sum()),
            int((found <= 99.9).sum()),
            round(process_time() - start),
        ]


def draw(rows: Sequence[Sequence[object]]) -> str:
    """Return an SVG: the median percentile reached, and the households it takes."""
    asked = [str(row[0]) for row in rows]
    with figure(8, 4.5) as drawn:
        axes = drawn.add_subplot()
        axes.plot(asked, [float(str(row[3])) for row in rows], "o-", color=BLUE)
        axes.set_ylabel("median percentile of the households", color=BLUE)
        axes.set_xlabel("percentile asked for (--plausible)")
        axes.set_ylim(0, 105)
        beside = axes.twinx()
        beside.plot(asked, [int(str(row[2])) for row in rows], "s--", color=ORANGE)
        beside.set_ylabel("households", color=ORANGE)
        beside.set_ylim(0, 70)
        beside.grid(visible=False)
        for at, row in enumerate(rows):
            axes.annotate(
                f"{row[1]} pairs",
                (at, float(str(row[3]))),
                (0, 8),
                ha="center",
                textcoords="offset points",
            )
        axes.set_title("What belief costs")
        return to_svg(drawn)


def main(output: Path) -> None:
    """Measure, print and write."""
    rows = []
    for row in measure(PERCENTILES):
        rows.append(row)
        sys.stdout.write("  ".join(f"{cell!s:>12}" for cell in row) + "\n")
        sys.stdout.flush()
    output.mkdir(parents=True, exist_ok=True)
    write_atomically(output / "belief_curve.csv", to_csv(COLUMNS, rows))
    write_atomically(output / "belief_curve.svg", draw(rows))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "output"))
