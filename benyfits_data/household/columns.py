"""Many households as columns: what samplers draw and the NumPy reader reads."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD, Household, Member

if TYPE_CHECKING:
    import pandas as pd

CODED_MEMBER_FEATURES = {
    name: feature for name, feature in MEMBER_FEATURES.items() if feature.kind != "text"
}
"""The member features that have a column: all but the name."""


@dataclass(repr=False)
class Households:
    """`n` households as one array per feature.

    Attributes:
        size: Number of members of each household, shape `(n,)`.
        shared: Household features by name, each of shape `(n,)`.
        member: Member features by name, each of shape `(6, n)`: row `k` is the `k`-th member of
            every household. Only tables with larger households have more rows. Entries of members
            beyond the size hold the feature's default.
        names: Members' names, shape `(6, n)`, or `None` when nobody needs them.

    Values are coded as `Feature.encode` says: -1 for `None`, choices by position, dates by ordinal.
    """

    size: NDArray[np.int8]
    shared: dict[str, NDArray[Any]]
    member: dict[str, NDArray[Any]]
    names: NDArray[np.object_] | None = None

    def __len__(self) -> int:
        return len(self.size)

    @classmethod
    def of_defaults(cls, n: int, places: int = LARGEST_HOUSEHOLD) -> "Households":
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
    def from_households(cls, households: Sequence[Household]) -> "Households":
        """Return the columns of some households."""
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

    def with_places(self, places: int) -> "Households":
        """Return the same households with room for at least so many members."""
        more = places - self.places
        if more <= 0:
            return self
        empty = Households.of_defaults(len(self), more)
        names = None
        if self.names is not None:
            names = np.concatenate([self.names, np.full((more, len(self)), "", object)])
        return Households(
            size=self.size,
            shared=self.shared,
            member={
                name: np.concatenate([self.member[name], column])
                for name, column in empty.member.items()
            },
            names=names,
        )

    def fitted(self) -> "Households":
        """Return the same households without places that nobody of them needs, beyond the sixth."""
        places = max(LARGEST_HOUSEHOLD, int(self.size.max(initial=0)))
        return Households(
            size=self.size,
            shared=self.shared,
            member={name: column[:places] for name, column in self.member.items()},
            names=None if self.names is None else self.names[:places],
        )

    def take(self, index: NDArray[Any] | slice) -> "Households":
        """Return the households at some positions, or where a mask is true."""
        if isinstance(index, slice):
            return _joined([self], lambda columns: columns[0][..., index])
        wanted = np.asarray(index)
        rows = np.flatnonzero(wanted) if wanted.dtype == np.bool_ else wanted
        # Plain indexing would lay members' columns out household by household, and every later
        # operation along them would crawl.
        return _joined([self], lambda columns: np.take(columns[0], rows, axis=-1))

    @classmethod
    def concatenate(cls, tables: Iterable["Households"]) -> "Households":
        """Return all households of some tables, in order."""
        parts = list(tables)
        places = max(part.places for part in parts)
        wide = [part.with_places(places) for part in parts]
        return _joined(wide, partial(np.concatenate, axis=-1))

    def __getitem__(self, position: int) -> Household:
        """Return one household; negative positions count from the end.

        Raises:
            IndexError: There is no household at this position.
        """
        if not -len(self) <= position < len(self):
            raise IndexError(f"There is no household {position} among {len(self)}.")
        return self.household(position % len(self))

    def __iter__(self) -> Iterator[Household]:
        return (self.household(position) for position in range(len(self)))

    def __repr__(self) -> str:
        if not len(self):
            return "<Households: none>"
        smallest, largest = int(self.size.min()), int(self.size.max())
        sizes = f"{smallest} to {largest}" if smallest < largest else f"{smallest}"
        people = "member" if largest == 1 else "members"
        return f"<Households: {len(self)} of {sizes} {people}>"

    def to_pandas(self, ids: Sequence[Any] | None = None) -> "pd.DataFrame":
        """Return a frame with one row a member: names, and facts as Python values.

        Args:
            ids: What each household is called in the index; its position unless given.

        Returns:
            A frame indexed by `household` and `member` (0 is the applicant).
        """
        import pandas as pd

        rows, columns = np.nonzero(self.present)
        order = np.lexsort((rows, columns))
        rows, columns = rows[order], columns[order]
        called = range(len(self)) if ids is None else ids
        index = pd.MultiIndex.from_arrays(
            [[called[int(column)] for column in columns], rows], names=["household", "member"]
        )
        told: dict[str, Any] = {}
        if self.names is not None:
            told["name"] = self.names[rows, columns]
        for name, feature in CODED_MEMBER_FEATURES.items():
            told[name] = [feature.decode(code) for code in self.member[name][rows, columns]]
        return pd.DataFrame(told, index=index)

    def household(self, position: int, *, constrained: bool = True) -> Household:
        """Return one household; members without a name are numbered.

        Raises:
            ImpossibleHouseholdError: A constraint is violated and `constrained` is true.
        """
        members = tuple(
            Member(
                name=str(self.names[row, position])
                if self.names is not None
                else f"Member {row + 1}",
                **{
                    name: feature.decode(self.member[name][row, position])
                    for name, feature in CODED_MEMBER_FEATURES.items()
                },
            )
            for row in range(int(self.size[position]))
        )
        return Household(
            members=members,
            constrained=constrained,
            **{
                name: feature.decode(self.shared[name][position])
                for name, feature in HOUSEHOLD_FEATURES.items()
            },
        )


def _joined(tables: Sequence[Households], join: Callable[[list[Any]], Any]) -> Households:
    """Return the table whose columns are made of those of some tables."""
    names = [table.names for table in tables if table.names is not None]
    return Households(
        size=join([table.size for table in tables]),
        shared={name: join([each.shared[name] for each in tables]) for name in tables[0].shared},
        member={name: join([each.member[name] for each in tables]) for name in tables[0].member},
        names=join(names) if len(names) == len(tables) else None,
    )
