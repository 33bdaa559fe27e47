"""What is wrong with a dataset: all that its rows promise, held against our checkers."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from benyfits_data.dataset.json_lines import fault_of_line, shown
from benyfits_data.dataset.labelling import edition_of, is_eligible
from benyfits_data.dataset.partial_rows import PartialRow
from benyfits_data.editions import Edition
from benyfits_data.errors import DatasetFormatError, UnknownEditionError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.reading_labels import contested
from benyfits_data.wording import count_of, some_of

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal[
    "unreadable line", "empty file", "duplicate id", "missing part", "unknown fact",
    "unknown program", "impossible value", "impossible household", "wrong label",
    "programs and eligible differ", "labels and eligible differ", "contested labels differ",
]  # fmt: skip
_SUMMED = {"wrong label", "impossible household", "unknown program", "missing part"}
"""Kinds of findings that are counted by what they are about, since one cause has many rows."""
_MOST_CAUSES = 20


@dataclass(frozen=True)
class AuditFinding:
    """One thing that is wrong.

    Attributes:
        kind: What sort of thing.
        row: The row's id, or `line N` where it has none; empty for the file.
        what: The fact, constraint, program or part concerned.
        says: What was found and what was expected.
        member: Position of the member concerned, if any.
    """

    kind: Kind
    row: str
    what: str
    says: str = ""
    member: int | None = None


class Audit:
    """What an audit found.

    Attributes:
        households: How many rows were read as households.
        compared: How many labels were compared with ours.
        findings: Everything that is wrong, in the order of the file.
    """

    def __init__(self) -> None:
        self.households = 0
        self.compared = 0
        self.findings: list[AuditFinding] = []

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def of(self, kind: Kind) -> list[AuditFinding]:
        """Return the findings of one kind."""
        return [finding for finding in self.findings if finding.kind == kind]

    def add(
        self, kind: Kind, row: str, what: str, says: str = "", member: int | None = None
    ) -> None:
        """Note something that is wrong."""
        self.findings.append(AuditFinding(kind, row, what, says, member))

    def __repr__(self) -> str:
        counts = Counter(finding.kind for finding in self.findings)
        tally = ", ".join(f"{kind}: {count}" for kind, count in counts.items()) or "nothing wrong"
        return f"<Audit: {self.households} households, {self.compared} labels compared; {tally}>"

    def to_pandas(self) -> "pd.DataFrame":
        """Return the findings as a `pandas.DataFrame`, a row each."""
        import pandas as pd

        return pd.DataFrame(
            [asdict(finding) for finding in self.findings],
            columns=[each.name for each in fields(AuditFinding)],
        )

    def lines(self) -> Iterator[str]:
        """Yield what was found in words; what many rows have in common is said once."""
        compared = count_of(self.compared, "label")
        yield f"{count_of(self.households, 'household')}, {compared} compared with ours"
        for kind in dict.fromkeys(finding.kind for finding in self.findings):
            of_kind = self.of(kind)
            rows = {finding.row for finding in of_kind if finding.row}
            yield f"{kind}: {len(of_kind)}" + (f" in {count_of(rows, 'row')}" if rows else "")
            ids: dict[str, list[str]] = {}
            for finding in of_kind:
                cause = finding.what if kind in _SUMMED else f"{finding.what} {finding.says}"
                ids.setdefault(cause, []).append(finding.row)
            for cause in sorted(ids, key=lambda cause: -len(ids[cause]))[:_MOST_CAUSES]:
                named = f": {len(ids[cause])} ({some_of(list(dict.fromkeys(ids[cause])))})"
                yield f"  {cause}{named if rows else ''}"
            if len(ids) > _MOST_CAUSES:
                yield f"  and {len(ids) - _MOST_CAUSES} more; --json names all"
        if self.is_clean:
            yield "nothing wrong"

    def as_json(self) -> dict[str, Any]:
        """Return the findings for machines."""
        kinds = dict.fromkeys(finding.kind for finding in self.findings)
        return {
            "households": self.households,
            "labels_compared": self.compared,
            "findings": len(self.findings),
            "by_kind": {
                kind: [
                    {
                        "id": finding.row,
                        "what": finding.what,
                        "says": finding.says,
                        **({} if finding.member is None else {"member": finding.member}),
                    }
                    for finding in self.of(kind)
                ]
                for kind in kinds
            },
        }


def audit_rows(rows: Iterable[PartialRow | DatasetFormatError], edition: int | None) -> Audit:
    """Return what is wrong with some rows.

    Args:
        rows: Rows as read, and errors in the place of lines that are no rows.
        edition: The year to label by; each row's own, or the newest, unless given.
    """
    audit = Audit()
    lines: dict[str, int] = {}
    is_empty = True
    for row in rows:
        is_empty = False
        if isinstance(row, DatasetFormatError):
            audit.add("unreadable line", f"line {row.facts['line']}", "row", fault_of_line(row))
            continue
        audit.households += 1
        if row.id in lines:
            audit.add("duplicate id", row.id, "id", f"also stands on line {lines[row.id]}")
        lines.setdefault(row.id, row.line)
        _audit_row(audit, row, edition)
    if is_empty:
        audit.add("empty file", "", "file", "has no rows, expected at least one")
    return audit


def _audit_row(audit: Audit, row: PartialRow, edition: int | None) -> None:
    for part in row.missing:
        audit.add("missing part", row.id, part, "is not there")
    for fault in row.faults:
        kind: Kind = "unknown fact" if fault.kind == "unknown" else "impossible value"
        audit.add(kind, row.id, fault.fact, fault.reason)
    household = row.household()
    for violation in household.violations():
        audit.add(
            "impossible household", row.id, violation.constraint, violation.says, violation.member
        )
    try:
        rules = edition_of(row, edition)
    except UnknownEditionError as error:
        audit.add("impossible value", row.id, "edition", str(error))
        return
    if row.labels and row.programs is not None:
        for name in sorted(rules.programs.keys() - row.labels.keys()):
            audit.add("missing part", row.id, f"labels.{name}", "is not there")
    _audit_labels(audit, row, household, rules)
    if row.contested is not None:
        _audit_contested(audit, row, household, rules)


def _audit_contested(audit: Audit, row: PartialRow, household: Household, rules: Edition) -> None:
    stated = row.contested or {}
    for name in sorted(stated.keys() - rules.programs.keys()):
        audit.add("unknown program", row.id, f"contested.{name}")
    if household.violations():
        return  # Checkers may fail on it.
    (ours,) = contested(rules, Households.from_households([household]))
    for name in sorted(rules.programs.keys() & (stated.keys() | ours.keys())):
        ids, expected = stated.get(name, []), list(ours.get(name, ()))
        if ids != expected:
            says = f"is {shown(ids)}, ours {shown(expected)}"
            audit.add("contested labels differ", row.id, f"contested.{name}", says)


def _audit_labels(audit: Audit, row: PartialRow, household: Household, rules: Edition) -> None:
    ours: dict[str, bool] = {}
    for part, labels in (("labels", row.labels), ("eligible", row.eligible)):
        for name, label in labels.items():
            if name not in rules.programs:
                audit.add("unknown program", row.id, f"{part}.{name}")
                continue
            audit.compared += 1
            try:
                ours.setdefault(name, is_eligible(row, household, rules, name))
            except DatasetFormatError as error:
                audit.add("impossible household", row.id, name, str(error))
                continue
            if label is not ours[name]:
                audit.add("wrong label", row.id, f"{part}.{name}", f"is {label}, ours {ours[name]}")
    for name in sorted(row.labels.keys() & row.eligible.keys()):
        if row.labels[name] is not row.eligible[name]:
            audit.add("labels and eligible differ", row.id, name)
    if row.programs is None:
        return
    if row.programs != sorted(set(row.programs)):
        audit.add("programs and eligible differ", row.id, "programs", "are not sorted and distinct")
    asked = set(row.programs)
    for name in sorted(asked - rules.programs.keys()):
        audit.add("unknown program", row.id, f"programs.{name}")
    if "eligible" not in row.missing:
        for name in sorted(asked ^ row.eligible.keys()):
            where = "programs" if name in asked else "eligible"
            audit.add("programs and eligible differ", row.id, name, f"stands only in {where}")
