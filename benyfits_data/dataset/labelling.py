"""Labels for rows as other people write them: each row labelled, or rejected with a reason."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benyfits_data.dataset.json_lines import fault_of_line
from benyfits_data.dataset.partial_rows import PartialRow
from benyfits_data.editions import DEFAULT_EDITION, Edition, load_edition
from benyfits_data.errors import BenyfitsError, DatasetFormatError, UnknownEditionError
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.model import Household, most_members
from benyfits_data.language.partial import PartialReader, fact_name, told_facts

Basis = dict[str, tuple[str, ...]]
"""For each program the untold facts that a label hangs on, such as `members[0].age`: with these
values, whatever the rest may be, the label is what it is. None: it follows from what was given."""


class ToldReader:
    """Says on which facts labels depend; prepares an edition once.

    Args:
        prove: Whether Z3 has the last word on labels that hang on facts; it proves a few more
            and takes minutes where the readers take milliseconds.
    """

    def __init__(self, *, prove: bool = False) -> None:
        self._prove = prove
        self._readers: dict[tuple[int, bool, tuple[str, ...], int], PartialReader] = {}

    def find_basis(
        self,
        given: Mapping[str, Any],
        household: Household,
        edition: Edition,
        *,
        possible: bool,
        programs: Iterable[str] | None = None,
    ) -> Basis:
        """Return on what the label of each program rests.

        Args:
            given: The facts that were given: `{"members": [{feature: value}], feature: value}`.
            household: The household with the rest filled in, which is what is labelled.
            edition: Whose rules apply.
            possible: Whether it breaks no constraint; otherwise none is used to infer anything.
            programs: The programs; all unless given.
        """
        places = most_members(household)
        names = tuple(edition if programs is None else programs)
        key = (edition.year, possible, names, places)
        if key not in self._readers:
            constraints = CONSTRAINTS if possible else {}
            self._readers[key] = PartialReader(edition, names, constraints, places)
        reader = self._readers[key]
        known, basis = reader.know(len(given["members"]), told_facts(given)), {}
        for program in reader.programs:
            facts = known.reasons(program, household)
            can_prove = self._prove and possible
            if facts and can_prove and _is_proven(program, given, edition, places):
                facts = []
            basis[program] = tuple(fact_name(fact) for fact in facts)
        return basis


def _is_proven(program: str, given: Mapping[str, Any], edition: Edition, places: int) -> bool:
    from benyfits_data.language.z3_backend.open_verdicts import open_verdicts

    solver = open_verdicts(edition, places)
    return solver.decide(program, len(given["members"]), told_facts(given)) is not None


@dataclass(frozen=True)
class LabelledRow:
    """Our labels of one row.

    Attributes:
        id: Its name in the file.
        edition: Whose rules label it.
        labels: Whether the household is eligible, for every program of the edition.
        assumed: What was taken in the place of facts that cannot be taken as they stand.
        impossible: Constraints that the household breaks.
        basis: For each program the untold facts that its label hangs on, none where it follows
            from what was given; `None` if nobody asked.
    """

    id: str
    edition: int
    labels: dict[str, bool]
    assumed: tuple[str, ...] = ()
    impossible: tuple[str, ...] = ()
    basis: Basis | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the row for JSON Lines; what was assumed is named only where something was."""
        content: dict[str, Any] = {"id": self.id, "edition": self.edition, "labels": self.labels}
        if self.assumed:
            content["assumed"] = list(self.assumed)
        if self.impossible:
            content["impossible"] = list(self.impossible)
        if self.basis is not None:
            content["basis"] = {name: list(facts) for name, facts in self.basis.items()}
        return content


@dataclass(frozen=True)
class RejectedRow:
    """A row that was not labelled.

    Attributes:
        id: Its name in the file, or `line N`.
        line: The line it stands on.
        reasons: Fact and reason of everything that is wrong with it.
    """

    id: str
    line: int
    reasons: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        fact, reason = self.reasons[0]
        where = self.id if self.id == f"line {self.line}" else f"{self.id} (line {self.line})"
        return f"{where}: {fact} {reason}"

    def as_json(self) -> dict[str, Any]:
        """Return the row for the file of rejected rows."""
        reasons = [{"fact": fact, "reason": reason} for fact, reason in self.reasons]
        return {"id": self.id, "line": self.line, "reasons": reasons}


def label_rows(
    rows: Iterable[PartialRow | DatasetFormatError],
    edition: int | None,
    *,
    lenient: bool = False,
    basis_reader: ToldReader | None = None,
) -> Iterator[LabelledRow | RejectedRow]:
    """Yield each row labelled, or rejected with every reason.

    Args:
        rows: Rows as read, and errors in the place of lines that are no rows.
        edition: Whose rules apply; each row's own, or the newest, unless given.
        lenient: Whether facts that cannot be taken as they stand, and households that cannot
            exist, are labelled all the same, and each row says what was assumed.
        basis_reader: Finds for each label the facts not given on which it depends; without it, none
            are named.
    """
    for row in rows:
        if isinstance(row, DatasetFormatError):
            line = int(row.facts["line"])
            yield RejectedRow(f"line {line}", line, (("row", fault_of_line(row)),))
        elif row.faults and not lenient:
            reasons = tuple((fault.fact, fault.reason) for fault in row.faults)
            yield RejectedRow(row.id, row.line, reasons)
        else:
            yield _labelled(row, edition, lenient, basis_reader)


def _labelled(
    row: PartialRow, edition: int | None, lenient: bool, basis_reader: ToldReader | None
) -> LabelledRow | RejectedRow:
    household = row.household()
    violations = [
        (violation.constraint, f"is broken: {violation.says}")
        for violation in household.violations()
    ]
    if violations and not lenient:
        return RejectedRow(row.id, row.line, tuple(violations))
    try:
        rules = edition_of(row, edition)
        labels = {name: is_eligible(row, household, rules, name) for name in rules}
    except (DatasetFormatError, UnknownEditionError) as error:
        fact = "edition" if isinstance(error, UnknownEditionError) else "row"
        return RejectedRow(row.id, row.line, ((fact, str(error)),))
    basis = None
    if basis_reader is not None:
        basis = basis_reader.find_basis(row.facts, household, rules, possible=not violations)
    return LabelledRow(
        row.id,
        rules.year,
        labels,
        tuple(f"{fault}; taken as {fault.assumed}" for fault in row.faults),
        tuple(name for name, _ in violations),
        basis,
    )


def edition_of(row: PartialRow, edition: int | None) -> Edition:
    """Return the edition to label a row by: the one asked for, its own, or the newest.

    Raises:
        UnknownEditionError: There is no such edition.
    """
    return load_edition(edition or row.edition or DEFAULT_EDITION)


def label_row(row: PartialRow, edition: int | None) -> dict[str, bool]:
    """Return our label of a row for every program; untold facts are filled in."""
    rules = edition_of(row, edition)
    household = row.household()
    return {name: is_eligible(row, household, rules, name) for name in rules}


def is_eligible(row: PartialRow, household: Household, edition: Edition, program: str) -> bool:
    """Return our label of one program.

    Raises:
        DatasetFormatError: The household is so impossible that the checker cannot decide it.
    """
    try:
        return edition.program(program).is_eligible(household)
    except BenyfitsError:
        raise
    except (TypeError, ValueError) as error:
        violations = household.violations()
        why = f" It breaks {violations[0].constraint}." if violations else ""
        raise DatasetFormatError(
            f"{row.id} (line {row.line}) cannot be decided for {program}: {error}.{why} "
            "Correct its facts.",
            line=row.line,
            program=program,
        ) from error
