"""What a clause is about: the topics that its phrases mean."""

import re
from collections.abc import Sequence
from itertools import pairwise

from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.parser.cover import ClausePart, NotUnderstoodError
from benyfits_data.understanding.parser.phrases import Found
from benyfits_data.understanding.parser.query import How
from benyfits_data.understanding.parser.topics import Meaning, related, topics

_WEAK = frozenset({"government_benefits", "name", "household_size"})
_BROAD_IN = {"employed": "work", "student": "school"}
_BROAD = frozenset({"employed", "student", "in_shelter", "homeless", "owns_home"})


def meanings_of(
    topic_parts: Sequence[ClausePart],
    how: How | None,
    words: Sequence[str],
    *,
    has_limit: bool,
    is_claim: bool,
) -> list[Meaning]:
    """Return what the phrases of a clause mean; several only where they are listed."""
    wanted = "value" if has_limit else how
    found = [it.it for it in topic_parts if isinstance(it.it, Found)]
    chosen = [choose(it.meanings, wanted) for it in found]
    if _are_listed_alone(topic_parts, words):
        chosen = [_part_meant(it, one) for it, one in zip(found, chosen, strict=True)]
    if len(set(chosen)) == 1:
        return chosen[:1]
    shared = set.intersection(*(related(it.topic) for it in chosen))
    if shared and not _are_listed(topic_parts, words) and not is_claim:
        # "How many hours do you work": the narrower of two things that say the same.
        narrow = [it for it in chosen if it.topic not in _BROAD]
        if len({it.topic for it in narrow}) == 1:
            return narrow[:1]
    if (named := _of_one_kind(chosen)) and not _are_listed(topic_parts, words) and not is_claim:
        return [named]
    is_open = any(it.topic == "not_known" for it in chosen)
    if is_open and (is_claim or not _are_listed(topic_parts, words)):
        raise NotUnderstoodError("a part of this is not known")
    for it in chosen:
        parts_of = topics()[it.topic].parts
        rest = [other for other in chosen if other != it]
        if parts_of and rest and all(other.topic in parts_of for other in rest):
            if it == chosen[-1] and "or" in words and not is_claim:
                return [it]  # "a disability or any health condition"
            return list(dict.fromkeys(rest))  # "a disability payment, that is SSI or SSDI"
    strong = [it for it in chosen if it.value or it.is_opposite or it.topic not in _WEAK]
    weak = [it for it in chosen if it not in strong]
    if any(it.topic == "government_benefits" for it in weak) and not all(
        it.topic in topics()["government_benefits"].parts for it in strong
    ):
        raise NotUnderstoodError("benefits of a kind that is not known")
    if is_claim and len(set.intersection(*(related(it.topic) for it in chosen))):
        # One statement of two things: "I rent a rent controlled apartment".
        return list(dict.fromkeys(chosen))
    if strong and weak and not _are_listed(topic_parts, words):
        if len(strong) == 1:
            return strong
        raise NotUnderstoodError("more than one thing is asked at once")
    if not _are_listed(topic_parts, words):
        raise NotUnderstoodError("more than one thing is asked at once")
    return list(dict.fromkeys(chosen))


def _of_one_kind(chosen: Sequence[Meaning]) -> Meaning | None:
    """Return the narrower of things of one kind: "a job" where "a job with the government" is."""
    narrow = {it for it in chosen if it.topic not in _BROAD_IN}
    if len(narrow) != 1:
        return None
    (named,) = narrow
    kind = FEATURES[named.topic].topic if named.topic in FEATURES else ""
    is_so = all(_BROAD_IN[it.topic] == kind and it.value is None for it in chosen if it != named)
    return named if is_so and not any(it.is_opposite for it in chosen) else None


def _are_listed(topic_parts: Sequence[ClausePart], words: Sequence[str]) -> bool:
    for first, second in pairwise(topic_parts):
        between = " ".join(words[first.end : second.start])
        between = re.sub(r"\byou (?:and|or) (?:your )?\w+", "", between)
        if not re.search(r"\b(?:and|or)\b|,", between):
            return False
    return True


def _are_listed_alone(topic_parts: Sequence[ClausePart], words: Sequence[str]) -> bool:
    """Whether things follow each other with nothing but what joins them: "welfare, SSI or SNAP"."""
    joints = ([","], ["or"], ["and"], [",", "or"], [",", "and"])
    return len(topic_parts) > 1 and all(
        list(words[one.end : other.start]) in joints for one, other in pairwise(topic_parts)
    )


def _part_meant(found: Found, chosen: Meaning) -> Meaning:
    """Return a thing of a list as the part of a group that its words may name, not the group."""
    parts = topics()[chosen.topic].parts
    return next((it for it in found.meanings if it.topic in parts), chosen)


def choose(options: Sequence[Meaning], how: How | None) -> Meaning:
    """Return which of several meanings of a phrase fits how it is asked."""
    if len(options) == 1:
        return options[0]
    wants_value = how in ("value", "sum", "list")
    fitting = [
        option
        for option in options
        if (topics()[option.topic].kind != "flag" and option.value is None) == wants_value
    ]
    return (fitting or list(options))[0]
