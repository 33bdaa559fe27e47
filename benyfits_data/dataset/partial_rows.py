"""Rows as other people write them: what they tell, and everything in them that is wrong.

A fault is a fact, program or value that we cannot take as it stands. Nothing is dropped or
replaced without a word: whoever reads rows decides whether a fault rejects the row, or tells what
is assumed in its place.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from benyfits_data.dataset.json_lines import parse_object, shown, text_lines
from benyfits_data.dataset.published import PUBLISHED_EDITION, facts_from_published
from benyfits_data.dataset.rows import KEYS
from benyfits_data.editions import DEFAULT_EDITION
from benyfits_data.errors import (
    DatasetFormatError,
    FeatureValueError,
)
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import MOST_MEMBERS, Household
from benyfits_data.household.schema import Feature
from benyfits_data.language.partial import household_facts, told_facts
from benyfits_data.spelling import suggest

Layout = Literal["ours", "published"]
_OURS = set(KEYS)
_KNOWN = _OURS | {"city"}
"""What a row of ours may hold; `city` is what `population draw` keeps of how it was drawn."""
_SHAPES = {
    "ours": '{"household": {"members": [{...}]}} or {"members": [{...}]}',
    "published": '{"hh": {"features": {"members": [{"features": {...}}]}}}',
}


@dataclass(frozen=True)
class RowFault:
    """Something in a row that cannot be taken as it stands.

    Attributes:
        fact: Where it is: `members[1].annual_work_incom`, `edition`, `labels.Moonlight`.
        reason: What was found, what was expected, what to do.
        assumed: What is taken in its place by those who go on.
        kind: `unknown` name, or a value `outside` what is possible for it.
    """

    fact: str
    reason: str
    assumed: str
    kind: Literal["unknown", "outside"]

    def __str__(self) -> str:
        return f"{self.fact} {self.reason}"


@dataclass
class PartialRow:
    """One row as read.

    Attributes:
        id: Its name in the file, or `line N`.
        line: The line it stands on.
        edition: The year it names, if any.
        facts: What it tells that our features can hold.
        labels: What it says of every program.
        eligible: What it says of the programs it asks about.
        programs: The programs it asks about; `None` if it does not say.
        contested: The readings on which contested labels hang; `None` if it does not say.
        faults: Everything that cannot be taken as it stands, in order.
        missing: The parts of a whole row of ours that are not there.
    """

    id: str
    line: int
    edition: int | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    labels: dict[str, bool] = field(default_factory=dict)
    eligible: dict[str, bool] = field(default_factory=dict)
    programs: list[str] | None = None
    contested: dict[str, list[str]] | None = None
    faults: list[RowFault] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def household(self) -> Household:
        """Return the household with untold facts filled in; it may break constraints."""
        return Household.fill_in(self.facts)

    def is_partial(self) -> bool:
        """Return whether it leaves facts of its household untold."""
        return told_facts(self.facts).keys() < household_facts(self.household()).keys()


def read_partial_rows(path: Path, layout: Layout) -> Iterator[PartialRow]:
    """Give the rows of a file in our layout or the published one, one at a time.

    In our layout a row may leave anything out but the members; a row may also be the household's
    facts alone.

    Args:
        path: A file of JSON Lines; `-` is standard input.
        layout: The layout of its rows.

    Raises:
        DatasetFormatError: A line has no members; names the line.
    """
    for row in read_each_row(path, layout):
        if isinstance(row, DatasetFormatError):
            raise row
        yield row


def read_each_row(path: Path, layout: Layout) -> Iterator[PartialRow | DatasetFormatError]:
    """Give each row of a file, and in the place of a line that is no row the error that says why.

    Args:
        path: A file of JSON Lines; `-` is standard input.
        layout: The layout of its rows.

    Raises:
        DatasetFormatError: The file as a whole cannot be read.
    """
    for number, text in text_lines(path):
        try:
            yield partial_row(parse_object(text, path, number), path, number, layout)
        except DatasetFormatError as error:
            yield error


def find_row(path: Path, identifier: str) -> PartialRow:
    """Return the row of a household of a file in our layout, which may be described in part.

    Raises:
        DatasetFormatError: There is no such row, or it cannot be taken as it stands.
        ImpossibleHouseholdError: The household breaks a constraint.
    """
    known = []
    for row in read_each_row(path, "ours"):
        if isinstance(row, DatasetFormatError):
            continue
        known.append(row.id)
        if row.id == identifier:
            if row.faults:
                raise DatasetFormatError(
                    f"{path}:{row.line}: {row.faults[0]}. Correct it.", path=path
                )
            Household.complete(**row.facts)
            return row
    ids = f"{known[0]} to {known[-1]}" if known else "no households at all"
    raise DatasetFormatError(
        f"{path} has no household {identifier!r}, but {ids}. "
        f"{suggest(identifier, known, 'Name one of those.')}",
        path=path,
        id=identifier,
    )


def partial_row(content: dict[str, Any], path: Path, number: int, layout: Layout) -> PartialRow:
    """Return one row from the JSON object on a line of a file.

    Args:
        content: The object.
        path: The file, for messages.
        number: The line, for messages.
        layout: The layout of the row.

    Raises:
        DatasetFormatError: The row has no members.
    """
    row = PartialRow(f"line {number}", number)
    if "id" in content:
        if isinstance(content["id"], str):
            row.id = content["id"]
        else:
            row.faults.append(_outside("id", content["id"], "text", f"`{row.id}`"))
    parts = (_published if layout == "published" else _ours)(row, content)
    if not isinstance(parts, str):
        members, shared = parts
        if isinstance(members, list) and all(isinstance(member, dict) for member in members):
            if 1 <= len(members) <= MOST_MEMBERS:
                row.facts = {
                    "members": [
                        _known(row, f"members[{position}].", member, MEMBER_FEATURES)
                        for position, member in enumerate(members)
                    ],
                    **_known(row, "", shared, HOUSEHOLD_FEATURES),
                }
                return row
            parts = f"{len(members)} members, expected 1 to {MOST_MEMBERS}"
        else:
            parts = f"{shown(members)} for members, expected a list of objects"
    raise DatasetFormatError(
        f"{path}:{number} has {parts}. Rows look like {_SHAPES[layout]}; correct the line, or "
        "choose another --format.",
        path=path,
        line=number,
    )


def _ours(row: PartialRow, content: dict[str, Any]) -> str | tuple[Any, dict[str, Any]]:
    """Read the parts of a row of ours; return its members and shared facts, or what is missing."""
    facts = content.get("household", content)
    if not isinstance(facts, dict):
        return f"{shown(facts)} for household, expected an object"
    if facts is not content:
        row.faults += [_unknown(name, _OURS, "part of a row") for name in content.keys() - _KNOWN]
    row.missing = sorted(_OURS - content.keys())
    shared = {
        name: value
        for name, value in facts.items()
        if name != "members" and (facts is not content or name not in _KNOWN)
    }
    if "edition" in content:
        if type(content["edition"]) is int:
            row.edition = content["edition"]
        else:
            row.faults.append(
                _outside("edition", content["edition"], "a year", str(DEFAULT_EDITION))
            )
    row.labels = _flags(row, content, "labels")
    row.eligible = _flags(row, content, "eligible")
    programs = content.get("programs")
    if isinstance(programs, list) and all(isinstance(name, str) for name in programs):
        row.programs = programs
    elif programs is not None:
        row.faults.append(_outside("programs", programs, "a list of names", "none"))
    contested = content.get("contested")
    if isinstance(contested, dict) and all(isinstance(ids, list) for ids in contested.values()):
        row.contested = contested
    elif contested is not None:
        expected = "an object of lists of readings"
        row.faults.append(_outside("contested", contested, expected, "nothing"))
    if "members" not in facts:
        return "no members"
    return facts["members"], shared


def _published(row: PartialRow, content: dict[str, Any]) -> str | tuple[Any, dict[str, Any]]:
    try:
        features_of_members = [
            member["features"] for member in content["hh"]["features"]["members"]
        ]
    except (KeyError, TypeError):
        return "no members at hh.features.members"
    if not features_of_members or not all(
        isinstance(features, dict) for features in features_of_members
    ):
        return "members without features"
    row.edition = PUBLISHED_EDITION
    members, shared, unknown = facts_from_published(features_of_members)
    row.faults += [
        _unknown(name, [*MEMBER_FEATURES, *HOUSEHOLD_FEATURES], "published fact")
        for name in unknown
    ]
    row.labels = {name: value for name, value in content.items() if isinstance(value, bool)}
    programs = content.get("edge_case_programs")
    if isinstance(programs, list) and all(isinstance(name, str) for name in programs):
        row.programs = programs
        row.eligible = {name: row.labels[name] for name in programs if name in row.labels}
    return members, shared


def _flags(row: PartialRow, content: dict[str, Any], key: str) -> dict[str, bool]:
    flags = content.get(key, {})
    if not isinstance(flags, dict):
        row.faults.append(_outside(key, flags, "an object of true and false", "nothing"))
        return {}
    for name, flag in flags.items():
        if not isinstance(flag, bool):
            row.faults.append(_outside(f"{key}.{name}", flag, "true or false", "nothing"))
    return {name: flag for name, flag in flags.items() if isinstance(flag, bool)}


def _known(
    row: PartialRow, where: str, facts: Mapping[str, Any], features: Mapping[str, Feature]
) -> dict[str, Any]:
    """Return the valid facts; a number out of range becomes the nearest valid one."""
    kept = {}
    for name, value in facts.items():
        if name not in features:
            row.faults.append(_unknown(f"{where}{name}", features, "fact", name))
            continue
        feature = features[name]
        try:
            kept[name] = feature.parse(value)
            continue
        except FeatureValueError:
            assumed = f"{feature.default!r}, unless other facts ask for another value"
        if feature.kind == "number" and isinstance(value, int) and not isinstance(value, bool):
            kept[name] = min(max(value, int(feature.minimum or 0)), int(feature.maximum or 0))
            assumed = str(kept[name])
        row.faults.append(_outside(f"{where}{name}", value, feature.domain(), assumed))
    return kept


def _unknown(fact: str, known: Sequence[str] | Any, what: str, name: str | None = None) -> RowFault:
    near = get_close_matches(name or fact, list(known), n=1, cutoff=0.7)
    hint = f"did you mean {near[0]}?" if near else "`benyfits-data features list` names them all"
    return RowFault(fact, f"is no {what} we know; {hint}", "left out", "unknown")


def _outside(fact: str, value: Any, expected: str, assumed: str) -> RowFault:
    return RowFault(fact, f"is {shown(value)}, expected {expected}", assumed, "outside")
