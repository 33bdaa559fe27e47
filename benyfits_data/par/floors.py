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
from benyfits_data.language.partial import PartialReader, household_facts
from benyfits_data.par.hitting_set import minimal_sets, smallest_hitting_set
from benyfits_data.par.neighbours import Neighbours
from benyfits_data.par.tracks import SIZE, TRACKS, Refutation, Track, asker


@dataclass(frozen=True)
class Floor:
    """The fewest questions that force all labels of a household.

    Attributes:
        track: What a question may ask for.
        questions: As few as possible; others may do as well.
        refutations: Households that show that no fewer questions do.
    """

    track: Track
    questions: tuple[str, ...]
    refutations: tuple[Refutation, ...]

    @property
    def turns(self) -> int:
        """How many questions these are."""
        return len(self.questions)


def floor(edition: Edition, programs: Iterable[str], household: Household, track: Track) -> Floor:
    """Return the fewest questions of one track; arguments as those of `floors`."""
    return floors(edition, programs, household, (track,))[track]


def floors(
    edition: Edition,
    programs: Iterable[str],
    household: Household,
    tracks: Iterable[Track] = TRACKS,
) -> dict[Track, Floor]:
    """Return the fewest questions that force all labels of a household, for each track.

    Known without asking: that there is an applicant, what makes a household possible, and that it
    has at most six members, or as many as the household if that is more. The number of members is
    a question of its own; a fact told of a member says that the member is there.

    Args:
        edition: Whose rules label it.
        programs: The programs.
        household: A possible household.
        tracks: What questions may ask for.

    Raises:
        ProofError: A label could not be proven.
    """
    names = tuple(programs)
    reader = PartialReader(edition, names, places=most_members(household))
    labels = {name: edition.program(name).is_eligible(household) for name in names}
    refutations: list[Refutation] = []
    # Whoever refutes in one track refutes in the others too.
    done: dict[Track, Floor] = {}
    for track in tracks:
        done[track] = _floor(reader, household, labels, track, refutations, list(done.values()))
    return done


def _floor(
    reader: PartialReader,
    household: Household,
    labels: dict[str, bool],
    track: Track,
    refutations: list[Refutation],
    done: list[Floor],
) -> Floor:
    ask = asker(track)
    neighbours = Neighbours(reader, household, ask)
    # What is forced in a track where a question asks for less is forced in this one.
    forcing = [
        {ask(fact) for fact in (SIZE, *household_facts(household)) if before(fact) in one.questions}
        for one in done
        if TRACKS.index(one.track) < TRACKS.index(track)
        for before in (asker(one.track),)
    ]
    while True:
        asked = {neighbours.questions(one): one for one in reversed(refutations)}
        sets = minimal_sets(asked)
        chosen = sorted(smallest_hitting_set(sets))
        known = next((sorted(one) for one in forcing if len(one) == len(chosen)), None)
        if known is None:
            with neighbours.answered(chosen):
                new = [
                    other
                    for program, label in labels.items()
                    for other in neighbours.refutations(program, label)
                ]
        if known is not None or not new:
            return Floor(track, tuple(known or chosen), tuple(asked[one] for one in sets))
        refutations += new
