"""How many programs depend on each feature."""

from benyfits_data.dataset import to_csv
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


def features_table(edition: Edition) -> str:
    """Return a CSV of how many programs depend on each feature (the paper's Figure 2)."""
    counts = feature_counts(edition)
    return to_csv(
        ("feature", "level", "programs"),
        ((name, FEATURES[name].level, count) for name, count in counts),
    )
