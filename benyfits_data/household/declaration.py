"""How a feature is declared: kind, domain, level, wording, question, published name."""

from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from datetime import date
from typing import Any, Literal

import numpy as np

from benyfits_data.errors import FeatureValueError

Level = Literal["member", "household"]
Kind = Literal["flag", "number", "decimal", "choice", "date", "text"]
Verb = Literal["is", "has", "receives", "can", "does", "has done", "was"]

NONE_CODE = -1
"""How a missing value (never, not applicable) is held in a column."""


@dataclass(frozen=True)
class Feature:
    """One fact of a member or of the household.

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
        sentence: For other kinds, the profile sentence, with `{subject}`, `{value}` or `{count}`.
        none_sentence: Said when the value is `None`.
        zero_sentence: Said when the number is 0.
        question: Asks for the value; `{subject}` and the verb forms stand for the member.
        published: Name in the published data; `None` when the fact is new.
        note: What the declaration means where the name alone could mislead.
    """

    name: str
    level: Level
    topic: str
    kind: Kind
    default: Any
    optional: bool
    minimum: float | None
    maximum: float | None
    choices: Mapping[str, str]
    unit: str | None
    verb: Verb | None
    phrase: str
    sentence: str
    none_sentence: str
    zero_sentence: str
    question: str
    published: str | None
    note: str

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of this feature's column."""
        if self.kind == "flag":
            return np.dtype(np.bool_)
        if self.kind == "decimal":
            return np.dtype(np.float64)
        if self.kind == "choice":
            return np.dtype(np.int8)
        if self.kind == "number" and self.maximum is not None and self.maximum <= 30_000:
            return np.dtype(np.int16)
        return np.dtype(np.int32)

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
        if self.kind == "decimal":
            return float(code)
        return int(code)

    def parse(self, value: Any) -> Any:
        """Return `value` checked against the domain; dates may be ISO text.

        Raises:
            FeatureValueError: The value is not in this feature's domain.
        """
        if value is None and self.optional:
            return None
        if self.kind == "date" and isinstance(value, str):
            try:
                return date.fromisoformat(value)
            except ValueError:
                pass
        if self.kind == "decimal" and type(value) is int:
            value = float(value)
        if not self._accepts(value):
            raise FeatureValueError(
                f"{self.name} is {value!r}, expected {self.domain()}. Correct the value.",
                feature=self.name,
                value=value,
                expected=self.domain(),
            )
        return value

    def _accepts(self, value: Any) -> bool:
        if self.kind == "flag":
            return type(value) is bool
        if self.kind == "choice":
            return isinstance(value, str) and value in self.choices
        if self.kind == "date":
            return isinstance(value, date) and self._is_within(value.toordinal())
        if self.kind == "text":
            return isinstance(value, str) and bool(value.strip())
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
            earliest, latest = (
                date.fromordinal(int(bound or 1)) for bound in (self.minimum, self.maximum)
            )
            words = f"a date from {earliest} to {latest}"
        elif self.kind == "text":
            words = "text"
        else:
            number = "a whole number" if self.kind == "number" else "a number"
            words = f"{number} from {self.minimum:g} to {self.maximum:,.10g}"
        return words + (" or null" if self.optional else "")


def _declare(kind: Kind, default: Any, **wording: Any) -> Any:
    return field(default=default, metadata={"kind": kind, "default": default, **wording})


def flag(
    verb: Verb,
    phrase: str,
    *,
    default: bool = False,
    ask: str = "",
    published: str | None = "same",
    note: str = "",
) -> Any:
    """Declare a yes/no fact; `phrase` completes `verb`, as in has / a disability."""
    return _declare(
        "flag", default, verb=verb, phrase=phrase, question=ask, published=published, note=note
    )


def number(
    says: str,
    *,
    ask: str,
    maximum: int,
    minimum: int = 0,
    default: int | None = 0,
    unit: str | None = None,
    none: str = "",
    zero: str = "",
    published: str | None = "same",
    note: str = "",
) -> Any:
    """Declare a whole number; with a `none` sentence the value may be `None`."""
    return _declare(
        "number",
        default,
        minimum=minimum,
        maximum=maximum,
        unit=unit,
        sentence=says,
        none_sentence=none,
        zero_sentence=zero,
        optional=bool(none),
        question=ask,
        published=published,
        note=note,
    )


def decimal(
    says: str,
    *,
    ask: str,
    maximum: float,
    none: str,
    published: str | None = "same",
    note: str = "",
) -> Any:
    """Declare a number with one decimal that may be `None`."""
    return _declare(
        "decimal",
        None,
        minimum=0.0,
        maximum=maximum,
        sentence=says,
        none_sentence=none,
        optional=True,
        question=ask,
        published=published,
        note=note,
    )


def choice(
    says: str,
    values: Mapping[str, str] | Iterable[str],
    *,
    ask: str,
    default: str | None,
    none: str = "",
    published: str | None = "same",
    note: str = "",
) -> Any:
    """Declare one of several values; `values` maps each to its words in the sentence."""
    words = dict(values) if isinstance(values, Mapping) else {value: value for value in values}
    return _declare(
        "choice",
        default,
        choices=words,
        sentence=says,
        none_sentence=none,
        optional=bool(none),
        question=ask,
        published=published,
        note=note,
    )


def day(
    says: str,
    *,
    ask: str,
    earliest: date,
    latest: date,
    none: str,
    published: str | None = "same",
    note: str = "",
) -> Any:
    """Declare a date that may be `None`."""
    return _declare(
        "date",
        None,
        minimum=earliest.toordinal(),
        maximum=latest.toordinal(),
        sentence=says,
        none_sentence=none,
        optional=True,
        question=ask,
        published=published,
        note=note,
    )


def text(says: str, *, ask: str, default: str, published: str | None = "same") -> Any:
    """Declare free text, such as a name."""
    return _declare("text", default, sentence=says, question=ask, published=published)


_QUESTIONS: dict[Verb, str] = {
    "is": "{Is} {subject} {phrase}?",
    "has": "{Does} {subject} have {phrase}?",
    "receives": "{Does} {subject} receive {phrase}?",
    "can": "Can {subject} {phrase}?",
    "does": "{Does} {subject} {phrase}?",
    "has done": "{Has} {subject} {phrase}?",
    "was": "{Was} {subject} {phrase}?",
}


def _feature(level: Level, topic: str, declared: Field[Any]) -> Feature:
    told = dict(declared.metadata)
    verb: Verb | None = told.get("verb")
    phrase = told.get("phrase", "")
    question = told.get("question", "")
    if verb and not question:
        question = _QUESTIONS[verb].replace("{phrase}", phrase.replace("{s}", ""))
    published = told.get("published")
    return Feature(
        name=declared.name,
        level=level,
        topic=topic,
        kind=told["kind"],
        default=told["default"],
        optional=told.get("optional", False),
        minimum=told.get("minimum"),
        maximum=told.get("maximum"),
        choices=told.get("choices", {}),
        unit=told.get("unit"),
        verb=verb,
        phrase=phrase,
        sentence=told.get("sentence", ""),
        none_sentence=told.get("none_sentence", ""),
        zero_sentence=told.get("zero_sentence", ""),
        question=question,
        published=declared.name if published == "same" else published,
        note=told.get("note", ""),
    )


def features_of(topics: Iterable[type], level: Level) -> dict[str, Feature]:
    """Return the declared features of some topic classes by name, in order of declaration."""
    return {
        declared.name: _feature(level, topic.__name__.lower(), declared)
        for topic in topics
        for declared in fields(topic)
    }
