"""Income spoken of in any order: "what do the two of you bring home from your jobs together?".

Where no phrase of the lexicon covers a clause, words of money alone may: those of work, of other
sources, or of any income. What they name together is one amount.
"""

import re
from collections.abc import Sequence

from benyfits_data.understanding.parser.question_text import WORDING
from benyfits_data.understanding.parser.topics import Meaning

_TABLE: dict[str, str] = WORDING["money"]
_EARNED, _OTHER, _ANY, _ASIDE, _LEAVING_OUT, _PLACE = (
    frozenset(_TABLE[name].split())
    for name in ("earned", "other", "any", "aside", "leaving_out", "place")
)
_OF_MONEY = _EARNED | _OTHER | _ANY
_WORD_OF_MONEY = _OF_MONEY | _ASIDE
_NOT_BEFORE_PAY = frozenset(("you", "to", "do", "does", "they", "we", "not", "who"))


def is_of_money(words: Sequence[str], place: int) -> bool:
    """Return whether a word speaks of income, or of income coming in."""
    word, before, after = words[place], words[place - 1 : place], words[place + 1 : place + 2]
    if word in ("pay", "pays"):  # income where somebody gets it, costs where somebody gives it
        return after == ["you"] or (before != [] and before[0] not in _NOT_BEFORE_PAY)
    if word == "paid":
        return bool({"is", "are", "get", "gets"} & set(words))
    return word in _WORD_OF_MONEY


_FROM_WORK = re.compile(
    r"\b(?:from|at|in|of|through) (?:\S+ ){0,3}?"
    r"(?:jobs?|work|working|employment|wages|paychecks?)\b"
)


def is_from_work(words: Sequence[str]) -> bool:
    """Return whether income is said to be that from work: "bring home from your job"."""
    return (
        not set(words) & _LEAVING_OUT
        and not set(words) & (_OTHER | {"not", "or", "and"})
        and (_FROM_WORK.search(" ".join(words)) is not None or "earned" in words)
    )


def meaning_of_money(words: Sequence[str], said: Sequence[str]) -> Meaning | None:
    """Return the income that words name, `None` where they name none.

    Args:
        words: The clause.
        said: Its words that `is_of_money`.
    """
    named = set(said)
    comes_in = named & {"come", "comes", "coming"} and named & {"in", "into"}
    if set(words) & _LEAVING_OUT or not (named & _OF_MONEY or comes_in):
        return None
    if named <= _PLACE and not {"much", "amount"} & set(words):
        return None
    is_earned, is_other = bool(named & _EARNED), bool(named & _OTHER)
    if is_earned and is_other:
        return Meaning("income")
    if is_other:
        return Meaning("annual_investment_income")
    return Meaning("annual_work_income" if is_earned else "income")
