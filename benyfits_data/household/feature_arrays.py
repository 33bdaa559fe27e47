"""Facts of many households as one array a feature, without the objects that have them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.constants import LARGEST_HOUSEHOLD
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES

CODED_MEMBER_FEATURES = {
    name: feature for name, feature in MEMBER_FEATURES.items() if feature.kind != "text"
}
"""The member features that have a column: all but the name."""


class HasMembers(Protocol):
    """A household, or what has its features and members with theirs."""

    @property
    def members(self) -> Sequence[Any]:
        """The members, the applicant first."""


@dataclass(repr=False)
class FeatureArrays:
    """Facts of `n` households as one array per feature, as `Households` describes them."""

    size: NDArray[np.int8]
    shared: dict[str, NDArray[Any]]
    member: dict[str, NDArray[Any]]
    names: NDArray[np.object_] | None = None

    def __len__(self) -> int:
        return len(self.size)

    @classmethod
    def of_defaults(cls, n: int, places: int = LARGEST_HOUSEHOLD) -> Self:
        """Return `n` one-person households in which every feature has its default.

        Args:
            n: How many.
            places: For how many members each has room.
        """
        return cls(
            size=np.ones(n, np.int8),
            shared={
                name: np.full(n, feature.encode(feature.default), feature.dtype)
                for name, feature in HOUSEHOLD_FEATURES.items()
            },
            member={
                name: np.full((places, n), feature.encode(feature.default), feature.dtype)
                for name, feature in CODED_MEMBER_FEATURES.items()
            },
        )

    @classmethod
    def from_households(cls, households: Sequence[HasMembers]) -> Self:
        """Return the arrays of some households."""
        sizes = [len(household.members) for household in households]
        table = cls.of_defaults(len(households), max([LARGEST_HOUSEHOLD, *sizes]))
        table.names = np.full((table.places, len(households)), "", object)
        for column, household in enumerate(households):
            table.size[column] = len(household.members)
            for name, feature in HOUSEHOLD_FEATURES.items():
                table.shared[name][column] = feature.encode(getattr(household, name))
            for row, member in enumerate(household.members):
                table.names[row, column] = member.name
                for name, feature in CODED_MEMBER_FEATURES.items():
                    table.member[name][row, column] = feature.encode(getattr(member, name))
        return table

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which places hold a member, shape `(6, n)`."""
        return np.arange(self.places, dtype=np.int8)[:, None] < self.size

    @property
    def places(self) -> int:
        """For how many members there is room: six, or as many as the largest household has."""
        if self.member:
            return len(next(iter(self.member.values())))
        return max(LARGEST_HOUSEHOLD, int(self.size.max(initial=0)))

    def with_places(self, places: int) -> Self:
        """Return the same households with room for at least so many members."""
        more = places - self.places
        if more <= 0:
            return self
        empty = self.of_defaults(len(self), more).member
        names = None
        if self.names is not None:
            names = np.concatenate([self.names, np.full((more, len(self)), "", object)])
        member = {name: np.concatenate([self.member[name], empty[name]]) for name in empty}
        return replace(self, member=member, names=names)

    def fitted(self) -> Self:
        """Return the same households without places that nobody of them needs, beyond the sixth."""
        places = max(LARGEST_HOUSEHOLD, int(self.size.max(initial=0)))
        member = {name: column[:places] for name, column in self.member.items()}
        names = None if self.names is None else self.names[:places]
        return replace(self, member=member, names=names)

    def take(self, index: NDArray[Any] | slice) -> Self:
        """Return the households at some positions, or where a mask is true."""
        if isinstance(index, slice):
            return self._joined([self], lambda columns: columns[0][..., index])
        wanted = np.asarray(index)
        rows = np.flatnonzero(wanted) if wanted.dtype == np.bool_ else wanted
        # Plain indexing would lay members' columns out household by household, and every later
        # operation along them would crawl.
        return self._joined([self], lambda columns: np.take(columns[0], rows, axis=-1))

    @classmethod
    def concatenate(cls, tables: Iterable[Self]) -> Self:
        """Return all households of some tables, in order."""
        parts = list(tables)
        places = max(part.places for part in parts)
        wide = [part.with_places(places) for part in parts]
        return cls._joined(wide, partial(np.concatenate, axis=-1))

    def facts(self, position: int) -> dict[str, Any]:
        """Return the facts of one household as `Household.from_facts` takes them.

        Members without a name are numbered.
        """
        members = [
            {
                "name": f"Member {row + 1}"
                if self.names is None
                else str(self.names[row, position]),
                **{
                    name: feature.decode(self.member[name][row, position])
                    for name, feature in CODED_MEMBER_FEATURES.items()
                },
            }
            for row in range(int(self.size[position]))
        ]
        shared = {
            name: feature.decode(self.shared[name][position])
            for name, feature in HOUSEHOLD_FEATURES.items()
        }
        return {"members": members, **shared}

    @classmethod
    def _joined(cls, tables: Sequence[Self], join: Callable[[list[Any]], Any]) -> Self:
        """Return the table whose columns are made of those of some tables."""
        names = [table.names for table in tables if table.names is not None]
        first = tables[0]
        return cls(
            size=join([table.size for table in tables]),
            shared={name: join([each.shared[name] for each in tables]) for name in first.shared},
            member={name: join([each.member[name] for each in tables]) for name in first.member},
            names=join(names) if len(names) == len(tables) else None,
        )
