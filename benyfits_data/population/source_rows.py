"""The rows of the tables in `sources/`, a field a column; `sources/README.md` says more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Role = Literal["margin", "draw", "odds", "rule"]
Status = Literal["verified", "derived", "assumption"]
Confidence = Literal["high", "medium", "low"]


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

    @property
    def was_unfitted(self) -> bool:
        """Whether it is a target now that was an unfitted figure before."""
        return self.note.startswith("once unfitted")


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
    """A published cross-tabulation: the count of every combination of its dimensions' values."""

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
