"""A household as a profile: prose that a simulated user can answer from."""

from functools import cache
from pathlib import Path

import jinja2

from benyfits_data.household.model import Household
from benyfits_data.profiles.sentences import (
    Sentence,
    household_sentences,
    member_sentences,
    summary,
)

TEMPLATES = Path(__file__).parent / "templates"


def render_profile(household: Household) -> str:
    """Return the profile of a household: a summary, the home, then one section per member.

    Every fact of every member is stated once; facts that others rule out (a man's pregnancy, the
    employer of somebody without work) are left unsaid.
    """
    return _template().render(
        summary=summary(household),
        household=[_paragraph(sentences) for sentences in household_sentences(household)],
        members=[
            (
                member,
                [_paragraph(sentences) for sentences in member_sentences(household, member)],
            )
            for member in household.members
        ],
    )


def _paragraph(sentences: list[Sentence]) -> str:
    return " ".join(sentence.text for sentence in sentences)


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    return environment.get_template("profile.jinja")
