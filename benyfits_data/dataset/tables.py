"""Tables about a dataset, as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence

from benyfits_data.dataset.rows import Row


def programs_table(rows: Sequence[Row], programs: Iterable[str]) -> str:
    """Return pairs by answer for each program, and their total (the paper's Tables 3 and 4)."""
    lines: list[tuple[object, ...]] = []
    positives, pairs = 0, 0
    for name in programs:
        answers = [row.eligible[name] for row in rows if name in row.programs]
        positives, pairs = positives + sum(answers), pairs + len(answers)
        lines.append((name, *_counts(sum(answers), len(answers))))
    lines.append(("Total", *_counts(positives, pairs)))
    return to_csv(("program", "positive", "negative", "percent_true"), lines)


def to_csv(header: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(lines)
    return text.getvalue()


def _counts(positive: int, pairs: int) -> tuple[int, int, str]:
    return positive, pairs - positive, f"{100 * positive / pairs:.2f}" if pairs else ""
