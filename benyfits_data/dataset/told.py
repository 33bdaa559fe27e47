"""Which labels of a household told in part follow from that, and on what the others hang."""

from collections.abc import Iterable, Mapping
from typing import Any

from benyfits_data.editions import Edition
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.model import Household, most_members
from benyfits_data.language.partial import PartialReader, fact_name, told_facts

Basis = dict[str, tuple[str, ...]]
"""For each program the untold facts that a label hangs on, such as `members[0].age`: with these
values, whatever the rest may be, the label is what it is. None: it follows from what was told."""


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
        told: Mapping[str, Any],
        household: Household,
        edition: Edition,
        *,
        possible: bool,
        programs: Iterable[str] | None = None,
    ) -> Basis:
        """Return on what the label of each program rests.

        Args:
            told: What was told: `{"members": [{feature: value}], feature: value}`.
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
        known, basis = reader.know_told(told), {}
        for program in reader.programs:
            facts = known.reasons(program, household)
            can_prove = self._prove and possible
            if facts and can_prove and _is_proven(program, told, edition, places):
                facts = []
            basis[program] = tuple(fact_name(fact) for fact in facts)
        return basis


def _is_proven(program: str, told: Mapping[str, Any], edition: Edition, places: int) -> bool:
    from benyfits_data.language.z3_backend.open_verdicts import open_verdicts

    solver = open_verdicts(edition, places)
    return solver.decide(program, len(told["members"]), told_facts(told)) is not None
