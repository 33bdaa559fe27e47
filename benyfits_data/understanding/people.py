"""Whom a question or a claim is about."""

from dataclasses import dataclass
from typing import Literal

from benyfits_data.household.model import Household, Member

OWN_CHILDREN = ("child", "adopted child", "stepchild", "foster child")


@dataclass(frozen=True)
class People:
    """Some members of a household; all of them unless something is named.

    Attributes:
        numbers: Members meant by name or number, from 0, who is the applicant.
        relations: Relations to the applicant that are meant, beside those members.
        sex: The sex that is meant of those with a relation, or of all.
        at_least: Their smallest age.
        below: The first age that is too old.
        pick: Only the oldest or the youngest of all that are meant.
        rank: Counted from there: 2 is the second oldest.
        n_picked: How many are picked, one after the other: "the two youngest".
        without: Members left out: "besides you" is 0.
    """

    numbers: tuple[int, ...] = ()
    relations: tuple[str, ...] = ()
    sex: Literal["", "female", "male"] = ""
    at_least: int = 0
    below: int | None = None
    pick: Literal["", "oldest", "youngest"] = ""
    rank: int = 1
    n_picked: int = 1
    without: tuple[int, ...] = ()

    def members(self, household: Household) -> list[int]:
        """Return the numbers of the members that are meant, in their order."""
        meant = [
            number
            for number, member in enumerate(household.members)
            if number not in self.without
            and (number in self.numbers if self._is_by_number else self._fits(number, member))
        ]
        if not self.pick or not meant:
            return meant
        ages = sorted(
            (household.members[number].age for number in meant), reverse=self.pick == "oldest"
        )
        picked = ages[self.rank - 1 : self.rank - 1 + self.n_picked]
        return [number for number in meant if household.members[number].age in picked]

    @property
    def is_everybody(self) -> bool:
        """Whether the whole household is meant."""
        return self == People()

    @property
    def _is_by_number(self) -> bool:
        """Whether members are named, and nobody else is meant."""
        return bool(self.numbers) and not self.relations

    def _fits(self, number: int, member: Member) -> bool:
        if number in self.numbers:
            return True
        return (
            (not self.relations or member.relation in self.relations)
            and (not self.sex or member.sex == self.sex)
            and member.age >= self.at_least
            and (self.below is None or member.age < self.below)
        )


EVERYBODY = People()
YOU = People(numbers=(0,))
OTHERS = People(without=(0,))
