"""The published figures and where they come from, as typed, frozen rows.

`sources/` holds tables only: `registry.csv` (one row a source), `figures/` (figures as printed),
`joint/` (cross-tabulations), `distributions/` (the shares in use, each naming its sources) and
`assumptions.csv` (what nobody saw in a source).
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from benyfits_data.errors import BenyfitsError
from benyfits_data.population.source_rows import (
    Assumption,
    Enrollment,
    Figure,
    JointTable,
    Parameter,
    PeopleRow,
    PovertyTarget,
    Publication,
    Share,
    Status,
    Unfitted,
)

FLAG_CATEGORIES = frozenset({"yes", "no"})
Row = TypeVar("Row")


class SourcesError(BenyfitsError):
    """A table of `sources/` is missing or cannot be read."""


@dataclass(frozen=True, eq=False)
class Sources:
    """Everything in `sources/`; compared, and cached by, identity."""

    folder: Path
    registry: Mapping[str, Publication]
    figures: tuple[Figure, ...]
    shares: tuple[Share, ...]
    joints: Mapping[str, JointTable]
    assumptions: tuple[Assumption, ...]
    parameters: tuple[Parameter, ...]
    enrollments: tuple[Enrollment, ...]
    unfitted: tuple[Unfitted, ...]
    poverty: tuple[PovertyTarget, ...]
    people: tuple[PeopleRow, ...]

    @cached_property
    def by_feature(self) -> dict[str, list[Share]]:
        """Rows of each feature, features in the order in which they are drawn."""
        found: dict[str, list[Share]] = {}
        for share in self.shares:
            found.setdefault(share.feature, []).append(share)
        return found

    def status_of(self, feature: str) -> Status:
        """Return the status of what a feature's level rests on.

        That is its margins; without any, its draws: an assumption where none of them is sourced.
        """
        rows = self.by_feature[feature]
        leading = [row for row in rows if row.role == "margin"] or rows
        told: list[Status] = [row.status for row in leading if row.share not in (0, 1)]
        sourced = [status for status in told if status != "assumption"]
        return (sourced or told or [rows[0].status])[0]

    def cited(self) -> set[str]:
        """Return the ids that distributions and joint tables cite."""
        rows: list[Any] = [*self.shares, *self.parameters, *self.enrollments, *self.unfitted]
        rows += [*self.poverty, *self.people]
        ids = {source for row in rows for source in row.sources}
        return ids | {joint.source for joint in self.joints.values()}

    def parameter(self, name: str, given: str = "all") -> float:
        """Return the value of one parameter.

        Raises:
            SourcesError: It is not in `parameters.csv`.
        """
        for parameter in self.parameters:
            if parameter.name == name and parameter.given == given:
                return parameter.value
        raise SourcesError(
            f"parameters.csv has no {name!r} for {given!r}. Add the row.", name=name, given=given
        )


def sources_folder() -> Path:
    """Return `sources/` of the repository, or the copy inside an installed package.

    Raises:
        SourcesError: Neither exists.
    """
    package = Path(__file__).parents[1]
    for folder in (package / "_sources", package.parent / "sources"):
        if (folder / "registry.csv").is_file():
            return folder
    raise SourcesError(
        f"No sources beside {package}, expected sources/registry.csv. Reinstall the package.",
        folder=package.parent / "sources",
    )


def load_sources(folder: Path | None = None) -> Sources:
    """Return all tables of `sources/`, read and typed.

    Args:
        folder: Where they are; by default those of the repository or of the package.

    Raises:
        SourcesError: A file or column is missing, or a share is no number.
    """
    root = folder or sources_folder()
    registry: dict[str, Publication] = {}
    for row in _rows(root / "registry.csv", Publication):
        if row.id in registry:
            raise SourcesError(
                f"registry.csv names {row.id!r} twice. Keep one row a source.", source=row.id
            )
        registry[row.id] = row
    return Sources(
        folder=root,
        registry=registry,
        figures=_all_rows(root / "figures", Figure),
        shares=_all_rows(root / "distributions", Share),
        joints={path.stem: _joint(path) for path in sorted((root / "joint").glob("*.csv"))},
        assumptions=tuple(_rows(root / "assumptions.csv", Assumption)),
        parameters=tuple(_rows(root / "parameters.csv", Parameter)),
        enrollments=tuple(_rows(root / "enrollment.csv", Enrollment)),
        unfitted=tuple(_rows(root / "unfitted.csv", Unfitted)),
        poverty=tuple(_rows(root / "poverty.csv", PovertyTarget)),
        people=tuple(_rows(root / "people.csv", PeopleRow)),
    )


def _joint(path: Path) -> JointTable:
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    if header[0] != "source" or header[-1] != "count" or not rows:
        raise SourcesError(
            f"{path.name} has the columns {header}, expected source, dimensions and count.",
            path=path,
        )
    return JointTable(
        name=path.stem,
        source=rows[0][0],
        dimensions=tuple(header[1:-1]),
        cells={tuple(row[1:-1]): float(row[-1]) for row in rows},
    )


def _all_rows(folder: Path, kind: type[Row]) -> tuple[Row, ...]:
    return tuple(row for path in sorted(folder.glob("*.csv")) for row in _rows(path, kind))


def _rows(path: Path, kind: type[Row]) -> Iterator[Row]:
    """Yield the rows of a table, typed by the annotations of `kind`; `place` is file and line."""
    if not path.is_file():
        raise SourcesError(f"{path} is missing. Restore it from the repository.", path=path)
    types = dict(kind.__annotations__)
    columns = [name for name in types if name != "place"]
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if list(reader.fieldnames or ()) != columns:
            raise SourcesError(
                f"{path.name} has the columns {reader.fieldnames}, expected {columns}.", path=path
            )
        for row in reader:
            place = f"{path.name}:{reader.line_num}"
            facts: dict[str, Any] = {}
            for name, text in row.items():
                try:
                    facts[name] = _READERS.get(types[name], str)(text)
                except ValueError as error:
                    raise SourcesError(
                        f"{place}: {name} is {text!r}, expected a number.", place=place
                    ) from error
            if "place" in types:
                facts["place"] = place
            yield kind(**facts)


_READERS: dict[Any, Callable[[str], Any]] = {
    float: float,
    float | None: lambda text: float(text) if text else None,
    tuple[str, ...]: lambda text: tuple(text.replace("|", " ").split()),
}
