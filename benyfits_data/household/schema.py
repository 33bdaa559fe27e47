"""How a feature is declared: kind, domain, level, wording, question, published name, guards."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import date, timedelta
from typing import Any, Literal, TypedDict, Unpack

import numpy as np

from benyfits_data.errors import FeatureValueError
from benyfits_data.spelling import suggest

Level = Literal["member", "household"]
Kind = Literal["flag", "number", "decimal", "choice", "date", "text"]
Verb = Literal["is", "has", "receives", "can", "does", "has done", "was"]
Guards = str | tuple[str, ...]

DAY_MILLISECONDS = 86_400_000
NONE_CODE = -1
"""How a missing value (never, not applicable) is held in a column."""
LARGEST_SMALL_NUMBER = 30_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Feature:
    """One fact of a member or of the household; each is declared once and compared by identity.

    Guards name predicates of `constraints/guards.py` or other features (which must be told or
    true). Where one of them fails, the value is `off`; each makes one constraint.

    Attributes:
        name: Attribute name on `Member` or `Household`.
        level: Whose fact it is.
        topic: Heading under which profiles and questions group it.
        kind: What sort of value it holds.
        default: The unremarkable value.
        optional: Whether the value may be `None` (never, not applicable).
        minimum: Smallest number, or ordinal of the earliest date; `None` for other kinds.
        maximum: Largest number, or ordinal of the latest date; `None` for other kinds.
        choices: Each value of a choice with the words that follow the sentence's verb.
        unit: What a number counts, in the singular: `year`, `dollar`, `hour`.
        verb: For a flag, the verb that its phrase completes.
        phrase: For a flag, what follows the verb, such as `a disability`.
        denial: What follows the verb where a flag is false whose phrase denies something itself.
        sentence: For other kinds, the profile sentence, with `{subject}`, `{value}` or `{count}`.
        none_sentence: Said when the value is `None`, and every guard of `when` holds.
        none_or_off_sentence: Said when the value is `None` and a guard may fail, if that is not so.
        zero_sentence: Said when the number is 0.
        question: Asks for the value; `{subject}` and the verb forms stand for the member.
        published: Name in the published data; `None` when the fact is new.
        note: What the declaration means where the name alone could mislead.
        off: The value that says no, none or nothing; the only one where a guard fails.
        when: Guards without which nobody would ask: profiles leave the fact out where one fails.
        needs: Further guards; profiles state the fact where these fail.
        always: Whether the value is told (not `off`) exactly where all guards hold.
        implied_by: Conditions where each alone means that the value is told.
    """

    name: str = ""
    level: Level = "member"
    topic: str = ""
    kind: Kind
    default: Any
    optional: bool = False
    minimum: float | None = None
    maximum: float | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    unit: str | None = None
    verb: Verb | None = None
    phrase: str = ""
    denial: str = ""
    sentence: str = ""
    none_sentence: str = ""
    none_or_off_sentence: str = ""
    zero_sentence: str = ""
    question: str = ""
    published: str | None = "same"
    note: str = ""
    off: Any = None
    when: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    always: bool = False
    implied_by: tuple[str, ...] = ()

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of this feature's column."""
        if self.kind == "flag":
            return np.dtype(np.bool_)
        if self.kind == "decimal":
            return np.dtype(np.float64)
        if self.kind == "choice":
            return np.dtype(np.int8)
        is_small = self.maximum is not None and self.maximum <= LARGEST_SMALL_NUMBER
        return np.dtype(np.int16 if self.kind == "number" and is_small else np.int32)

    def encode(self, value: Any) -> Any:
        """Return `value` as it is held in a column: `-1` for `None`, choices by position."""
        if value is None:
            return NONE_CODE
        if self.kind == "choice":
            return list(self.choices).index(value)
        if self.kind == "date":
            return value.toordinal()
        return value

    def decode(self, code: Any) -> Any:
        """Return the Python value of one column entry."""
        if self.kind == "flag":
            return bool(code)
        if self.optional and code == NONE_CODE:
            return None
        if self.kind == "choice":
            return list(self.choices)[int(code)]
        if self.kind == "date":
            return date.fromordinal(int(code))
        return float(code) if self.kind == "decimal" else int(code)

    def parse(self, value: Any) -> Any:
        """Return `value` checked against the domain; dates may be ISO text.

        Raises:
            FeatureValueError: The value is not in this feature's domain.
        """
        if value is None and self.optional:
            return None
        if self.kind == "date" and isinstance(value, str):
            with suppress(ValueError):
                value = date.fromisoformat(value)
        if self.kind == "date" and type(value) is int and value % DAY_MILLISECONDS == 0:
            # So pandas and Hugging Face's `datasets` write a column that holds dates.
            with suppress(OverflowError):
                value = date(1970, 1, 1) + timedelta(days=value // DAY_MILLISECONDS)
        if self.kind == "decimal" and type(value) is int:
            value = float(value)
        if not self._accepts(value):
            raise FeatureValueError(
                f"{self.name} is {value!r}, expected {self.domain()}. {self._hint(value)}",
                feature=self.name,
                value=value,
                expected=self.domain(),
            )
        return value

    def _hint(self, value: Any) -> str:
        if self.kind == "choice" and isinstance(value, str):
            return suggest(value, list(self.choices), "Correct the value.")
        return "Correct the value."

    def _accepts(self, value: Any) -> bool:
        if self.kind == "flag":
            return type(value) is bool
        if self.kind == "choice":
            return isinstance(value, str) and value in self.choices
        if self.kind == "text":
            return isinstance(value, str) and bool(value.strip())
        if self.kind == "date":
            return isinstance(value, date) and self._is_within(value.toordinal())
        wanted = float if self.kind == "decimal" else int
        return type(value) is wanted and self._is_within(value)

    def _is_within(self, number: float) -> bool:
        if self.minimum is None or self.maximum is None:
            return False
        return self.minimum <= number <= self.maximum

    def domain(self) -> str:
        """The values this feature may take, in words."""
        if self.kind == "flag":
            words = "true or false"
        elif self.kind == "choice":
            words = "one of " + ", ".join(repr(choice) for choice in self.choices)
        elif self.kind == "date":
            bounds = (date.fromordinal(int(bound or 1)) for bound in (self.minimum, self.maximum))
            words = "a date from {} to {}".format(*bounds)
        elif self.kind == "text":
            words = "text"
        else:
            number = "a whole number" if self.kind == "number" else "a number"
            words = f"{number} from {self.minimum:g} to {self.maximum:,.10g}"
        return words + (" or null" if self.optional else "")


class Common(TypedDict, total=False):
    """What every kind of declaration may say; see the attributes of `Feature`."""

    ask: str
    published: str | None
    note: str
    when: Guards
    needs: Guards
    always: bool
    implied_by: Guards
    denial: str


def _declare(common: Common, **details: Any) -> Any:
    details |= common
    if "ask" in details:
        details["question"] = details.pop("ask")
    for guards in ("when", "needs", "implied_by"):
        if isinstance(details.get(guards), str):
            details[guards] = (details[guards],)
    return field(default=details["default"], metadata={"feature": Feature(**details)})


def flag(verb: Verb, phrase: str, *, default: bool = False, **common: Unpack[Common]) -> Any:
    """Declare a yes/no fact; `phrase` completes `verb`, as in has / a disability."""
    question = _QUESTIONS[verb].replace("{phrase}", phrase.replace("{s}", ""))
    details = {"verb": verb, "phrase": phrase, "question": question, "off": False}
    return _declare(common, kind="flag", default=default, **details)


def number(
    says: str,
    *,
    maximum: int,
    minimum: int = 0,
    default: int | None = 0,
    unit: str | None = None,
    none: str = "",
    none_or_off: str = "",
    zero: str = "",
    **common: Unpack[Common],
) -> Any:
    """Declare a whole number; with a `none` sentence the value may be `None`."""
    return _declare(
        common,
        kind="number",
        default=default,
        off=None if none else 0,
        minimum=minimum,
        maximum=maximum,
        unit=unit,
        sentence=says,
        none_sentence=none,
        none_or_off_sentence=none_or_off,
        zero_sentence=zero,
        optional=bool(none),
    )


def decimal(says: str, *, maximum: float, none: str, **common: Unpack[Common]) -> Any:
    """Declare a number with one decimal that may be `None`."""
    details = {"sentence": says, "none_sentence": none, "optional": True}
    return _declare(common, kind="decimal", default=None, minimum=0.0, maximum=maximum, **details)


def choice(
    says: str,
    values: Mapping[str, str] | Iterable[str],
    *,
    default: str | None,
    none: str = "",
    off: str | None = None,
    **common: Unpack[Common],
) -> Any:
    """Declare one of several values; `values` maps each to its words in the sentence."""
    words = dict(values) if isinstance(values, Mapping) else {value: value for value in values}
    details = {"sentence": says, "none_sentence": none, "optional": bool(none), "off": off}
    return _declare(common, kind="choice", default=default, choices=words, **details)


def day(says: str, *, earliest: date, latest: date, none: str, **common: Unpack[Common]) -> Any:
    """Declare a date that may be `None`."""
    domain = {"minimum": earliest.toordinal(), "maximum": latest.toordinal(), "optional": True}
    details = {"sentence": says, "none_sentence": none}
    return _declare(common, kind="date", default=None, **domain, **details)


def text(says: str, *, default: str, **common: Unpack[Common]) -> Any:
    """Declare free text, such as a name."""
    return _declare(common, kind="text", default=default, sentence=says)


_QUESTIONS: dict[Verb, str] = {
    "is": "{Is} {subject} {phrase}?",
    "has": "{Does} {subject} have {phrase}?",
    "receives": "{Does} {subject} receive {phrase}?",
    "can": "Can {subject} {phrase}?",
    "does": "{Does} {subject} {phrase}?",
    "has done": "{Has} {subject} {phrase}?",
    "was": "{Was} {subject} {phrase}?",
}


def features_of(topics: Iterable[type], level: Level) -> dict[str, Feature]:
    """Return the declared features of some topic classes by name, in order of declaration."""
    features: dict[str, Feature] = {}
    for topic in topics:
        for declared in fields(topic):
            feature: Feature = declared.metadata["feature"]
            features[declared.name] = replace(
                feature,
                name=declared.name,
                level=level,
                topic=topic.__name__.lower(),
                published=declared.name if feature.published == "same" else feature.published,
            )
    return features
