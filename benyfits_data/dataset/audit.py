"""What is wrong with a dataset: impossible households, labels that differ from ours."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from benyfits_data.dataset.partial import PartialRow
from benyfits_data.editions import Edition, load_edition
from benyfits_data.errors import DatasetFormatError
from benyfits_data.household.model import Household

DEFAULT_EDITION = 2024


@dataclass
class Audit:
    """What an audit found.

    Attributes:
        households: How many households were read.
        violations: Row, constraint and member (`None` for the household) of each violation; a value
            outside its feature's domain counts as `domain_of_FEATURE`.
        compared: How many labels were compared.
        disagree: By program, the rows whose label is not ours.
        unknown_features: Names of facts that no feature declares.
        unknown_programs: Names of labels that no program has.
    """

    households: int = 0
    violations: list[tuple[str, str, int | None]] = field(default_factory=list)
    compared: int = 0
    disagree: dict[str, list[str]] = field(default_factory=dict)
    unknown_features: list[str] = field(default_factory=list)
    unknown_programs: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong."""
        return not (
            self.violations or self.disagree or self.unknown_features or self.unknown_programs
        )

    def as_json(self) -> dict[str, Any]:
        """Return the findings for machines."""
        return {
            "households": self.households,
            "violations": [
                {"id": row, "constraint": constraint, "member": member}
                for row, constraint, member in self.violations
            ],
            "labels": {
                "compared": self.compared,
                "disagree": sum(map(len, self.disagree.values())),
                "by_program": {name: len(rows) for name, rows in sorted(self.disagree.items())},
            },
            "unknown_features": self.unknown_features,
            "unknown_programs": self.unknown_programs,
        }


def audit_rows(
    rows: Iterable[PartialRow],
    edition: int | None,
    tick: Callable[[int], None] = lambda done: None,
) -> Audit:
    """Return what is wrong with some rows.

    Args:
        rows: The rows as read.
        edition: The year to label by; each row's own, or 2024, unless given.
        tick: Told after each household.
    """
    audit = Audit()
    for row in rows:
        audit.households += 1
        rules = edition_of(row, edition)
        household = row.household()
        for member, name in row.outside:
            audit.violations.append((row.id, f"domain_of_{name}", member))
        for violation in household.violations():
            audit.violations.append((row.id, violation.constraint, violation.member))
        for name in row.unknown:
            if name not in audit.unknown_features:
                audit.unknown_features.append(name)
        for name, told in row.labels.items():
            if name not in rules.programs:
                if name not in audit.unknown_programs:
                    audit.unknown_programs.append(name)
                continue
            audit.compared += 1
            if is_eligible(row, household, rules, name) is not told:
                audit.disagree.setdefault(name, []).append(row.id)
        tick(1)
    return audit


def edition_of(row: PartialRow, edition: int | None) -> Edition:
    """Return the edition to label a row by: the one asked for, its own, or that of 2024."""
    return load_edition(edition or row.edition or DEFAULT_EDITION)


def label_row(row: PartialRow, edition: int | None) -> dict[str, bool]:
    """Return our label of a row for every program; untold facts are filled in."""
    rules = edition_of(row, edition)
    household = row.household()
    return {name: is_eligible(row, household, rules, name) for name in rules.programs}


def is_eligible(row: PartialRow, household: Household, edition: Edition, program: str) -> bool:
    """Return our label of one program.

    Raises:
        DatasetFormatError: The household is so impossible that the checker cannot decide it.
    """
    try:
        return edition.program(program).is_eligible(household)
    except (TypeError, ValueError) as error:
        found = household.violations()
        why = f" It breaks {found[0].constraint}." if found else ""
        raise DatasetFormatError(
            f"{row.id} (line {row.line}) cannot be decided for {program}: {error}.{why} "
            "Correct its facts.",
            line=row.line,
            program=program,
        ) from error
