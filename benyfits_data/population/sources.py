"""The published figures and where they come from, as typed, frozen rows.

`sources/` holds tables only: `registry.csv` (one row a source), `figures/` (figures as printed),
`joint/` (cross-tabulations), `distributions/` (the shares in use, each naming its sources) and
`assumptions.csv` (what nobody saw in a source).
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import benyfits_data
from benyfits_data.errors import BenyfitsError
from benyfits_data.population.source_rows import (
    Assumption,
    Enrollment,
    Figure,
    JointTable,
    Parameter,
    Share,
    Source,
    Status,
    Validation,
)

FLAG_CATEGORIES = frozenset({"yes", "no"})


class SourcesError(BenyfitsError):
    """A table of `sources/` is missing or cannot be read."""


@dataclass(frozen=True, eq=False)
class Sources:
    """Everything in `sources/`; compared, and cached by, identity."""

    folder: Path
    registry: Mapping[str, Source]
    figures: tuple[Figure, ...]
    shares: tuple[Share, ...]
    joints: Mapping[str, JointTable]
    assumptions: tuple[Assumption, ...]
    parameters: tuple[Parameter, ...]
    enrollments: tuple[Enrollment, ...]
    validations: tuple[Validation, ...]

    @cached_property
    def by_feature(self) -> dict[str, list[Share]]:
        """Rows of each feature, features in the order in which they are drawn."""
        found: dict[str, list[Share]] = {}
        for share in self.shares:
            found.setdefault(share.feature, []).append(share)
        return found

    def status_of(self, feature: str) -> Status:
        """Return the status of a feature's distribution."""
        return self.by_feature[feature][0].status

    def cited(self) -> set[str]:
        """Return the ids that distributions and joint tables cite."""
        ids = {source for share in self.shares for source in share.sources}
        ids |= {source for parameter in self.parameters for source in parameter.sources}
        ids |= {source for enrollment in self.enrollments for source in enrollment.sources}
        ids |= {source for validation in self.validations for source in validation.sources}
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
    package = Path(benyfits_data.__file__).parent
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
    registry: dict[str, Source] = {}
    for _, row in _rows(root / "registry.csv", tuple(Source.__annotations__)):
        if row["id"] in registry:
            raise SourcesError(
                f"registry.csv names {row['id']!r} twice. Keep one row a source.", source=row["id"]
            )
        registry[row["id"]] = Source(**row)
    return Sources(
        folder=root,
        registry=registry,
        figures=tuple(_figures(root)),
        shares=tuple(_shares(root)),
        joints={path.stem: _joint(path) for path in sorted((root / "joint").glob("*.csv"))},
        assumptions=tuple(
            Assumption(**row)
            for _, row in _rows(root / "assumptions.csv", tuple(Assumption.__annotations__))
        ),
        parameters=tuple(_parameters(root)),
        enrollments=tuple(_enrollments(root)),
        validations=tuple(_validations(root)),
    )


def _parameters(root: Path) -> Iterator[Parameter]:
    for _, row in _rows(root / "parameters.csv", tuple(Parameter.__annotations__)):
        facts = {**row, "value": float(row["value"]), "sources": tuple(row["sources"].split())}
        yield Parameter(**facts)  # type: ignore[arg-type]


def _enrollments(root: Path) -> Iterator[Enrollment]:
    for _, row in _rows(root / "enrollment.csv", tuple(Enrollment.__annotations__)):
        facts = {**row, "value": float(row["value"]), "sources": tuple(row["sources"].split())}
        yield Enrollment(**facts)  # type: ignore[arg-type]


def _validations(root: Path) -> Iterator[Validation]:
    for _, row in _rows(root / "validation.csv", tuple(Validation.__annotations__)):
        facts = {
            **row,
            "published": float(row["published"]),
            "sources": tuple(row["sources"].split()),
        }
        yield Validation(**facts)  # type: ignore[arg-type]


def _figures(root: Path) -> Iterator[Figure]:
    for path in sorted((root / "figures").glob("*.csv")):
        for _, row in _rows(path, tuple(Figure.__annotations__)):
            yield Figure(**{**row, "features": tuple(row["features"].split("|"))})  # type: ignore[arg-type]


def _shares(root: Path) -> Iterator[Share]:
    columns = tuple(name for name in Share.__annotations__ if name != "place")
    for path in sorted((root / "distributions").glob("*.csv")):
        for line, row in _rows(path, columns):
            place = f"{path.name}:{line}"
            try:
                share = float(row["share"]) if row["share"] else None
            except ValueError as error:
                raise SourcesError(
                    f"{place}: share of {row['feature']} is {row['share']!r}, expected a number.",
                    place=place,
                ) from error
            facts = {**row, "share": share, "sources": tuple(row["sources"].split())}
            yield Share(**facts, place=place)  # type: ignore[arg-type]


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


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    if not path.is_file():
        raise SourcesError(f"{path} is missing. Restore it from the repository.", path=path)
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != columns:
            raise SourcesError(
                f"{path.name} has the columns {reader.fieldnames}, expected {list(columns)}.",
                path=path,
            )
        for row in reader:
            yield reader.line_num, row
