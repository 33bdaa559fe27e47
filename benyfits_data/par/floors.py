"""The fewest questions that force all labels of a household, by implicit hitting sets.

A set of questions forces the labels exactly if every possible household with another label differs
in the answer to one of them. HiGHS proposes the fewest questions that meet all such households
found so far; where these do not force a label, another household shows it, and joins them. When
none is left, the proposal is proven smallest (Moreno-Centeno and Karp, "The implicit hitting set
approach", Operations Research 61, 2013).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from benyfits_data.editions import Edition
from benyfits_data.household.model import Household, most_members
from benyfits_data.language.partial import PartialReader
from benyfits_data.par.hitting_set import minimal_sets, smallest_hitting_set
from benyfits_data.par.neighbours import Neighbours
from benyfits_data.par.questions import Refutation


@dataclass(frozen=True)
class Floor:
    """The fewest questions that force all labels of a household.

    Attributes:
        questions: As few as possible; others may do as well.
        refutations: Households that show that no fewer questions do.
    """

    questions: tuple[str, ...]
    refutations: tuple[Refutation, ...]

    @property
    def turns(self) -> int:
        """How many questions these are."""
        return len(self.questions)


def floor(edition: Edition, programs: Iterable[str], household: Household) -> Floor:
    """Return the fewest questions that force all labels of a household.

    Known without asking: that there is an applicant, what makes a household possible, and that it
    has at most six members, or as many as the household if that is more. The number of members is
    a question of its own; a fact told of a member says that the member is there.

    Args:
        edition: Whose rules label it.
        programs: The programs.
        household: A possible household.

    Raises:
        ProofError: A label could not be proven.
    """
    names = tuple(programs)
    reader = PartialReader(edition, names, places=most_members(household))
    neighbours = Neighbours(reader, household)
    labels = {name: edition.program(name).is_eligible(household) for name in names}
    refutations: list[Refutation] = []
    while True:
        asked = {
            neighbours.questions(refutation): refutation for refutation in reversed(refutations)
        }
        sets = minimal_sets(asked)
        chosen = sorted(smallest_hitting_set(sets))
        with neighbours.answered(chosen):
            new = [
                other
                for program, label in labels.items()
                for other in neighbours.refutations(program, label)
            ]
        if not new:
            return Floor(tuple(chosen), tuple(asked[questions] for questions in sets))
        refutations += new
