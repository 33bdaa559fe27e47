"""What a checker may name in its annotations."""

from typing import Any, Protocol

from benyfits_data.household.model import Household, Member

__all__ = ["Household", "Member", "Thresholds"]


class Thresholds(Protocol):
    """The numbers and tables of one program in one edition, by name."""

    def __getattr__(self, name: str) -> Any: ...
