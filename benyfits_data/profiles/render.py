"""A household as a profile: prose that a simulated user can answer from."""

from typing import Literal

from benyfits_data.household.model import Household
from benyfits_data.profiles.sections import ALL_OF_YOU, Section, full_sections, short_sections
from benyfits_data.profiles.sentences import summary

Register = Literal["full", "short"]
SHORT_OPENING = (
    "What this profile neither says nor implies is not so: the answer is then no, none or never."
)
"""The first line of every short profile; it makes silence an answer."""


def render_profile(household: Household, register: Register = "short") -> str:
    """Return the profile of a household: the home, what all members share, then each of them.

    Facts that others rule out (a man's pregnancy, the employer of somebody without work) are left
    unsaid in both registers.

    Args:
        household: The household.
        register: `short` declares that what it does not say is not so, and says the rest; `full`
            begins with a summary, and states also what is not so.
    """
    if register == "short":
        # A member's section begins with the name; only what all share needs a heading.
        sections = [
            _written(section, f"# {ALL_OF_YOU}\n" if section.title == ALL_OF_YOU else "", " ")
            for section in short_sections(household)
        ]
        return "\n\n".join([SHORT_OPENING, *sections]) + "\n"
    sections = [
        _written(section, f"# {section.title}\n", "\n") for section in full_sections(household)
    ]
    return "\n\n".join([summary(household), *sections]) + "\n"


def register_of(profile: str) -> Register:
    """Return the register that a profile is written in."""
    return "short" if profile.startswith(SHORT_OPENING) else "full"


def _written(section: Section, title: str, between: str) -> str:
    paragraphs = (
        " ".join(sentence.text for sentence in paragraph) for paragraph in section.paragraphs
    )
    return f"{title}{between.join(paragraphs)}".strip()
