"""A household as a profile: prose that a simulated user can answer from."""

from typing import Literal

from benyfits_data.household.model import Household
from benyfits_data.profiles.sections import Section, full_sections, short_sections
from benyfits_data.profiles.sentences import summary

Register = Literal["full", "short"]
SHORT_OPENING = (
    "What this profile neither says nor implies is not so: the answer is then no, none or never."
)
"""The first line of every short profile; it makes silence an answer."""


def render_profile(household: Household, register: Register = "full") -> str:
    """Return the profile of a household: a summary, the home, then who lives there.

    Facts that others rule out (a man's pregnancy, the employer of somebody without work) are left
    unsaid in both registers.

    Args:
        household: The household.
        register: `full` states every other fact, also that something is not so; `short` declares
            that what it does not say is not so, and says the rest.
    """
    if register == "short":
        # Who lives here begins with a name; only a group needs a heading.
        sections = [
            _written(section, "\n" if len(section.members) < 2 else f"# {section.title}\n", " ")
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
    paragraphs = (" ".join(it.text for it in paragraph) for paragraph in section.paragraphs)
    return f"{title}{between.join(paragraphs)}".strip()
