"""Whether an answer shows the gold of a question: yes or no, a number, members, words.

`bool`: the answer affirms or denies; `holds`: the same of the fact behind a negated question;
`states`: a fact for each pattern of words; `number`: this number, None for none; `numbers`: each
of these; `names`: these members and no other, or one of several lists; `text`, `not_text`: one of
these strings, none of those; `none`: nobody of the kind, which must be said; `unknown`: what no
fact tells.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from benyfits_data.household.model import Household, Member

RELATION_WORDS = {
    "self": ("myself", "i am the applicant"),
    "spouse": ("spouse", "wife", "husband", "married"),
    "domestic partner": ("partner",),
    "child": ("child", "son", "daughter"),
    "adopted child": ("adopted",),
    "stepchild": ("step",),
    "foster child": ("foster",),
    "grandchild": ("grandchild", "grandson", "granddaughter"),
    "sibling": ("sibling", "brother", "sister"),
    "parent": ("parent", "mother", "father", "mom", "dad"),
    "grandparent": ("grandparent", "grandmother", "grandfather", "grandma", "grandpa"),
    "niece or nephew": ("niece", "nephew"),
    "cousin": ("cousin",),
    "other relative": ("relative",),
    "friend": ("friend", "roommate"),
}
_DENIAL = re.compile(r"\b(no|not|nobody|none|never|nothing|alone|neither|cannot)\b|n't\b", re.I)
_YES = re.compile(r"^\W*(yes|yeah|yep|sure|correct|right)\b", re.I)
_NO = re.compile(r"^\W*(no|nope|nobody|none|never|not)\b", re.I)
_NOTHING = re.compile(r"\b(single|unmarried|childless|unemployed|jobless|retired|without)\b", re.I)
_PARTICLE = re.compile(
    r"^\W*(yes|yeah|yep|no|nope|sure|actually|well"
    r"|((that's|that is|you're|you are) )?(not )?(right|correct|true|incorrect))\b\W*",
    re.I,
)
_MONTHS_OLD = re.compile(r"([\w-]+) months? (?:old|of age)", re.I)
_CLAUSE = re.compile(r"[.!?;:]\s+|,? (?:and|but)\b|\n")
_UNKNOWN = re.compile(
    r"not (quite )?sure|(not|n't|cannot) (know|understand)|no idea|not clear"
    r"|(cannot|can't) (say|tell|answer)|(not|n't) have (that|this|any) information",
    re.I,
)
_SPEAKER = re.compile(r"\b(i|me|myself|you)\b")
_SPEAKER_AMONG_THEM = re.compile(r"\b(me|myself|and i|i do|i am the (only|one))\b")
_EVERYONE = re.compile(r"\b(everyone|everybody|all of us|we all)\b")
_NAMING_RELATIONS = ("spouse", "domestic partner", "friend", "sibling", "parent", "grandparent")
_NUMBER = re.compile(r"\$?(\d[\d,]*(?:\.\d+)?)\s*(k\b)?", re.I)
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_SMALL = {word: value for value, word in enumerate(_ONES)}
_TENS = {
    word: 10 * tens
    for tens, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2
    )
}
_SPELLED = re.compile(rf"\b({'|'.join(_TENS)})[ -]({'|'.join(_ONES[1:10])})\b|\b([a-z]+)\b")


def first_name(member: Member) -> str:
    """Return a member's first name."""
    return member.name.split()[0]


def shows(answer: str, gold: Mapping[str, Any], household: Household) -> bool:
    """Return whether an answer shows everything that gold asks for."""
    answer = answer.replace("\u2019", "'")
    if gold.get("unknown"):
        return bool(_UNKNOWN.search(answer))
    if _UNKNOWN.search(answer):
        return False
    if gold.get("none"):
        return says_none(answer)
    lower = answer.lower()
    return (
        ("bool" not in gold or says_yes(answer) == bool(gold["bool"]))
        and ("holds" not in gold or affirms(answer) == bool(gold["holds"]))
        and ("states" not in gold or states(answer, gold["states"]))
        and ("number" not in gold or shows_number(answer, gold["number"]))
        and all(shows_number(answer, number) for number in gold.get("numbers", ()))
        and ("names" not in gold or names_one_of(answer, gold["names"], household))
        and ("text" not in gold or any(text.lower() in lower for text in gold["text"]))
        and not any(text.lower() in lower for text in gold.get("not_text", ()))
    )


def says_yes(answer: str) -> bool:
    """Return whether an answer affirms: a sentence begins with a yes, or nothing is denied.

    "I am not working. Yes, I study." affirms: of two facts joined by "or", one is so.
    """
    if any(_YES.search(sentence) for sentence in re.split(r"[.!?;]\s+", answer)):
        return True
    return not _NO.search(answer) and not _DENIAL.search(answer)


def affirms(answer: str) -> bool | None:
    """Return whether an answer to a negated question says that the fact holds, None for a bare yes.

    Its first sentence decides: "Yes, my wife has one. I do not." says that somebody has one. "You
    don't work, do you?": "No, I do" and "I do" affirm, "Yes, I don't" and "No" deny, and what "Yes"
    means nobody knows.
    """
    rest = _PARTICLE.sub("", answer)
    if rest.strip():
        return not _DENIAL.search(re.split(r"[.!?;]\s+", rest)[0])
    return False if _NO.search(answer) else None


def states(answer: str, facts: Mapping[str, bool]) -> bool:
    """Return whether for each pattern some clause that it matches affirms or denies accordingly."""
    clauses = _CLAUSE.split(answer.lower())
    return all(
        any(
            re.search(rf"\b({words})", clause) and bool(holds) != bool(_DENIAL.search(clause))
            for clause in clauses
        )
        for words, holds in facts.items()
    )


def says_none(answer: str) -> bool:
    """Return whether an answer denies, or says it in a word: "I am single", "I am retired"."""
    return bool(_DENIAL.search(answer) or _NOTHING.search(answer))


def shows_number(answer: str, number: float | None) -> bool:
    """Return whether a number stands in an answer, large ones to half a percent; None: a denial."""
    if number is None:
        return says_none(answer) or 0 in numbers_in(answer)
    if number == 0:  # a grade, or the age of a baby, which people count in months
        is_baby = re.search(r"\bmonths?\b", answer) and min(numbers_in(answer), default=12) < 12
        return "kindergarten" in answer.lower() or bool(is_baby) or 0 in numbers_in(answer)
    months = _MONTHS_OLD.search(answer)
    if months and number < 5 and number in {each // 12 for each in numbers_in(months[1])}:
        return True
    room = 0.005 * abs(number) if abs(number) >= 1000 or number != int(number) else 0
    return any(abs(each - number) <= room for each in numbers_in(answer))


def numbers_in(answer: str) -> set[float]:
    """Return the numbers of a text, in digits or, up to ninety-nine, in words."""
    found = {
        float(digits.replace(",", "")) * (1000 if thousands else 1)
        for digits, thousands in _NUMBER.findall(answer)
    }
    for tens, ones, word in _SPELLED.findall(answer.lower()):
        if tens:
            found.add(_TENS[tens] + _SMALL[ones])
        elif word in _SMALL or word in _TENS:
            found.add(_SMALL[word] if word in _SMALL else _TENS[word])
    return found


def names_one_of(
    answer: str, wanted: Sequence[int] | Sequence[Sequence[int]], household: Household
) -> bool:
    """Return whether an answer names these members, or one of several lists of them."""
    lists = [each for each in wanted if not isinstance(each, int)]
    if len(lists) == len(wanted) > 0:
        return any(names_members(answer, set(each), household) for each in lists)
    return names_members(answer, {each for each in wanted if isinstance(each, int)}, household)


def names_members(answer: str, wanted: set[int], household: Household) -> bool:
    """Return whether an answer names these members, by their numbers, and no other.

    Others than the applicant are named by first name, or by a relation that only one has. The
    applicant speaks: "I" may stand in any answer, and names the applicant only where that is asked.
    """
    lower = answer.lower()
    if len(wanted) == len(household.members) and _EVERYONE.search(lower):
        return True
    relations = [member.relation for member in household.members]
    named = set()
    for number, member in enumerate(household.members):
        words = [first_name(member)]
        if member.relation in _NAMING_RELATIONS and relations.count(member.relation) == 1:
            words += RELATION_WORDS[member.relation]
        if any(re.search(rf"\b{re.escape(word.lower())}\b", lower) for word in words):
            named.add(number)
    if (_SPEAKER if 0 in wanted else _SPEAKER_AMONG_THEM).search(lower):
        named.add(0)
    return named == wanted


def spell(number: int) -> str:
    """Return a number from 0 to 99 in words."""
    if number < len(_ONES):
        return _ONES[number]
    tens = next(word for word, value in _TENS.items() if value == number // 10 * 10)
    return f"{tens}-{_ONES[number % 10]}" if number % 10 else tens
