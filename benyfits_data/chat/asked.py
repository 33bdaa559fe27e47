"""What the page shows: a question with its choices, a verdict with its grounds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from benyfits_data.editions import Edition, load_edition
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import MOST_MEMBERS, Household
from benyfits_data.language.explain import explain
from benyfits_data.profiles.verb_forms import HOUSEHOLD, YOU
from benyfits_data.understanding.canonical import ask_fact, canonical_requests, name_member
from benyfits_data.understanding.facts import MEMBERS_KEY, THE_HOUSEHOLD
from benyfits_data.understanding.typed import normal

DONT_KNOW = "I don't know"
Grounds = tuple[tuple[str, str, tuple[str, ...]], ...]
"""Clauses by number and text, with the facts that they met."""
_MOST_BUTTONS = 15
"""Choices that are shown as buttons; more of them are a list to choose from."""


@dataclass(frozen=True)
class Asked:
    """A question, and how the page takes its answer.

    Attributes:
        text: The question.
        kind: `choice` of what is named, `number`, or free `text`.
        choices: What can be chosen: the words shown, and the answer they stand for.
        hint: Which numbers can be answered, and of what.
    """

    text: str
    kind: Literal["choice", "number", "text"] = "text"
    choices: tuple[tuple[str, str], ...] = ()
    hint: str = ""

    @property
    def is_short(self) -> bool:
        """Whether the choices are few enough for buttons."""
        return len(self.choices) <= _MOST_BUTTONS


@dataclass(frozen=True)
class ShownVerdict:
    """What an agent says of one program.

    Attributes:
        program: Its name.
        eligible: The answer; `None` where it stayed open.
        label: What is true of a made-up household; `None` where nobody knows.
        grounds: Clauses of the rules, each with the facts it met, where the facts are known.
        because: The answers from which the verdict follows, as sentences.
    """

    program: str
    eligible: bool | None
    label: bool | None = None
    grounds: Grounds = ()
    because: tuple[str, ...] = ()


def ask(key: str, member: int | None) -> Asked:
    """Return the question for a fact, or for the number of members, with its choices."""
    text = ask_fact(key, name_member(member))
    if key == MEMBERS_KEY:
        return Asked(text, "number", hint=f"A whole number from 1 to {MOST_MEMBERS}.")
    feature = FEATURES[key]
    if feature.kind == "flag":
        return Asked(text, "choice", (("Yes", "yes"), ("No", "no")))
    if feature.kind == "choice":
        return Asked(text, "choice", tuple(_choices(key, member)))
    if feature.kind in ("number", "decimal"):
        money = ", in dollars" if feature.unit == "dollar" else ""
        domain = feature.domain().removesuffix(" or null")
        return Asked(text, "number", hint=f"{domain[0].upper()}{domain[1:]}{money}.")
    return Asked(text)


def _choices(key: str, member: int | None) -> list[tuple[str, str]]:
    speaker = YOU if member == 0 else HOUSEHOLD
    choices = []
    for value, words in FEATURES[key].choices.items():
        if key == "relation" and value == "self":
            continue
        said = words.format_map(speaker.forms)
        choices.append((said[0].upper() + said[1:], value))
    return choices


def recognise_question(text: str) -> Asked:
    """Return a question of an agent, with choices where it is one of the canonical ones."""
    request = canonical_requests(MOST_MEMBERS).get(normal(text))
    if request is None:
        return Asked(text)
    asked = ask(request["fact"], None if request["who"] == THE_HOUSEHOLD else request["who"][0])
    # Agents read sentences: the words themselves are the answer.
    choices = tuple((words, words) for words, _ in asked.choices)
    return replace(asked, text=text, choices=choices)


def parse(key: str, answer: str) -> Any:
    """Return the value that an answer on the page stands for.

    Raises:
        FeatureValueError: It is no value of the feature.
        ValueError: It is no number, or no whole one where one is asked for.
    """
    if key == MEMBERS_KEY:
        return _whole(answer)
    feature = FEATURES[key]
    if feature.kind == "flag":
        return {"yes": True, "no": False}[answer]
    if feature.kind == "number":
        return feature.parse(_whole(answer))
    return feature.parse(float(answer) if feature.kind == "decimal" else answer)


def _whole(answer: str) -> int:
    if not float(answer).is_integer():
        raise ValueError(f"{answer} is no whole number.")
    return int(float(answer))


def typed_number(value: float) -> str:
    """Return a number as it was typed: 1234567 and 2.5, not 1.23457e+06 and 12.0."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def explained(
    edition: Edition, verdicts: Mapping[str, bool], household: Household, labels: bool
) -> list[ShownVerdict]:
    """Return verdicts on a household whose facts are known, with the grounds of the right answer.

    Args:
        edition: The rules.
        verdicts: What the agent says of each program.
        household: The household.
        labels: Whether to say what is true of it.
    """
    shown = []
    for program, eligible in verdicts.items():
        why = explain(edition.program(program), household)
        grounds: Grounds = why.grounds if labels or why.eligible == eligible else ()
        shown.append(ShownVerdict(program, eligible, why.eligible if labels else None, grounds))
    return shown


def grouped(programs: Iterable[str], year: int) -> dict[str, list[tuple[str, str]]]:
    """Return the programs of each category: what people call them, and their names."""
    edition = load_edition(year)
    groups: dict[str, list[tuple[str, str]]] = {}
    for name in programs:
        program = edition.program(name)
        groups.setdefault(program.category, []).append((program.title, name))
    return {category: sorted(groups[category]) for category in sorted(groups)}
