"""Verb forms and lists: how a fact reads for you, for a member, and for the household."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from benyfits_data.household.model import Member
from benyfits_data.household.schema import Feature, Verb


@dataclass(frozen=True, eq=False)
class Speaker:
    """Who a sentence is about.

    Attributes:
        names: What may stand as the subject; the first is used at first mention, the last later.
        forms: Words for the placeholders of phrases and sentences.
    """

    names: tuple[str, ...]
    forms: Mapping[str, str]

    def sentence(self, template: str, *, again: bool = False, **values: str) -> str:
        """Return a template as a sentence about this speaker.

        Args:
            template: With placeholders such as `{subject}` and `{is}`; values may hold some too.
            again: Whether the speaker was just mentioned, so that a pronoun will do.
            values: Further placeholders.
        """
        words = {**self.forms, "subject": self.names[-1 if again else 0]}
        filled = {name: value.format(**words) for name, value in values.items()}
        text = template.format(**words, **filled)
        return text[0].upper() + text[1:]


_PLURAL = {"is": "are", "has": "have", "does": "do", "was": "were", "s": "", "ies": "y"}
_SINGULAR = {"is": "is", "has": "has", "does": "does", "was": "was", "s": "s", "ies": "ies"}


def with_capitals(forms: Mapping[str, str]) -> dict[str, str]:
    """Return verb forms, with capitalised ones to begin a sentence."""
    return {
        **forms,
        **{key.capitalize(): form[:1].upper() + form[1:] for key, form in forms.items()},
    }


_FIRST = {**_PLURAL, "is": "am", "was": "was"}
ME = Speaker(
    ("I",), with_capitals({**_FIRST, "subject": "I", "possessive": "my", "reflexive": "myself"})
)
"""The applicant, who speaks."""
YOU = Speaker(("you",), with_capitals({**_PLURAL, "possessive": "your", "reflexive": "yourself"}))
HOUSEHOLD = Speaker(
    ("the household", "it"),
    with_capitals({**_SINGULAR, "possessive": "its", "reflexive": "itself"}),
)


def named_speaker(name: str, possessive: str, reflexive: str = "themselves") -> Speaker:
    """Return the speaker for somebody, or a household, whose sex the sentence leaves open."""
    words = {"subject": name, "possessive": possessive, "reflexive": reflexive}
    return Speaker((name,), with_capitals({**_SINGULAR, **words}))


EACH, NOBODY = (named_speaker(name, "their") for name in ("each of you", "none of you"))
"""All members, one by one; and none of them."""
SOMEBODY = named_speaker("a member of your household", "their")
"""One of the other members, whom a section of their own names."""


def speaker_of_home(n_members: int) -> Speaker:
    """Return the speaker for the household in its profile, whose reader is the applicant."""
    return Speaker(("you",) if n_members == 1 else ("you and your household", "you"), YOU.forms)


def speaker_of(member: Member) -> Speaker:
    """Return the speaker for a member: you for the applicant, else first name and pronoun."""
    if member.relation == "self":
        return YOU
    pronoun, possessive, reflexive = (
        ("she", "her", "herself") if member.sex == "female" else ("he", "his", "himself")
    )
    return Speaker(
        (first_name(member), pronoun),
        with_capitals({**_SINGULAR, "possessive": possessive, "reflexive": reflexive}),
    )


def first_name(member: Member) -> str:
    """Return the first word of a member's name."""
    return member.name.split()[0]


_BY_SEX: Mapping[str, tuple[str, str]] = {
    "niece or nephew": ("niece", "nephew"),
    "child": ("daughter", "son"),
    "adopted child": ("adopted daughter", "adopted son"),
    "stepchild": ("stepdaughter", "stepson"),
    "grandchild": ("granddaughter", "grandson"),
    "sibling": ("sister", "brother"),
    "parent": ("mother", "father"),
    "grandparent": ("grandmother", "grandfather"),
}


def kin_of(member: Member) -> str:
    """Return what people call a relation, such as daughter or brother; else its own name."""
    return _BY_SEX.get(member.relation, (member.relation,) * 2)[member.sex == "male"]


AFFIRMATIVE: dict[Verb, str] = {
    "is": "{subject} {is} {list}.",
    "has": "{subject} {has} {list}.",
    "receives": "{subject} receive{s} {list}.",
    "can": "{subject} can {list}.",
    "does": "{subject} {list}.",
    "has done": "{subject} {has} {list}.",
    "was": "{subject} {was} {list}.",
}
NEGATIVE: dict[Verb, str] = {
    "is": "{subject} {is} not {list}.",
    "has": "{subject} {does} not have {list}.",
    "receives": "{subject} {does} not receive {list}.",
    "can": "{subject} cannot {list}.",
    "does": "{subject} {does} not {list}.",
    "has done": "{subject} {has} not {list}.",
    "was": "{subject} {was} not {list}.",
}


def join(phrases: Sequence[str], conjunction: str) -> str:
    """Return phrases as a list in prose; with lists inside, semicolons part them."""
    if len(phrases) == 1:
        return phrases[0]
    mark = ";" if any(map(is_list, phrases)) else ","
    if len(phrases) == 2 and mark == ",":
        return f"{phrases[0]} {conjunction} {phrases[1]}"
    return f"{mark} ".join(phrases[:-1]) + f"{mark} {conjunction} {phrases[-1]}"


def is_list(phrase: str) -> bool:
    """Return whether a phrase is a list itself, so that commas cannot part it from others."""
    outside = re.sub(r"\([^)]*\)", "", phrase)
    return any(word in outside for word in (",", " or ", " and "))


def phrase_of(feature: Feature, *, affirmed: bool) -> str:
    """Return a flag's phrase; the verbs of `does` phrases lose their ending when denied."""
    if affirmed or feature.verb != "does":
        return feature.phrase
    return feature.phrase.replace("{s}", "").replace("{ies}", "y")


def day(value: date) -> str:
    """Return a day as people write it: `March 5, 2021`."""
    return f"{value:%B} {value.day}, {value.year}"


def amount(number: float, unit: str | None) -> str:
    """Return a number with its unit, as people write it: `$1,234`, `1 hour`, `2 years`."""
    if unit == "dollar":
        return f"${number:,}"
    if unit is None:
        return f"{number:,}"
    return f"{number:,} {unit}" + ("" if number == 1 else "s")
