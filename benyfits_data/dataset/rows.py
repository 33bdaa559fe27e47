"""Rows of a dataset: one household a line, as JSON."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset.json_lines import read_lines, shown
from benyfits_data.dataset.manifest import to_csv
from benyfits_data.editions import Edition
from benyfits_data.errors import ArgumentError, BenyfitsError, DatasetFormatError
from benyfits_data.household.columns import Households
from benyfits_data.household.features import HOUSEHOLD_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.language.reading_labels import contested
from benyfits_data.profiles.names import draw_names
from benyfits_data.profiles.render import Register, render_profile
from benyfits_data.rng import stream
from benyfits_data.staged_writes import write_atomically
from benyfits_data.version import __version__

KEYS = (
    *("id", "edition", "household", "profile", "programs"),
    *("eligible", "labels", "contested", "weights"),
)


@dataclass(frozen=True)
class Row:
    """One household of a dataset.

    Attributes:
        id: Its name in the dataset.
        edition: The year whose rules label it.
        household: Who lives there, and all facts.
        profile: The same in prose.
        programs: Programs that the household is interested in, sorted.
        eligible: Whether it is eligible, for each of these.
        labels: Whether it is eligible, for every program of the edition.
        contested: The readings on which a label hangs that should not count, by program; programs
            whose label is not contested are left out.
        weights: How much each program that it is interested in counts: in a sample of the city one
            over its inclusion probability (how many pairs of the city it stands for), otherwise 1.
    """

    id: str
    edition: int
    household: Household
    profile: str
    programs: tuple[str, ...]
    eligible: dict[str, bool]
    labels: dict[str, bool]
    contested: dict[str, tuple[str, ...]] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.weights:
            object.__setattr__(self, "weights", dict.fromkeys(self.programs, 1.0))

    @property
    def contested_pairs(self) -> int:
        """How many of the programs that the household asks about have a contested label."""
        return sum(program in self.contested for program in self.programs)

    def as_json(self) -> str:
        """Return the row as one line of JSON, keys in their fixed order."""
        content = {
            "id": self.id,
            "edition": self.edition,
            "household": self.household.facts(),
            "profile": self.profile,
            "programs": list(self.programs),
            "eligible": self.eligible,
            "labels": self.labels,
            "contested": self.contested,
            "weights": self.weights,
        }
        return json.dumps(content, ensure_ascii=False)


@dataclass(frozen=True, repr=False)
class Dataset(Sequence[Row]):
    """A dataset as read: a sequence of rows.

    Attributes:
        name: What its file is called, without the ending.
        rows: One row a household.
    """

    name: str
    rows: tuple[Row, ...]

    @classmethod
    def read(cls, path: Path) -> "Dataset":
        """Return the dataset in a file of ours.

        Raises:
            DatasetFormatError: The file cannot be read, or a line is no row; names the line.
        """
        return cls(path.stem, tuple(read_rows(path)))

    @property
    def households(self) -> Households:
        """The households, in the order of the rows."""
        return Households.from_households([row.household for row in self.rows])

    def to_pandas(self, of: Literal["households", "members", "pairs"] = "households") -> Any:
        """Return the dataset as a `pandas.DataFrame`.

        Args:
            of: `households`: a row each, with the facts that its members share, the number of its
                members and its profile. `members`: a row each, with their own facts. `pairs`: a
                row for each household and program that it is interested in, its label, whether that
                is contested, and its weight.

        Raises:
            ArgumentError: `of` is none of these.
        """
        import pandas as pd

        if of not in ("households", "members", "pairs"):
            raise ArgumentError(f"of is {of!r}, expected households, members or pairs.", of=of)
        ids = [row.id for row in self.rows]
        if of == "pairs":
            pairs = [
                (row.id, row.edition, name, eligible, name in row.contested, row.weights[name])
                for row in self.rows
                for name, eligible in row.eligible.items()
            ]
            columns = ["household", "edition", "program", "eligible", "contested", "weight"]
            return pd.DataFrame(pairs, columns=columns)
        if of == "members":
            return self.households.to_pandas(ids)
        facts = [
            {
                "edition": row.edition,
                "members": len(row.household.members),
                "profile": row.profile,
                **{name: getattr(row.household, name) for name in HOUSEHOLD_FEATURES},
            }
            for row in self.rows
        ]
        return pd.DataFrame(facts, index=pd.Index(ids, name="household"))

    def __getitem__(self, position: Any) -> Any:
        return self.rows[position]

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        years = " and ".join(sorted({str(row.edition) for row in self.rows}))
        pairs = sum(len(row.programs) for row in self.rows)
        return f"<Dataset {self.name}: {len(self)} households, {pairs} pairs, edition {years}>"


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write a dataset, one row a line, atomically."""
    write_atomically(path, "".join(row.as_json() + "\n" for row in rows))


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a dataset of ours.

    Raises:
        DatasetFormatError: The file cannot be read, or a line is no row; names the line.
    """
    return [_row(path, number, content) for number, content in read_lines(path)]


def programs_table(rows: Sequence[Row], programs: Iterable[str]) -> str:
    """Return pairs by answer for each program, and their total (the paper's Tables 3 and 4)."""
    lines: list[tuple[object, ...]] = []
    positives, pairs = 0, 0
    for name in programs:
        answers = [row.eligible[name] for row in rows if name in row.programs]
        positives, pairs = positives + sum(answers), pairs + len(answers)
        lines.append((name, *_counts(sum(answers), len(answers))))
    lines.append(("Total", *_counts(positives, pairs)))
    return to_csv(("program", "positive", "negative", "percent_true"), lines)


def _row(path: Path, number: int, content: dict[str, Any]) -> Row:
    missing = [key for key in KEYS if key not in content]
    if missing:
        raise DatasetFormatError(
            f"{path}:{number} lacks {', '.join(missing)}, expected {', '.join(KEYS)}. "
            "`benyfits-data label` takes partial rows.",
            path=path,
            line=number,
        )
    try:
        return Row(
            id=_typed(content, "id", str),
            edition=_typed(content, "edition", int),
            household=Household.from_facts(_typed(content, "household", dict)),
            profile=_typed(content, "profile", str),
            programs=tuple(_typed(content, "programs", list)),
            eligible=_flags(content, "eligible"),
            labels=_flags(content, "labels"),
            contested=_readings(content),
            weights=_weights(content),
        )
    except (BenyfitsError, TypeError, AttributeError) as error:
        raise DatasetFormatError(f"{path}:{number}: {error}", path=path, line=number) from error


def _typed(content: dict[str, Any], key: str, kind: type) -> Any:
    if not isinstance(content[key], kind):
        raise TypeError(f"{key} is {shown(content[key])}, expected {kind.__name__}.")
    return content[key]


def _flags(content: dict[str, Any], key: str) -> dict[str, bool]:
    flags = _typed(content, key, dict)
    for program, flag in flags.items():
        if not isinstance(flag, bool):
            raise TypeError(f"{key} of {program} is {shown(flag)}, expected true or false.")
    return dict(flags)


def _readings(content: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    contested = _typed(content, "contested", dict)
    for program, ids in contested.items():
        if not isinstance(ids, list) or not all(isinstance(reading, str) for reading in ids):
            raise TypeError(f"contested of {program} is {shown(ids)}, expected a list of readings.")
    return {program: tuple(ids) for program, ids in contested.items()}


def _weights(content: dict[str, Any]) -> dict[str, float]:
    weights = _typed(content, "weights", dict)
    for program, weight in weights.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not weight > 0:
            raise TypeError(f"weights of {program} is {shown(weight)}, expected a number above 0.")
    if set(weights) != set(content["programs"]):
        raise TypeError("weights do not name the programs that the household is interested in.")
    return {program: float(weight) for program, weight in weights.items()}


def _counts(positive: int, pairs: int) -> tuple[int, int, str]:
    return positive, pairs - positive, f"{100 * positive / pairs:.2f}" if pairs else ""


def make_rows(
    name: str,
    edition: Edition,
    seed: int,
    households: Households,
    wanted: Sequence[Iterable[str]],
    labels: Mapping[str, Sequence[bool] | NDArray[np.bool_]],
    weights: Sequence[dict[str, float]] = (),
    profiles: Register = "short",
) -> list[Row]:
    """Return households as rows of a dataset, named and described.

    Args:
        name: The dataset's name, which begins the ids.
        edition: Whose rules label it.
        seed: The seed of the build.
        households: Their names are set in place.
        wanted: The programs that each is interested in.
        labels: For every program, whether each household is eligible.
        weights: How many pairs of the city each stands for, where households were sampled.
        profiles: How households are described.
    """
    households.names = draw_names(households, stream(seed, name, "names"))
    width = len(str(len(households)))
    open_labels = contested(edition, households)
    rows = []
    for place, asked in enumerate(wanted):
        household = households.household(place)
        of_household = {program: bool(label[place]) for program, label in labels.items()}
        programs = tuple(sorted(asked))
        rows.append(
            Row(
                id=f"{name}-{edition.year}-{place + 1:0{width}d}",
                edition=edition.year,
                household=household,
                profile=render_profile(household, profiles),
                programs=programs,
                eligible={program: of_household[program] for program in programs},
                labels=of_household,
                contested=open_labels[place],
                weights=weights[place] if weights else {},
            )
        )
    return rows


def described(name: str, edition: Edition, seed: int, rows: Sequence[Row]) -> dict[str, Any]:
    """Return what the manifest of every dataset tells of its rows."""
    answers = [eligible for row in rows for eligible in row.eligible.values()]
    return {
        "name": name,
        "version": __version__,
        "edition": edition.year,
        "rules": edition.provenance(),
        "seed": seed,
        "households": len(rows),
        "pairs": len(answers),
        "eligible_pairs": sum(answers),
        "contested_pairs": sum(row.contested_pairs for row in rows),
    }
