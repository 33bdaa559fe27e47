"""The published figures and where they come from, as typed, frozen rows, a field a column.

`sources/` holds tables only: `registry.csv` (one row a source), `figures/` (figures as printed),
`joint/` (cross-tabulations), `distributions/` (the shares in use, each naming its sources) and
`assumptions.csv` (what nobody saw in a source). `sources/README.md` says more.
"""

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions.toml_file import read_toml
from benyfits_data.errors import BenyfitsError
from benyfits_data.population.conditions import ends_of
from benyfits_data.spelling import fold, suggest

Role = Literal["margin", "draw", "odds", "rule"]
Status = Literal["verified", "derived", "assumption"]
Confidence = Literal["high", "medium", "low"]
FLAG_CATEGORIES = frozenset({"yes", "no"})
Row = TypeVar("Row")


class SourcesError(BenyfitsError):
    """A table of `sources/` is missing or cannot be read."""


@dataclass(frozen=True)
class Publication:
    """One publication, or one table of a large one; `year` is that of the figures."""

    id: str
    publisher: str
    title: str
    table: str
    year: str
    geography: str
    address: str
    date_seen: str
    note: str

    @property
    def citation(self) -> str:
        """Who published what, for which year and place."""
        return f"{self.publisher}: {self.title}, {self.table}, {self.year}, {self.geography}"


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
            drawn probabilities, `rule` says how the feature follows from others.
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
    confidence: Confidence
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
    """A number that code needs and a source prints: a median, a guideline, a factor."""

    name: str
    given: str
    value: float
    unit: str
    sources: tuple[str, ...]
    status: Status
    note: str


@dataclass(frozen=True)
class Enrollment:
    """What an agency publishes about a program.

    `kind` says what it counts: `take-up` (who receives it), `places` (how many it can take) or
    `population` (who could be meant); none of them is eligibility. `note` explains what is between
    it and ours.
    """

    program: str
    kind: Literal["take-up", "places", "population"]
    what: str
    value: float
    unit: str
    year: str
    sources: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class PovertyTarget:
    """Share of the people or families for whom `given` holds who are poor by the Census definition.

    Incomes are calibrated to it.
    """

    unit: Literal["person", "family"]
    given: str
    share: float
    sources: tuple[str, ...]
    arithmetic: str
    status: Status
    note: str


@dataclass(frozen=True)
class Unfitted:
    """A published share of those who meet `condition` among those who meet another.

    No draw was fitted to it: it tells how true the city is where nobody aimed.

    Attributes:
        tolerance: How far from it a true city may be: the source's margin of error and the years
            between.
        words_condition: Where `condition` is not what the words alone say, what they say.
        words_among: Then those among whom they say it.
        carried: The share in the city's years, where the city's own is published for these and for
            those of the figure: the figure times the city's change.
        arithmetic: How that is reckoned.
    """

    what: str
    level: str
    condition: str
    among: str
    published: float
    tolerance: float
    sources: tuple[str, ...]
    note: str
    words_condition: str
    words_among: str
    carried: float | None
    arithmetic: str

    @property
    def is_last_added(self) -> bool:
        """Whether it belongs to those added last, before the city was held to any of them."""
        return self.note.startswith("added unseen in the second round")

    @property
    def expected(self) -> float:
        """The share that the city's is compared with."""
        return self.published if self.carried is None else self.carried


@dataclass(frozen=True)
class PeopleRow:
    """People or households for whom `condition` holds, among others.

    Attributes:
        kind: Whom a `rule` names there should hardly be; whom a `group` names there should be.
    """

    what: str
    kind: Literal["rule", "group"]
    level: Literal["member", "household"]
    condition: str
    among: str
    sources: tuple[str, ...]
    status: Status
    note: str


@dataclass(frozen=True)
class JointTable:
    """A published cross-tabulation, and how its dimensions are read off a city (`mappings.toml`).

    Attributes:
        cells: The count of every combination of the dimensions' values.
        level: Whether it counts members or households; empty where no city is compared with it.
        values: Value of a dimension to value of the column, where they differ.
        columns: Dimension to column of the city, where the names differ.
        among: Condition that everybody counted satisfies.
        tolerance: Distance that the table may have, raked to the city's margins.
        unraked_tolerance: The same as published; `None` where it counts another place than the
            city, and only tells how things go together.
    """

    name: str
    source: str
    dimensions: tuple[str, ...]
    cells: Mapping[tuple[str, ...], float]
    level: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    among: str = "all"
    tolerance: float = 0.02
    unraked_tolerance: float | None = None

    def sum(self, *names: str) -> dict[tuple[str, ...], float]:
        """Return the counts summed over all dimensions but `names`, in their order."""
        positions = [self.dimensions.index(name) for name in names]
        totals: dict[tuple[str, ...], float] = {}
        for key, count in self.cells.items():
            short = tuple(key[position] for position in positions)
            totals[short] = totals.get(short, 0.0) + count
        return totals

    def condition(self, dimension: str, value: str) -> str:
        """Return the condition that stands for one value of a dimension."""
        return f"{self.columns.get(dimension, dimension)} {self.values.get(value, value)}"

    @cached_property
    def labels(self) -> list[list[str]]:
        """The distinct values along every dimension."""
        return [list(dict.fromkeys(along)) for along in zip(*self.cells, strict=True)]

    def table(self, *labels: Sequence[str]) -> NDArray[np.float64]:
        """Return the counts of some values along every dimension, one axis a dimension."""
        counts = [self.cells[key] for key in product(*labels)]
        return np.array(counts).reshape([len(along) for along in labels])

    @cached_property
    def axes(self) -> list[list[str]]:
        """The distinct conditions along every dimension."""
        return [
            list(dict.fromkeys(self.condition(dimension, value) for value in along))
            for dimension, along in zip(self.dimensions, self.labels, strict=True)
        ]

    @cached_property
    def published(self) -> NDArray[np.float64]:
        """The counts, one axis a dimension, values that mean the same added up."""
        counts = np.zeros([len(conditions) for conditions in self.axes])
        for key, count in self.cells.items():
            wanted = map(self.condition, self.dimensions, key)
            counts[tuple(map(list.index, self.axes, wanted))] += count
        return counts


@dataclass(frozen=True)
class FeatureEvidence:
    """What a fact's shares in the city rest on.

    Attributes:
        shares: Its shares, at least one.
        figures: The publications that they cite, each with what it prints of the fact.
        assumptions: What nobody saw in a source.
    """

    shares: list[Share]
    figures: list[tuple[Publication, list[Figure]]]
    assumptions: list[Assumption]

    def lines(self) -> Iterator[str]:
        """Yield it in words."""
        first = self.shares[0]
        yield f"{first.feature} ({first.level}): {first.status}, confidence {first.confidence}"
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


@dataclass(frozen=True, eq=False)
class Sources:
    """Everything in `sources/`; compared, and cached by, identity."""

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
        rows: dict[str, list[Share]] = {}
        for share in self.shares:
            rows.setdefault(share.feature, []).append(share)
        return rows

    def status_of(self, feature: str) -> Status:
        """Return the status of what a feature's level rests on.

        That is its margins; without any, its draws: an assumption where none of them is sourced.
        """
        rows = self.by_feature[feature]
        leading = [row for row in rows if row.role == "margin"] or rows
        statuses: list[Status] = [row.status for row in leading if row.share not in (0, 1)]
        sourced = [status for status in statuses if status != "assumption"]
        return (sourced or statuses or [rows[0].status])[0]

    def cited(self) -> set[str]:
        """Return the ids that distributions and joint tables cite."""
        rows: list[Any] = [*self.shares, *self.parameters, *self.enrollments, *self.unfitted]
        rows += [*self.poverty, *self.people]
        ids = {source for row in rows for source in row.sources}
        return ids | {joint.source for joint in self.joints.values()}

    def uses(self) -> Counter[str]:
        """Return how many features rest on each source."""
        return Counter(
            source
            for rows in self.by_feature.values()
            for source in {source for row in rows for source in row.sources}
        )

    @cached_property
    def _values(self) -> dict[str, dict[str, float]]:
        values: dict[str, dict[str, float]] = {}
        for row in self.parameters:
            values.setdefault(row.name, {})[row.given] = row.value
        return values

    def values_of(self, name: str) -> Mapping[str, float]:
        """Return the values of a parameter by what they are given for."""
        return self._values.get(name, {})

    def parameter(self, name: str, given: str = "all") -> float:
        """Return the value of one parameter.

        Raises:
            SourcesError: It is not in `parameters.csv`.
        """
        if given in self.values_of(name):
            return self._values[name][given]
        raise SourcesError(
            f"parameters.csv has no {name!r} for {given!r}. Add the row.", name=name, given=given
        )

    def margin(self, feature: str, given: str = "all") -> dict[str, float]:
        """Return the margin of a feature under one condition: category to share."""
        return {
            row.category: float(row.share or 0)
            for row in self.by_feature[feature]
            if row.role == "margin" and row.given == given
        }

    def evidence_of(self, feature: str) -> FeatureEvidence:
        """Return what a fact's shares rest on; its name is as people type it.

        Raises:
            SourcesError: The city draws no such fact.
        """
        spellings = {fold(known): known for known in self.by_feature}
        name = spellings.get(fold(feature))
        if name is None:
            listed = "`benyfits-data features list` names the features."
            hint = suggest(feature, spellings, listed)
            raise SourcesError(
                f"{feature!r} is no fact that the city draws. {hint}", feature=feature
            )
        shares = self.by_feature[name]
        figures = {source: list[Figure]() for share in shares for source in share.sources}
        for figure in self.figures:
            if name in figure.features and figure.source in figures:
                figures[figure.source].append(figure)
        return FeatureEvidence(
            shares,
            [(self.registry[source], printed) for source, printed in figures.items()],
            [assumption for assumption in self.assumptions if assumption.feature == name],
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
        registry=registry,
        figures=_all_rows(root / "figures", Figure),
        shares=_all_rows(root / "distributions", Share),
        joints=_joints(root / "joint"),
        assumptions=tuple(_rows(root / "assumptions.csv", Assumption)),
        parameters=tuple(_rows(root / "parameters.csv", Parameter)),
        enrollments=tuple(_rows(root / "enrollment.csv", Enrollment)),
        unfitted=tuple(_rows(root / "unfitted.csv", Unfitted)),
        poverty=tuple(_rows(root / "poverty.csv", PovertyTarget)),
        people=tuple(_rows(root / "people.csv", PeopleRow)),
    )


def _joints(folder: Path) -> dict[str, JointTable]:
    """Return the cross-tabulations by name, first those that a city is compared with."""
    readings = read_toml(folder / "mappings.toml")
    everywhere = readings.pop("everywhere")
    names = dict.fromkeys([*readings, *(path.stem for path in sorted(folder.glob("*.csv")))])
    return {
        name: _joint(folder / f"{name}.csv", everywhere, readings.get(name, {})) for name in names
    }


def _joint(path: Path, everywhere: Mapping[str, str], reading: dict[str, Any]) -> JointTable:
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    if header[0] != "source" or header[-1] != "count" or not rows:
        raise SourcesError(
            f"{path.name} has the columns {header}, expected source, dimensions and count.",
            path=path,
        )
    values = {**everywhere, **reading.pop("values", {})}
    if dollars := reading.pop("dollars", None):
        factor, place = dollars["city"] / dollars["table"], header.index("household_income")
        for value in {row[place] for row in rows}:
            first, last = ends_of(value)
            high = "+" if value.endswith("+") else f"-{round((last + 1) * factor) - 1}"
            values[value] = f"{round(first * factor)}{high}"
    return JointTable(
        name=path.stem,
        source=rows[0][0],
        dimensions=tuple(header[1:-1]),
        cells={tuple(row[1:-1]): float(row[-1]) for row in rows},
        values=values,
        **reading,
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
