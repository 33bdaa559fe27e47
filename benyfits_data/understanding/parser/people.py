"""Whom a question is about: you, a named member, a relation, an age group, anybody, all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from benyfits_data.household.model import Household, Member
from benyfits_data.understanding.parser.numbers import Comparison

Quantifier = Literal["the", "any", "all", "none", "who", "each"]
Pick = Literal["", "youngest", "oldest", "middle"]

OWN = ("child", "adopted child", "stepchild", "foster child")


@dataclass(frozen=True)
class People:
    """Who is meant.

    Attributes:
        kind: `you`, `members` (a choice among them), `household`, `pronoun`, `name` (or number).
        quantifier: Whether one of them, all, any, none is meant, or which ones is asked.
        relations: Relations to the applicant that are meant; all where empty.
        sex: The sex that is meant, if one is.
        at_least: Smallest age.
        below: The first age that is too old.
        pick: Which of them: the youngest, the oldest, the one in the middle.
        rank: Counted from there: 2 is the second youngest or oldest.
        n_picked: How many are picked, one after the other: "the two youngest".
        number: The member's number from 0.
        of: The people that are meant together ("you and your spouse").
        said: The words of the question.
        is_counted: Whether it is asked how many they are.
        is_plural: Whether the words speak of several.
        is_other: Whether the applicant is left out.
        said_number: How many they are said to be ("your two children").
        only: The numbers of those of them of whom something is so ("the people who work").
        is_theirs: Whether it picks among those spoken of before ("the youngest").
        but: Those who are left out ("anyone but your spouse").
    """

    kind: Literal["you", "members", "household", "pronoun", "name", "group"]
    quantifier: Quantifier = "the"
    relations: tuple[str, ...] = ()
    sex: str = ""
    at_least: int = 0
    below: int | None = None
    pick: Pick = ""
    number: int = 0
    rank: int = 1
    n_picked: int = 1
    but: tuple["People", ...] = ()
    said: str = ""
    is_counted: bool = False
    is_plural: bool = False
    is_other: bool = False
    is_theirs: bool = False
    said_number: int | None = None
    only: tuple[int, ...] | None = None
    of: tuple["People", ...] = ()

    @property
    def has_ages(self) -> bool:
        """Whether a limit of age was named."""
        return self.kind == "members" and (self.at_least > 0 or self.below is not None)

    def of_ages(self, limit: Comparison) -> "People":
        """Return those of them who keep a limit of age."""
        low, high = limit.bounds()
        both = [it for it in (self.below, high) if it is not None]
        return replace(self, at_least=max(self.at_least, low), below=min(both, default=None))

    @property
    def leaves_out(self) -> bool:
        """Whether somebody is left out."""
        return self.is_other or bool(self.but)

    @property
    def has_home(self) -> bool:
        """Whether it was said where they live."""
        return bool(re.search(r"\b(?:household|home|house|here|with you)\b", self.said))

    def members(self, household: Household) -> list[int]:
        """Return the numbers of the members that are meant."""
        if self.kind == "you":
            return [0]
        if self.kind == "name":
            known = all(self.number in it.members(household) for it in self.of)
            return [self.number] if known and self.number < len(household.members) else []
        if self.kind == "household":
            return list(range(len(household.members)))
        if self.kind == "group":
            of_each = {number for it in self.of for number in it.members(household)}
            of_age = [it for it in sorted(of_each) if self._is_of_age(household.members[it])]
            return self._picked(of_age, household)
        found = [
            number
            for number, member in enumerate(household.members)
            if self._fits(member)
            and not (self.is_other and number == 0)
            and (self.only is None or number in self.only)
        ]
        left_out = {number for it in self.but for number in it.members(household)}
        found = [number for number in found if number not in left_out]
        return self._picked(found, household)

    def _picked(self, found: list[int], household: Household) -> list[int]:
        """Return those of some members who are picked by their age."""
        if not self.pick or not found:
            return found
        wanted = self._ages_picked([household.members[number].age for number in found])
        return [number for number in found if household.members[number].age in wanted]

    def _ages_picked(self, ages: Sequence[int]) -> Sequence[int]:
        """Return the ages of those who are picked, none where there is no such one."""
        ages = sorted(ages, reverse=self.pick == "oldest")
        if self.pick == "middle":
            return ages[len(ages) // 2 :][:1] if len(ages) % 2 else []
        return ages[self.rank - 1 : self.rank - 1 + self.n_picked]

    def _fits(self, member: Member) -> bool:
        return (
            (not self.relations or member.relation in self.relations)
            and (not self.sex or member.sex == self.sex)
            and self._is_of_age(member)
        )

    def _is_of_age(self, member: Member) -> bool:
        return member.age >= self.at_least and (self.below is None or member.age < self.below)
