"""Questions of each track, as somebody asks them one after the other."""

from dataclasses import dataclass
from typing import Literal

from benyfits_data.household.feature_arrays import CODED_MEMBER_FEATURES
from benyfits_data.language.partial import Fact
from benyfits_data.par.tracks import Track

ROSTER_FEATURES = ("age", "relation")


@dataclass(frozen=True)
class Question:
    """One question.

    Attributes:
        kind: `size`, `roster`, `fact` of one member or of the household, or `everybody`: a fact of
            every member.
        feature: The feature's name; empty for the first two.
        member: The member's position, for a fact of one member.
    """

    kind: Literal["size", "roster", "fact", "everybody"]
    feature: str = ""
    member: int | None = None

    def __str__(self) -> str:
        if self.kind == "fact" and self.member is not None:
            return f"{self.feature} of member {self.member}"
        of = " of everybody" if self.kind == "everybody" else ""
        return (self.feature or self.kind) + of


OPENINGS = (Question("size"), Question("roster"))
"""The questions that tell the number of members."""


def question_for(fact: Fact | None, track: Track, *, has_size: bool) -> Question:
    """Return the question of a track that tells a fact, or the one that has to come before.

    Args:
        fact: The fact; `None` for the number of members.
        track: The track.
        has_size: Whether the number of members is known; nobody is asked about members before.
    """
    opening = OPENINGS[track != "one"]
    if fact is None:
        return opening
    feature, member = fact
    if member is None:
        return Question("fact", feature)
    is_flag = CODED_MEMBER_FEATURES[feature].kind == "flag"
    is_of_everybody = track == "all" or (track == "who" and is_flag)
    is_in_roster = track != "one" and feature in ROSTER_FEATURES
    if not has_size and (member or is_of_everybody or is_in_roster):
        return opening
    return Question("everybody", feature) if is_of_everybody else Question("fact", feature, member)


def facts_told(question: Question, size: int) -> list[Fact]:
    """Return the facts that a complete answer tells of a household of some size."""
    if question.kind == "fact":
        return [(question.feature, question.member)]
    features = ROSTER_FEATURES if question.kind == "roster" else [question.feature]
    if question.kind == "size":
        return []
    return [(feature, member) for member in range(size) for feature in features]
