"""Many households as columns: what samplers draw and the NumPy reader reads."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from benyfits_data.household.feature_arrays import CODED_MEMBER_FEATURES, FeatureArrays
from benyfits_data.household.model import Household

if TYPE_CHECKING:
    import pandas as pd


class Households(FeatureArrays):
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
        content: dict[str, Any] = {}
        if self.names is not None:
            content["name"] = self.names[rows, columns]
        for name, feature in CODED_MEMBER_FEATURES.items():
            content[name] = [feature.decode(code) for code in self.member[name][rows, columns]]
        return pd.DataFrame(content, index=index)

    def household(self, position: int, *, constrained: bool = True) -> Household:
        """Return one household; members without a name are numbered.

        Raises:
            ImpossibleHouseholdError: A constraint is violated and `constrained` is true.
        """
        return Household.from_facts(self.facts(position), constrained=constrained)
