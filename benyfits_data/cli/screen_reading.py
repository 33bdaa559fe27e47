"""What a person types at the screener, read into facts; whatever is not plain is asked back."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from benyfits_data.errors import FeatureValueError
from benyfits_data.evaluation.keys import MEMBERS_KEY, Nothing
from benyfits_data.evaluation.replies import read_numbers
from benyfits_data.evaluation.spoken_facts import read_answer
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import MOST_MEMBERS, Household
from benyfits_data.understanding.parser.claims import judge
from benyfits_data.understanding.parser.people_found import find_people, mark_names
from benyfits_data.understanding.parser.words import plain

_PLAIN = re.compile(r"\W*(y|yes|yeah|yep|n|no|nope)\W*", re.IGNORECASE)
_NOBODY = re.compile(r"\W*(no|none|nobody|no one|neither|nothing|n)\W*", re.IGNORECASE)
_EVERYBODY = re.compile(
    r"\W*(all|everyone|everybody|both|all of us|we all do|both of us)\W*", re.IGNORECASE
)
_ALONE = re.compile(
    r"\W*((just|only) )?(me|myself)( alone)?\W*|\W*(i live )?alone\W*|\W*i live by myself\W*",
    re.IGNORECASE,
)
_NO_NUMBER = re.compile(
    r"\W*n\W*|[^0-9]*(\b(no|not|nothing|none|never|neither|without)\b|n't\b)[^0-9]*", re.IGNORECASE
)
"""No grade, we have none, I don't work; none and never alone are read without being asked back."""
_TIME = re.compile(r"\b(hour|day|week|month|year)s?\b")
_BOROUGH = re.compile(r"\b(brooklyn|queens|bronx|manhattan|staten island)\b", re.IGNORECASE)
_NAME = re.compile(r"\b(?!My\b|I\b|The\b|Age\b|Aged\b)[A-Z][a-z\u00c0-\u024f'-]+")


@dataclass(frozen=True)
class TypedAnswer:
    """What an answer was taken to say.

    Attributes:
        value: The value.
        is_plain: Whether it says just that; otherwise the person is asked whether it was meant.
    """

    value: Any
    is_plain: bool


def read_value(
    key: str, question: str, text: str, household: Household, member: int | None = None
) -> TypedAnswer | None:
    """Return the value of a fact that an answer tells, `None` where it is not understood.

    Args:
        key: A feature's name, or `number_of_members`.
        question: What was asked.
        text: The answer.
        household: What is known of the household, the rest filled in.
        member: The position of the member that was asked about.
    """
    if key == MEMBERS_KEY and _ALONE.fullmatch(text):
        return TypedAnswer(1, is_plain=True)
    if key == MEMBERS_KEY or FEATURES[key].kind in ("number", "decimal"):
        return _read_number(key, text)
    if key == "place_of_residence" and _BOROUGH.search(text):
        return TypedAnswer("New York City", is_plain=False)
    feature = FEATURES[key]
    if feature.kind == "flag":
        if found := _PLAIN.fullmatch(text):
            return TypedAnswer(found.group(1).lower().startswith("y"), is_plain=True)
        return _judged(key, question, text, household, member, [True, False])
    if feature.kind == "choice" and text.strip().isdigit():
        number = int(text) - 1
        values = list(feature.choices)
        return TypedAnswer(values[number], is_plain=True) if 0 <= number < len(values) else None
    said = read_answer(key, text)
    if not isinstance(said, Nothing):
        is_plain = feature.kind == "date" or text.strip().lower() == str(said).lower()
        return _checked(key, said, is_plain=is_plain)
    if feature.kind == "choice":
        return _judged(key, question, text, household, member, list(feature.choices))
    return None


def _read_number(key: str, text: str) -> TypedAnswer | None:
    counted = " ".join(plain(text))
    if key != MEMBERS_KEY and FEATURES[key].optional and _NO_NUMBER.fullmatch(counted):
        return TypedAnswer(None, is_plain=text.lower().strip(" .!") in ("none", "never"))
    if key == "current_grade" and "kindergarten" in text.lower():
        return TypedAnswer(0, is_plain=False)
    said = read_answer(key, counted)
    if isinstance(said, Nothing):
        return None
    if key == MEMBERS_KEY:
        return TypedAnswer(said, is_plain=True) if 1 <= said <= MOST_MEMBERS else None
    units, unit = set(_TIME.findall(text.lower())), FEATURES[key].unit
    if unit in ("hour", "day", "week", "month", "year") and units and unit not in units:
        if said is None or units != {"year"} or unit != "month":
            return None
        said = 12 * said
    words = re.sub(r"[\d$,.\s]", "", text.lower())
    is_plain = words in ("", "dollars", "years", "never", "none", "k", unit, f"{unit}s")
    return _checked(key, said, is_plain=is_plain)


def _checked(key: str, value: Any, *, is_plain: bool) -> TypedAnswer | None:
    feature = FEATURES[key]
    if feature.kind == "decimal" and value is not None:
        value = float(value)
    try:
        return TypedAnswer(feature.parse(value), is_plain)
    except FeatureValueError:
        return None


def _judged(
    key: str,
    question: str,
    text: str,
    household: Household,
    member: int | None,
    values: Sequence[Any],
) -> TypedAnswer | None:
    """Return the one value under which the answer would be true of the household."""
    fitting = []
    for value in values:
        facts = household.facts()
        (facts if member is None else facts["members"][member])[key] = value
        supposed = Household.from_facts(facts, constrained=False)
        if judge(question, text, supposed).verdict == "faithful":
            fitting.append(value)
    return TypedAnswer(fitting[0], is_plain=False) if len(fitting) == 1 else None


def read_people(text: str, household: Household) -> TypedAnswer | None:
    """Return the positions of the members that an answer names, `None` where it is not understood.

    Args:
        text: Names, numbers, relations, nobody or everybody.
        household: The members by name and relation.
    """
    everybody = set(range(len(household.members)))
    if _NOBODY.fullmatch(text):
        return TypedAnswer(set(), is_plain=True)
    if _EVERYBODY.fullmatch(text):
        return TypedAnswer(everybody, is_plain=True)
    text = re.sub(r"^\W*(just|only) ", "", text, flags=re.IGNORECASE)
    pieces = [it.strip() for it in re.split(r",|;|&|\band\b", text) if it.strip()]
    numbers = [int(it) - 1 for it in pieces if it.isdigit()]
    if len(numbers) == len(pieces):
        chosen = set(numbers)
        return TypedAnswer(chosen, is_plain=True) if chosen and chosen <= everybody else None
    names = [plain(member.name) for member in household.members]
    found: set[int] = set()
    is_plain = True
    for piece in pieces:
        words = mark_names(plain(piece), names)
        words = ["you" if word in ("me", "i", "myself") else word for word in words]
        words = ["your" if word in ("my", "our") else word for word in words]
        if words[-1:] in (["does"], ["is"], ["has"], ["do"], ["am"], ["have"], ["did"], ["was"]):
            words, is_plain = words[:-1], False
        whole = [it for it in find_people(words, 0) if it.end == len(words)] if words else []
        if not whole:
            return None
        anybody = replace(whole[0].people, sex="").members(household)
        # Not everybody has told a sex: who is left out for it is asked back.
        meant = whole[0].people.members(household) or anybody
        if not meant:
            return None
        is_sure = whole[0].people.kind in ("name", "you") or len(meant) == 1
        is_plain = is_plain and is_sure and meant == anybody
        found |= set(meant)
    return TypedAnswer(found, is_plain)


def read_person(text: str) -> tuple[str | None, str | None, str | None, int | None]:
    """Return name, relation, sex and age that words about a person tell, each `None` without it."""
    name = _NAME.search(text)
    words = ["your" if word in ("my", "our") else word for word in plain(text)]
    groups = [it.people for at in range(len(words)) for it in find_people(words, at)]
    relation = read_answer("relation", text)
    if isinstance(relation, Nothing) or relation == "self":
        relation = next((it.relations[0] for it in groups if it.relations), None)
    sex = next((it.sex for it in groups if it.relations and it.sex), None)
    numbers = read_numbers(" ".join(plain(text)))
    age = int(numbers.pop()) if len(numbers) == 1 else None
    is_possible = age is not None and 0 <= age <= (FEATURES["age"].maximum or 0)
    return name.group(0) if name else None, relation, sex, age if is_possible else None
