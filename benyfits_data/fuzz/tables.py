"""Tables about a Diverse set: programs, and the features that programs depend on."""

import csv
import io
from collections.abc import Iterable, Sequence

from benyfits_data.dataset import Row
from benyfits_data.editions import Edition
from benyfits_data.household.features import FEATURES
from benyfits_data.language.facts import features_read


def feature_counts(edition: Edition) -> list[tuple[str, int]]:
    """Return how many programs depend on each feature, through measures too; most first."""
    counts = dict.fromkeys(FEATURES, 0)
    for program in edition.programs.values():
        for name in features_read(program.checker):
            counts[name] += 1
    order = list(FEATURES)
    return sorted(counts.items(), key=lambda item: (-item[1], order.index(item[0])))


def programs_table(rows: Sequence[Row], edition: Edition) -> str:
    """Return the paper's Table 3 as CSV: pairs by answer for each program, and their total."""
    lines: list[tuple[object, ...]] = []
    totals = [0, 0]
    for name in edition.programs:
        answers = [row.eligible[name] for row in rows if name in row.programs]
        positive, negative = sum(answers), len(answers) - sum(answers)
        totals = [totals[0] + positive, totals[1] + negative]
        lines.append((name, positive, negative, _percent(positive, negative)))
    lines.append(("Total", *totals, _percent(*totals)))
    return _csv(("program", "positive", "negative", "percent_true"), lines)


def features_table(edition: Edition) -> str:
    """Return a CSV of how many programs depend on each feature (the paper's Figure 2)."""
    counts = feature_counts(edition)
    return _csv(
        ("feature", "level", "programs"),
        ((name, FEATURES[name].level, count) for name, count in counts),
    )


def _percent(positive: int, negative: int) -> str:
    return f"{100 * positive / (positive + negative):.2f}" if positive + negative else ""


def _csv(header: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(lines)
    return text.getvalue()
