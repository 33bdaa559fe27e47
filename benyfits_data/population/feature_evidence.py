"""What a fact's shares in the city rest on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benyfits_data.population.sources import (
    Assumption,
    Figure,
    Publication,
    Share,
    Sources,
    SourcesError,
)
from benyfits_data.spelling import fold, suggest


@dataclass(frozen=True)
class FeatureEvidence:
    """What a fact's shares in the city rest on.

    Attributes:
        name: The fact.
        shares: Its shares, at least one.
        figures: The publications that they cite, each with what it prints of the fact.
        assumptions: What nobody saw in a source.
    """

    name: str
    shares: Sequence[Share]
    figures: Sequence[tuple[Publication, Sequence[Figure]]]
    assumptions: Sequence[Assumption]

    def lines(self) -> Iterator[str]:
        """Yield it in words."""
        first = self.shares[0]
        yield f"{self.name} ({first.level}): {first.status}, confidence {first.confidence}"
        if first.note:
            yield f"  {first.note}"
        for row in self.shares:
            share = "" if row.share is None else f"{row.share:.4f}"
            yield f"  {row.role:6} {row.given:44} {row.category:28} {share:8} {row.arithmetic}"
        for source, figures in self.figures:
            yield f"  [{source.id}] {source.citation}. {source.address}"
            for figure in figures:
                seen = f"({figure.geography}, {figure.year})"
                yield f"      {figure.what}: {figure.value} {figure.unit} {seen}"
        for assumption in self.assumptions:
            yield f"  assumed: {assumption.what}. {assumption.reason}"
            yield f"      look up: {assumption.look_up}"

    def as_json(self) -> Mapping[str, Any]:
        """Return it for machines."""
        return {
            "shares": self.shares,
            "sources": [source for source, _ in self.figures],
            "figures": [figure for _, figures in self.figures for figure in figures],
            "assumptions": self.assumptions,
        }


def find_evidence(sources: Sources, feature: str) -> FeatureEvidence:
    """Return what a fact's shares rest on.

    Args:
        sources: All tables.
        feature: The fact's name, as people type it.

    Raises:
        SourcesError: The city draws no such fact.
    """
    name = {fold(known): known for known in sources.by_feature}.get(fold(feature))
    if name is None:
        listed = "`benyfits-data features list` names the features."
        hint = suggest(feature, sources.by_feature.keys(), listed)
        raise SourcesError(f"{feature!r} is no fact that the city draws. {hint}", feature=feature)
    shares = sources.by_feature[name]
    cited = dict.fromkeys(source for share in shares for source in share.sources)
    printed = [figure for figure in sources.figures if name in figure.features]
    return FeatureEvidence(
        name,
        shares,
        [
            (sources.registry[source], [figure for figure in printed if figure.source == source])
            for source in cited
        ],
        [assumption for assumption in sources.assumptions if assumption.feature == name],
    )
