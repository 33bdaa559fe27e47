"""Floors checked by other means than those that found them: Z3, real households, CPython."""

from collections.abc import Iterator
from itertools import chain

from benyfits_data.editions import Edition
from benyfits_data.errors import ProofError
from benyfits_data.household.model import Household, most_members
from benyfits_data.language.partial import fact_name, household_facts
from benyfits_data.par.floors import Floor
from benyfits_data.par.hitting_set import smallest_hitting_set
from benyfits_data.par.questions import GIVEN, SIZE, differences


class FloorChecker:
    """Checks the fewest questions found for households, under the rules of one edition.

    Args:
        edition: Whose rules label the households.
    """

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def check(self, floor: Floor, household: Household, programs: tuple[str, ...]) -> None:
        """Check that the questions force every label, and that no fewer do.

        Args:
            floor: What was found.
            household: Whose floor it is.
            programs: The programs whose labels are forced.

        Raises:
            ProofError: A label is not forced, or a household that should refute fewer questions
                does not; names the first.
        """
        # The first fault, if there is one.
        for fault in chain(
            self._not_forced(floor, household, programs), self._too_many(floor, household)
        ):
            raise ProofError(
                f"The floor of {floor.turns} questions is wrong: {fault} Report this as a bug.",
                fault=fault,
            )

    def _not_forced(
        self, floor: Floor, household: Household, programs: tuple[str, ...]
    ) -> Iterator[str]:
        """Say which labels another possible household with these answers does not have."""
        from benyfits_data.language.z3_backend.open_verdicts import open_verdicts

        solver = open_verdicts(self._edition, most_members(household))
        asked = set(floor.questions)
        facts = {
            fact: value
            for fact, value in household_facts(household).items()
            if fact == GIVEN or fact_name(fact) in asked
        }
        size = len(household.members) if fact_name(SIZE) in asked else None
        for name in programs:
            label = self._edition.program(name).is_eligible(household)
            if solver.decide(name, size, facts) is not label:
                yield f"Z3 does not prove {name}."

    def _too_many(self, floor: Floor, household: Household) -> Iterator[str]:
        """Name refutations that refute nothing; say if another number of questions meets them."""
        sets = []
        for place, refutation in enumerate(floor.refutations):
            program = self._edition.program(refutation.program)
            if violations := refutation.household.violations():
                yield f"refutation {place + 1} breaks {violations[0].constraint}."
            if program.is_eligible(refutation.household) is program.is_eligible(household):
                yield f"refutation {place + 1} has the same label of {refutation.program}."
            sets.append(frozenset(map(fact_name, differences(household, refutation.household))))
        if len(smallest_hitting_set(sets)) != floor.turns:
            yield f"{len(smallest_hitting_set(sets))} questions meet all refutations."
