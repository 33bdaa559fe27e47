"""The rows of the tables in `sources/`: what each column means."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Role = Literal["margin", "draw", "odds", "rule"]
Status = Literal["verified", "derived", "assumption"]


@dataclass(frozen=True)
class Publication:
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
class Validation:
    """A published share that no draw was fitted to: how true is the city where nobody aimed?

    Attributes:
        what: In words.
        level: Members or households.
        condition: What is counted, in the language of conditions.
        among: Among whom.
        published: The published share.
        sources: Ids of sources.
        note: What differs from ours.
    """

    what: str
    level: str
    condition: str
    among: str
    published: float
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
