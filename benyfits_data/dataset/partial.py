"""Rows as other people write them: facts missing, unknown or out of range are no reason to stop."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benyfits_data.dataset.published import facts_from_published
from benyfits_data.dataset.rows import read_lines
from benyfits_data.errors import DatasetFormatError, FeatureValueError
from benyfits_data.household.completion import fill_in
from benyfits_data.household.declaration import Feature
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD, Household

Layout = Literal["ours", "published"]
_OURS = {"id", "edition", "household", "profile", "programs", "eligible", "labels"}


@dataclass
class PartialRow:
    """One row as read.

    Attributes:
        id: Its name in the file, or `line N`.
        line: The line it stands on.
        edition: The year it names, if any.
        facts: What it tells that our features can hold.
        labels: Its labels by program.
        unknown: Names of facts that no feature declares.
        outside: Member (`None` for the household) and feature of values outside their domain.
    """

    id: str
    line: int
    edition: int | None
    facts: dict[str, Any]
    labels: dict[str, bool]
    unknown: list[str] = field(default_factory=list)
    outside: list[tuple[int | None, str]] = field(default_factory=list)

    def household(self) -> Household:
        """Return the household with untold facts filled in; it may break constraints."""
        return fill_in(self.facts)


def read_partial_rows(path: Path, layout: Layout) -> Iterator[PartialRow]:
    """Give the rows of a file in our layout or the published one.

    In our layout a row may leave anything out but the members; a row may also be the household's
    facts alone.

    Raises:
        DatasetFormatError: A line has no members; names the line.
    """
    for number, content in read_lines(path):
        try:
            row = (
                _from_published(number, content)
                if layout == "published"
                else _ours(number, content)
            )
        except (KeyError, TypeError, ValueError) as error:
            shape = (
                "hh.features.members[].features"
                if layout == "published"
                else '{"household": {"members": [{...}]}}'
            )
            raise DatasetFormatError(
                f"{path}:{number} has no households' members ({error!r}), expected {shape}. "
                "Correct the line or choose another --format.",
                path=path,
                line=number,
            ) from error
        yield row


def _ours(number: int, content: dict[str, Any]) -> PartialRow:
    facts = content.get("household", content)
    told = {
        name: value for name, value in facts.items() if facts is not content or name not in _OURS
    }
    row = PartialRow(
        id=str(content.get("id", f"line {number}")),
        line=number,
        edition=content.get("edition"),
        facts={},
        labels={**content.get("labels", {}), **content.get("eligible", {})},
    )
    _sort_in(row, told["members"], {k: v for k, v in told.items() if k != "members"})
    return row


def _from_published(number: int, content: dict[str, Any]) -> PartialRow:
    members, shared, unknown = facts_from_published(
        [member["features"] for member in content["hh"]["features"]["members"]]
    )
    row = PartialRow(
        id=str(content.get("id", f"line {number}")),
        line=number,
        edition=None,
        facts={},
        labels={name: value for name, value in content.items() if isinstance(value, bool)},
        unknown=unknown,
    )
    _sort_in(row, members, shared)
    return row


def _sort_in(
    row: PartialRow, members: Sequence[Mapping[str, Any]], shared: Mapping[str, Any]
) -> None:
    if not 1 <= len(members) <= LARGEST_HOUSEHOLD:
        raise ValueError(f"{len(members)} members, expected 1 to {LARGEST_HOUSEHOLD}")
    row.facts = {
        "members": [
            _within(row, position, member, MEMBER_FEATURES)
            for position, member in enumerate(members)
        ],
        **_within(row, None, shared, HOUSEHOLD_FEATURES),
    }


def _within(
    row: PartialRow, position: int | None, told: Mapping[str, Any], features: Mapping[str, Feature]
) -> dict[str, Any]:
    """Return the told facts that features can hold; numbers out of range move to its end."""
    kept = {}
    for name, value in told.items():
        if name not in features:
            if name not in row.unknown:
                row.unknown.append(name)
            continue
        try:
            kept[name] = features[name].parse(value)
        except FeatureValueError:
            row.outside.append((position, name))
            if features[name].kind == "number" and isinstance(value, int | float):
                low, high = features[name].minimum or 0, features[name].maximum or 0
                kept[name] = int(min(max(value, low), high))
    return kept
