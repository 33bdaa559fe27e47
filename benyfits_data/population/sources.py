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
from typing import Literal

import benyfits_data
from benyfits_data.errors import BenyfitsError

Role = Literal["margin", "draw", "odds", "rule"]
Status = Literal["verified", "derived", "assumption"]
FLAG_CATEGORIES = frozenset({"yes", "no"})


class SourcesError(BenyfitsError):
    """A table of `sources/` is missing or cannot be read."""


@dataclass(frozen=True)
class Source:
    """One publication, or one table of a large one.

    Attributes:
        id: Readable name by which figures and distributions cite it.
        publisher: Who published it.
        title: Of the publication.
        table: Table or place within it.
        year: Of the figures, not of the publication.
        geography: Whom the figures count.
        address: Where it was seen or is published.
        date_seen: Year and month.
        note: What a reader should know before trusting it.
    """

    id: str
    publisher: str
    title: str
    table: str
    year: str
    geography: str
    address: str
    date_seen: str
    note: str


@dataclass(frozen=True)
class Figure:
    """One figure as printed, and the features it stands behind."""

    source: str
    features: tuple[str, ...]
    what: str
    value: str
    unit: str
    geography: str
    year: str


@dataclass(frozen=True)
class Share:
    """One row of a distribution.

    Attributes:
        feature: Feature of the household model, or a fact kept for drawing other features.
        level: Whose fact it is.
        role: `margin` is a target to hit, `draw` a probability used in drawing, `odds` multiplies
            drawn probabilities, `rule` says how code derives the feature.
        table: Margins of one joint table share a name.
        given: For whom the share holds, in the language of conditions.
        category: One value, a range of numbers, or several values parted by `|`.
        share: Probability (or factor, for odds); `None` for rules.
        sources: Ids of sources.
        arithmetic: How the share follows from published numbers.
        status: Whether a source prints it, it follows from printed numbers, or nobody saw it.
        confidence: high, medium or low.
        note: Choices made.
        place: File and line.
    """

    feature: str
    level: Literal["member", "household"]
    role: Role
    table: str
    given: str
    category: str
    share: float | None
    sources: tuple[str, ...]
    arithmetic: str
    status: Status
    confidence: str
    note: str
    place: str


@dataclass(frozen=True)
class Assumption:
    """Something about a feature that nobody saw in a source."""

    feature: str
    what: str
    reason: str
    look_up: str


@dataclass(frozen=True)
class Parameter:
    """A number that code needs and a source prints: a median, a guideline, a factor.

    Attributes:
        name: What it is.
        given: For whom, in the language of conditions.
        value: The number.
        unit: What it counts.
        sources: Ids of sources.
        status: As for shares.
        note: Choices made.
    """

    name: str
    given: str
    value: float
    unit: str
    sources: tuple[str, ...]
    status: Status
    note: str


@dataclass(frozen=True)
class Enrollment:
    """What an agency publishes about a program: who receives it, or how many it can take.

    Attributes:
        program: Name of the program.
        what: What is counted.
        value: The count.
        unit: Persons, households, vouchers, ...
        year: Of the count.
        sources: Ids of sources.
        note: How it differs from the number of eligible households.
    """

    program: str
    what: str
    value: float
    unit: str
    year: str
    sources: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class JointTable:
    """A published cross-tabulation, or one computed from a record-level file.

    Attributes:
        name: Name of the file.
        source: Id of the source.
        dimensions: Names of the columns that are crossed.
        cells: Count of every combination of values.
    """

    name: str
    source: str
    dimensions: tuple[str, ...]
    cells: Mapping[tuple[str, ...], float]

    def sum(self, *names: str) -> dict[tuple[str, ...], float]:
        """Return the counts summed over all dimensions but `names`, in their order."""
        positions = [self.dimensions.index(name) for name in names]
        totals: dict[tuple[str, ...], float] = {}
        for key, count in self.cells.items():
            short = tuple(key[position] for position in positions)
            totals[short] = totals.get(short, 0.0) + count
        return totals


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
    )


def _parameters(root: Path) -> Iterator[Parameter]:
    for _, row in _rows(root / "parameters.csv", tuple(Parameter.__annotations__)):
        facts = {**row, "value": float(row["value"]), "sources": tuple(row["sources"].split())}
        yield Parameter(**facts)  # type: ignore[arg-type]


def _enrollments(root: Path) -> Iterator[Enrollment]:
    for _, row in _rows(root / "enrollment.csv", tuple(Enrollment.__annotations__)):
        facts = {**row, "value": float(row["value"]), "sources": tuple(row["sources"].split())}
        yield Enrollment(**facts)  # type: ignore[arg-type]


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
