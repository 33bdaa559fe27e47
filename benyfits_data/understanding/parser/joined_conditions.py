"""People of whom something is so: "the adults who work", "over 60 and not working".

Such people are found on the household while a question is read; a word of their own
(`people_words.SOME`) then stands for them, and the rest of the question is read as it would be of
any others.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.people import OWN, People
from benyfits_data.understanding.parser.people_found import find_people
from benyfits_data.understanding.parser.people_words import SOME
from benyfits_data.understanding.parser.phrases import ARTICLES
from benyfits_data.understanding.parser.query import How, Query, evaluate
from benyfits_data.understanding.parser.question_text import VERBS, WORDING

Reader = Callable[[list[str]], list[Query]]
_NOT_LAST = ARTICLES | frozenset(
    (",", "and", "or", "your", "of", "to", "for", "in", "on", "at", "half")
)
_RELATIVES = frozenset(("who", "that", "with", "without"))
_JOINTS = frozenset(("and", "but", "or"))
_LIMITS = frozenset(("over", "under", "above", "below", "at", "aged", "older", "younger"))
"""Begin a limit of age that is a condition of its own: "who is disabled and over 60?"."""
_PREDICATES = VERBS | frozenset(WORDING["counted_do"].split()) | {"no", "not", "without"}
_EVERY = {"all": ["all"], "each": ["all"], "none": ["none", "of", "the"]}
"""What is said of "everyone who works" is said of all of them."""
MOST_TRIED = 12
"""Ways to part a sentence that are read, each at the cost of a clause."""


def with_people_found(
    words: Sequence[str], household: Household, read: Reader
) -> Iterator[list[str]]:
    """Yield a sentence with "people who work" replaced by the word for those who do.

    Args:
        words: The sentence.
        household: Where they are looked for.
        read: Reads a clause into queries.
    """
    tried = 0
    for place, word in enumerate(words[:-1]):
        named = _people_ending(words, place) if word in _RELATIVES and place else None
        if named is None:
            continue
        start, people = named
        for end in range(len(words), place + 1, -1):
            if end < len(words) and words[end - 1] in _NOT_LAST:
                continue
            tried += 1
            if tried > MOST_TRIED:
                return
            asked = ["who", *(["has", "no"] if word == "without" else ["has"])]
            if word in ("who", "that"):
                asked = ["who"]
            condition = [*asked, *words[place + 1 : end]]
            rest = [*words[:start], *words[end:]]
            if not rest or (found := _who(condition, people, household, read)) is None:
                continue
            after = words[end:]
            is_cut = list(after[:2]) in (["of", "them"], ["of", "those"])
            if is_cut or {"them", "those"} & set(words[place + 1 : end]):
                continue
            if list(after[2:4]) in (["of", "them"], ["of", "those"]) and after[0] in VERBS:
                if start == 0:  # "those who work: are all of them citizens?"
                    yield [after[0], after[1], _word_for(found), *after[4:]]
                continue
            every = (
                _EVERY.get(people.quantifier, []) if start + 1 == place or people.has_home else []
            )
            yield [*words[:start], *every, _word_for(found), *words[end:]]


def _people_ending(words: Sequence[str], end: int) -> tuple[int, People] | None:
    """Return the noun that ends before a word, and where it begins."""
    for start in range(end - 1, max(-1, end - 5), -1):
        for it in find_people(words[:end], start):
            if it.end == end and it.people.kind == "members" and it.people.only is None:
                return start, it.people
    return None


def _who(
    condition: list[str], people: People, household: Household, read: Reader
) -> list[int] | None:
    """Return of whom among some people a condition is so, `None` where it is not understood."""
    try:
        queries = read(condition)
    except NotUnderstoodError:
        return None
    if len(queries) != 1 or queries[0].how not in ("who", "list") or queries[0].extreme:
        return None
    query = queries[0]
    among = replace(people, quantifier="who", is_counted=False)
    if query.people.relations or query.people.pick or query.people.kind != "members":
        return None
    if query.people.is_other:
        among = replace(among, is_other=True)
    if query.people.has_ages:
        among = replace(among, at_least=query.people.at_least, below=query.people.below)
    if people.relations == OWN and not people.members(household):
        among = replace(among, relations=(), below=18)  # nobody said whose children
    is_told = query.people.has_ages or query.people.sex or query.people.has_home
    if query.topic is None and not is_told:
        return None  # "who has": to register?
    if query.topic is None and people.relations:
        return None  # "your sister who lives with you": there may be none
    found = evaluate(replace(query, people=among), household)
    return list(found.answer) if found.is_known and found.answer is not None else None


def _word_for(members: Sequence[int]) -> str:
    return "_".join((SOME, *(str(it) for it in members or (999,))))


def both_conditions(words: Sequence[str], household: Household, read: Reader) -> list[Query]:
    """Read two conditions on some people, both or either: "who is over 60 and not working?".

    Returns nothing where a sentence is no such question.
    """
    is_asked = list(words[:2]) == ["how", "many"] or words[0] in ("who", "which", *VERBS)
    if not is_asked:
        return []
    for place in range(2, len(words) - 1):
        if words[place] not in _JOINTS or not _is_predicate(words, place + 1):
            continue
        is_either = words[place] == "or"
        if is_either and words[place + 1] not in VERBS | _LIMITS:
            continue  # things of one kind: "who is in school or in college?"
        for start in _subject_ends(words, place):
            try:
                (first,) = read(list(words[:place]))
                (second,) = read(_second(words, place, start))
            except (NotUnderstoodError, ValueError):
                continue
            join = of_either if is_either else of_both
            if told := join([first, second], household):
                return [told]
    return []


def _second(words: Sequence[str], place: int, start: int) -> list[str]:
    """Return the second condition as a question of its own, of the same subject."""
    if words[0] in VERBS and words[place + 1] in VERBS:  # "does anyone work and is over 60?"
        return [words[place + 1], *words[1:start], *words[place + 2 :]]
    return [*words[:start], *words[place + 1 :]]


def _is_predicate(words: Sequence[str], start: int) -> bool:
    """Whether a second predicate without a subject of its own begins at a word."""
    is_after_age = any(word.isdigit() for word in words[start - 2 : start - 1])
    is_age = words[start] in _LIMITS and any(word.isdigit() for word in words[start:])
    if words[start] not in _PREDICATES and not is_after_age and not is_age:
        return False
    return not any(find_people(words, at) for at in range(start, min(start + 2, len(words))))


def _subject_ends(words: Sequence[str], place: int) -> list[int]:
    """Return where the subject of a sentence may end, so that a second predicate may follow."""
    begins = 0 if words[0] not in VERBS else 2 if words[1] == "there" else 1
    # Without a limit of age too: "is anyone over 60 and disabled?".
    stops = range(begins + 1, place + 1)
    ends = sorted({it.end for stop in stops for it in find_people(words[:stop], begins)})
    if words[0] in ("who", "which"):
        ends = sorted({1, *ends})
    elif list(words[:2]) == ["how", "many"]:
        ends = ends or [4 if list(words[2:4]) == ["of", "you"] else 2]
    more = [it + 1 for it in ends if it < place and words[it] in VERBS | {"who", "that"}]
    return [it for it in (*more, *ends) if it < place]


def of_either(queries: Sequence[Query], household: Household) -> Query | None:
    """Return who they are, or how many, of whom one of several things is so."""
    hows, people = {it.how for it in queries}, [it.people for it in queries]
    is_alike = hows == {"count"} or hows <= {"who", "list"}
    is_of_same = all(
        it.kind == "members" and it.relations == people[0].relations and not it.pick
        for it in people
    )
    if not is_alike or not is_of_same or any(it.extreme or it.than for it in queries):
        return None
    found = [evaluate(replace(it, how="who" if it.topic else "list"), household) for it in queries]
    if not all(it.is_known for it in found):
        return None
    only = sorted({number for it in found for number in it.answer})
    how: How = "count" if hows == {"count"} else "list"
    return Query(how, replace(_FOUND, is_counted=how == "count", only=tuple(only)))


_FOUND = People("members", "who", said="such person", is_plural=True)


def of_both(queries: Sequence[Query], household: Household) -> Query | None:
    """Return the second question asked of those of whom the first is so."""
    first, second = queries
    is_of_age = second.comparison if second.topic == "age" else second.people.has_ages
    if second.topic in (None, "age") and is_of_age and first.topic is not None:
        first, second = second, first
    hows = {first.how, second.how}
    is_alike = len(hows) == 1 or hows <= {"is", "exists"} or hows <= {"who", "list"}
    of_some = first.people.kind in ("members", "household") and (
        first.people.is_counted or first.people.quantifier in ("any", "who")
    )
    has_own = second.people.kind in ("members", "household") and not second.comparison
    if not is_alike or not of_some or not has_own or first.extreme or second.extreme:
        return None
    if first.than or second.than or (first.how == "is" and first.is_negated):
        return None
    if first.how not in ("count", "who", "is", "exists", "list") or second.topic is None:
        return None
    people = first.people
    if people.kind == "household":
        people = People("members", "any", said="anybody", is_plural=True)
    found = evaluate(replace(first, how="who" if first.topic else "list", people=people), household)
    if not found.is_known:
        return None
    only = tuple(found.answer or ())
    narrowed = replace(people, only=only, said="such person")
    return replace(second, people=narrowed, joint="")
