"""The last word on verdicts that intervals leave open: is there a household of either kind?"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from benyfits_data.editions import Edition
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.ir import Node
from benyfits_data.language.partial import Fact, feature_of
from benyfits_data.language.symbolic_execution import HouseholdArgument
from benyfits_data.language.z3_backend.world import Answer, World


class OpenVerdicts:
    """Decides programs of an edition for households known in part, or shows that they are open.

    Args:
        edition: Gives checkers and thresholds.
        places: The most members that a household may have.
    """

    def __init__(self, edition: Edition, places: int = LARGEST_HOUSEHOLD) -> None:
        self._edition, self._places = edition, places
        self._world = World(places=places)

    def decide(self, program: str, size: int | None, facts: Mapping[Fact, Any]) -> bool | None:
        """Return the verdict that all possible households with some facts share; else `None`.

        `None` is also the answer where the solver gives up.

        Args:
            program: The program.
            size: The number of members, if it is known.
            facts: Values of facts; who has one is there.
        """
        for verdict in (True, False):
            if self.find(program, not verdict, size, facts).status == "none":
                return verdict
        return None

    def find(
        self, program: str, verdict: bool, size: int | None, facts: Mapping[Fact, Any]
    ) -> Answer:
        """Return a possible household of some facts that has a verdict, if there is one.

        Args:
            program: The program.
            verdict: Eligible or not.
            size: The number of members, if it is known.
            facts: Values of facts; who has one is there.
        """
        read, builder = self._edition.program(program), self._world.executor.builder
        arguments = HouseholdArgument(), read.thresholds
        value = self._world.executor.call(read.checker, arguments).value
        wanted = value if verdict else builder.negate(value)
        return self._world.find(builder.both(self._known(size, facts), wanted))

    def _known(self, size: int | None, facts: Mapping[Fact, Any]) -> Node:
        builder = self._world.executor.builder
        told_of = [position + 1 for _, position in facts if position is not None]
        known = builder.present(max([size or 1, *told_of]) - 1)
        if size is not None and size < self._places:
            known = builder.both(known, builder.negate(builder.present(size)))
        for (name, position), value in facts.items():
            node, code = builder.feature(name, position), feature_of((name, position)).encode(value)
            if node.is_whole:
                same = builder.equal(node, builder.constant(bool(code) if node.is_flag else code))
            else:  # Tenths, which floating point numbers are not exactly.
                above = builder.less(builder.constant(code - 0.05), node)
                same = builder.both(above, builder.less(node, builder.constant(code + 0.05)))
            known = builder.both(known, same)
        return known


@cache
def open_verdicts(edition: Edition, places: int) -> OpenVerdicts:
    """Return the solver of an edition for so many members, made once in a process."""
    return OpenVerdicts(edition, places)
