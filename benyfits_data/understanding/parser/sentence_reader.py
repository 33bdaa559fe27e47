"""One sentence read into queries: whole, in two questions, or without the words around it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.parser.chatter import (
    adds_nothing,
    is_chatter,
    names_program,
    tells_purpose,
    ways_without_chatter,
)
from benyfits_data.understanding.parser.clauses import read_clause
from benyfits_data.understanding.parser.counted_people import read_counted
from benyfits_data.understanding.parser.cover import AmbiguousError, NotUnderstoodError, cover
from benyfits_data.understanding.parser.joined_conditions import both_conditions, with_people_found
from benyfits_data.understanding.parser.listed_questions import choice_listed, things_of_each
from benyfits_data.understanding.parser.money_words import is_from_work
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.people_found import find_people, mark_names
from benyfits_data.understanding.parser.phrases import ADDRESSED, MEMBER, PLAIN_VERBS
from benyfits_data.understanding.parser.query import Query, evaluate
from benyfits_data.understanding.parser.question_text import (
    STARTERS,
    VERBS,
    exception_last,
    strip_courtesies,
    take_condition,
    turned_round,
    ways_to_part,
    ways_to_say,
)
from benyfits_data.understanding.parser.sentence_order import (
    as_applicant_sees,
    of_both_owners,
    subject_last,
)
from benyfits_data.understanding.parser.topics import topics
from benyfits_data.understanding.parser.whom import YOU, Context, people_of, remember
from benyfits_data.understanding.parser.words import plain

_LIMIT = (
    r"(?:the )?(?:age of |aged? )?(?:under|over|below|above|older than|younger than)"
    r"(?: the age of)? \d+"
)
_TWO_LIMITS = re.compile(
    rf"^(?P<start>(?:is|are|does|do) (?!all|every).+?) (?P<one>{_LIMIT}) or (?P<other>{_LIMIT})$"
)
ASKING_VERBS = PLAIN_VERBS | {"can", "could", "will", "would", "any"}
MOST_WORDS = 80
"""Of a sentence: its covers take the square of its words."""


def of_person_headed(
    queries: Sequence[Query], words: Sequence[str], context: Context
) -> list[Query]:
    """Return queries of nobody named as asked of whom was named before: "Now for Al. Age?"."""
    is_open = context.heading is not None and not ADDRESSED & set(words)
    if context.heading is None or not is_open or any(it.people != YOU for it in queries):
        return list(queries)
    if any(it.topic and not topics()[it.topic].of_member for it in queries):
        return list(queries)
    return [replace(query, people=context.heading) for query in queries]


def remember_all(context: Context, queries: Sequence[Query]) -> None:
    """Keep whom queries were about, so that pronouns of the next question can mean them."""
    for query in queries:
        remember(context, query)


def read_sentence(sentence: str, names: Sequence[Sequence[str]], context: Context) -> list[Query]:
    """Return the queries of one sentence; see `questions.read_question`.

    Raises:
        NotUnderstoodError: A word has no place, or the sentence is longer than `MOST_WORDS`.
    """
    if len(plain(sentence)) > MOST_WORDS:
        raise NotUnderstoodError(f"a sentence of more than {MOST_WORDS} words")
    text, is_follow_up = strip_courtesies(sentence)
    if each := _EACH_OF_THEM.match(text):
        return _of_all(read_sentence(each["asked"], names, context))
    if (moved := exception_last(text)) != text:
        try:
            return read_sentence(moved, names, context)
        except NotUnderstoodError:
            pass
    condition = text
    given, text, is_each = take_condition(text)
    if not given and (among := _AMONG_LAST.match(text)):
        given, text, condition = among["given"], among["rest"], among["among"]
    if given:
        if _LEAVES_OUT.search(given):
            raise AmbiguousError("who is left out?")  # "if the children are left out, ..."
        if _ADDS_UP.match(given):
            return _added_up(read_sentence(text, names, context), given.split())
        context = replace(context)
        is_among = re.match(r"(?:among|of|out of) ", condition) is not None
        _take_people(given, names, context, is_each=is_each, is_among=is_among)
        context.among = context.plural if is_among else None
    if limits := _TWO_LIMITS.match(text):
        one, other = (f"{limits['start']} {limits[it]}" for it in ("one", "other"))
        first_of = read_sentence(one, names, context)
        return [
            *first_of,
            *(replace(it, joint="or") for it in read_sentence(other, names, context)),
        ]
    first: NotUnderstoodError | None = None
    ways = [*ways_to_say(text), *turned_round(sentence)]
    marked = [mark_names(re.findall(r"[^\s,]+|,", way), names) for way in ways]
    for words in (*marked, *subject_last(marked[0])):
        if words[:2] == ["who", "is"] and len(words) == 3 and words[2].startswith(MEMBER):
            words = ["how", "is", words[2], "related", "to", "you"]
        words = of_both_owners(as_applicant_sees(words))
        try:
            return _read_parts(words, context, is_follow_up=is_follow_up)
        except AmbiguousError:
            raise
        except NotUnderstoodError as error:
            first = first or error
    if told := _read_defined(text, names, context):
        return told
    return _read_without_chatter(sentence, names, context, first)


_AMONG_LAST = re.compile(
    r"^(?P<rest>(?:who|which|whose|what|how|is|are|does|do|has)\b[^,]*), ?"
    r"(?P<among>(?:among|of|out of) (?P<given>(?:all )?(?:the )?"
    r"(?:those|people|ones|members|everyone) (?:who|that|with) [^,]+))$"
)
"""Those among whom somebody is looked for come last: "who earns the least, of those who work?"."""


_LEAVES_OUT = re.compile(
    r"\b(?:left|leave|leaving|set|setting) (?:\w+ ){0,3}?(?:out|aside|off)\b"
    r"|\b(?:ignor|exclud|disregard|subtract)\w*|\bnot (?:counted|counting|included|including)\b"
)


_ADDS_UP = re.compile(r"(?:i|we|you) (?:add|put|sum|total)\b")


def _added_up(queries: list[Query], given: Sequence[str]) -> list[Query]:
    """Return what is asked of what is added up: "if you add up all pay, what is earned?".

    Raises:
        AmbiguousError: Pay alone is added up, and more than that is asked for.
    """
    are_alike = all(it.topic == "annual_work_income" for it in queries)
    if is_from_work(given) and not are_alike:
        raise AmbiguousError("what is added up?")
    return queries


_DEFINED = re.compile(
    r"^(?P<asked>(?:\S+ ){2,}?\S+?),? (?:meaning|that is|by which i mean|i mean|defined as),? "
    r"(?P<what>[^\d@]+)$"
)
_OF_SOMEBODY = re.compile(r"\b(?:you|who|any\w*|some\w*|every\w*|not counting|only|except)\b")


def _read_defined(text: str, names: Sequence[Sequence[str]], context: Context) -> list[Query]:
    """Read a question that ends with what its fact means: "underemployed, meaning too few hours".

    Returns nothing where it asks for anything but a flag: what follows may narrow the rest.
    """
    match = _DEFINED.match(text)
    if match is None or _OF_SOMEBODY.search(match["what"]):
        return []
    try:
        queries = read_sentence(match["asked"], names, context)
    except NotUnderstoodError:
        return []
    is_plain = all(
        it.topic in FEATURES and topics()[it.topic].kind == "flag" and it.how in ("is", "who")
        for it in queries
    )
    return queries if is_plain and len(queries) == 1 else []


_EACH_OF_THEM = re.compile(
    r"^(?P<asked>(?!.*\bor\b).+?) ?, (?:all|each|both|every (?:single )?1) of (?:them|those)$"
)


def _of_all(queries: Sequence[Query]) -> list[Query]:
    """Return a question of some as one of all of them: "kids in school, all of them?".

    Raises:
        AmbiguousError: It is no question of several people.
    """
    (first, *rest) = queries
    if rest or first.how not in ("is", "exists") or not first.people.is_plural or not first.topic:
        raise AmbiguousError("all of whom?")
    return [replace(first, people=replace(first.people, quantifier="all"))]


def _read_parts(words: list[str], context: Context, *, is_follow_up: bool) -> list[Query]:
    """Read a sentence whole, or as two questions."""
    first: NotUnderstoodError | None = None
    if pieces := things_of_each(words):
        return _read_clauses(pieces, context, is_follow_up=is_follow_up)
    if told := choice_listed(words):
        last = context.queries[-1].people if context.queries else YOU
        is_open = last.kind not in ("you", "household") and not ADDRESSED & set(words)
        if is_open and any(topics()[it.topic or "name"].of_member for it in told):
            if context.people is None or last.is_plural:
                raise AmbiguousError("of whom?")
            told = [replace(it, people=context.people) for it in told]
        return told
    if words and context.household is not None:
        told = read_counted(
            words,
            context.household,
            lambda asked: _read_parts(asked, replace(context), is_follow_up=is_follow_up),
        )
        if told:
            return told
        told = both_conditions(
            words,
            context.household,
            lambda clause: read_clause(clause, replace(context), is_follow_up=is_follow_up),
        )
        if told:
            return told
    for clauses in ways_to_part(words) if words else ():
        try:
            told = _read_clauses(clauses, context, is_follow_up=is_follow_up)
            return _either_of(told, words) if len(clauses) > 1 else told
        except AmbiguousError:
            raise
        except NotUnderstoodError as error:
            first = first or error
    if told := _read_coordinated(words, context, is_follow_up=is_follow_up):
        return told
    if told := _read_of_some(words, context, is_follow_up=is_follow_up):
        return told
    raise first or NotUnderstoodError("no question")


def _either_of(queries: list[Query], words: Sequence[str]) -> list[Query]:
    """Return "does he work or is he disabled?" as asked whether one of the two is so."""
    are_alike = all(it.how == "is" and it.people == queries[0].people for it in queries)
    is_or = any(one == "or" and other in VERBS for one, other in pairwise(words))
    if len(queries) < 2 or not are_alike or not is_or or "and" in words:
        return queries
    return [*queries[:1], *(replace(it, joint="or") for it in queries[1:])]


def _read_of_some(words: Sequence[str], context: Context, *, is_follow_up: bool) -> list[Query]:
    """Read a question of people of whom something is so; nothing, where it is none."""
    home = context.household
    if home is None or not words:
        return []

    def read(clause: list[str]) -> list[Query]:
        return read_clause(clause, replace(context), is_follow_up=is_follow_up)

    for found in with_people_found(words, home, read):
        for clauses in ways_to_part(found):
            try:
                return _read_clauses(clauses, context, is_follow_up=is_follow_up)
            except AmbiguousError:
                return []
            except NotUnderstoodError:
                continue
    return []


def _read_coordinated(words: Sequence[str], context: Context, *, is_follow_up: bool) -> list[Query]:
    """Read two things said of one subject: "are you over 18 and a citizen?"; nothing, where not."""
    if len(words) < 2 or words[0] not in VERBS:
        return []
    subjects = [
        it
        for it in find_people(words, 1)
        if it.people.kind in ("you", "name")
        or (it.people.kind == "members" and not it.people.is_plural)
    ]
    for place in range(2, len(words) - 1) if subjects else ():
        joint = words[place]
        end = max(it.end for it in subjects)
        if joint not in ("and", "or") or place <= end or words[place + 1] in STARTERS:
            continue
        is_any = any(it.people.quantifier != "the" for it in subjects)
        if is_any and joint == "and":
            return []  # is it one who is both?
        halves = (list(words[:place]), [*words[:end], *words[place + 1 :]])
        try:
            first, second = (
                read_clause(half, context, is_follow_up=is_follow_up, before=[]) for half in halves
            )
        except NotUnderstoodError:
            continue
        if len(first) == len(second) == 1 and first[0].how == second[0].how == "is":
            return [*first, replace(second[0], joint="and" if joint == "and" else "or")]
    return []


def _read_without_chatter(
    sentence: str,
    names: Sequence[Sequence[str]],
    context: Context,
    first: NotUnderstoodError | None,
) -> list[Query]:
    """Read a sentence without words around its question, where they add nothing to it."""
    for kept, left_out in ways_without_chatter([it for it in plain(sentence) if it not in ".?!()"]):
        text, is_follow_up = strip_courtesies(" ".join(kept))
        words = mark_names(re.findall(r"[^\s,]+|,", text), names)
        try:
            queries = _read_parts(words, context, is_follow_up=is_follow_up)
        except AmbiguousError:
            break
        except NotUnderstoodError:
            continue
        pieces = [mark_names(piece, names) for piece in left_out]
        if all(
            adds_nothing(piece, queries)
            or names_program(piece, words, queries)
            or (tells_purpose(piece) and _says_of_whom(words, queries))
            for piece in pieces
        ):
            return queries
        if told := _of_heading(pieces, queries):
            return told
    raise first or NotUnderstoodError("no question")


def _says_of_whom(words: Sequence[str], queries: Sequence[Query]) -> bool:
    """Return whether a question says itself whom it is about: not "for the children: how old?"."""
    return bool(ADDRESSED & set(words)) or all(it.people != YOU for it in queries)


def _of_heading(pieces: Sequence[list[str]], queries: Sequence[Query]) -> list[Query]:
    """Return queries of "you" as asked of whom a heading names: "staying with Al: citizen?"."""
    if len(pieces) != 1 or pieces[0][-1] != ":" or any(it.people != YOU for it in queries):
        return []
    words = pieces[0]
    found = [it for place in range(len(words)) for it in find_people(words, place)[:1]]
    named = [it for it in found if it.people.kind == "name"]
    at = {place for it in found for place in range(it.start, it.end)}
    rest = [word for place, word in enumerate(words) if place not in at]
    if len(named) != 1 or len(found) != 1 or not (rest == [":"] or is_chatter(rest)):
        return []
    return [replace(query, people=named[0].people) for query in queries]


def _read_clauses(
    clauses: Sequence[list[str]], context: Context, *, is_follow_up: bool
) -> list[Query]:
    context = replace(context)
    queries: list[Query] = []
    for place, clause in enumerate(clauses, 1):
        if queries and queries[-1].topic is None and " ".join(clause) in _WHO_IS_IT:
            who = replace(queries[-1].people, quantifier="who")
            queries[-1] = replace(queries[-1], how="list", people=who)
            continue
        found = read_clause(clause, context, is_follow_up=is_follow_up, before=queries)
        if place < len(clauses) and clause[0] in _PURPOSES and any(it.topic for it in found):
            raise NotUnderstoodError("what for?")  # "to get to work, can you use the subway?"
        found = of_person_headed(found, clause, context)
        remember_all(context, found)
        is_named_first = [it.how for it in found] == ["exists"] and clause[0] not in ASKING_VERBS
        if place < len(clauses) and {"they", "them"} & set(clauses[place]):
            is_named_first |= {it.how for it in found} == {"who"} and clause[0] not in STARTERS
        if place == len(clauses) and _asks_who(queries, found) and clauses[0][0] not in VERBS:
            queries = []  # "a government employee, who is it?"
        if place == len(clauses) or not is_named_first:
            queries += found  # "your sister, does she work?" asks nothing of its first words
        elif found[0].how == "exists":
            is_plural = found[0].people.is_plural
            context.heading = replace(found[0].people, quantifier="each" if is_plural else "the")
    if len(clauses) > 1 and all(it.how == "exists" and it.people.kind == "group" for it in queries):
        raise AmbiguousError("what of them?")  # "those who own it, do they live in it?"
    return queries


_PURPOSES = frozenset(("to", "for", "because", "since", "with"))
_WHO_IS_IT = frozenset(("who", "who is", "who is it", "who is that", "who is this", "who are they"))
"""Clauses that ask who those are that were named just before."""


def _asks_who(queries: Sequence[Query], found: Sequence[Query]) -> bool:
    """Whether what was named first is what "who?" then asks for."""
    before, after = [it.topic for it in queries], [it.topic for it in found]
    return before == after and len(found) == 1 and (queries[0].how, found[0].how) == ("is", "who")


def _some_meant(words: Sequence[str], context: Context) -> People | None:
    """Return those of whom something is so, of whom a question is then asked: "of those who work".

    Nothing where words say nothing of people, or it is not understood what.
    """
    home = context.household
    said = " ".join(words)
    if home is None:
        return None
    if match := _OF_SOME.match(said):
        rest = said[match.end() :].split()
        asked = ["who", *_VERB_OF.get(match["has"] or "", []), *rest]
    elif match := _OF_SOME_OF_YOURS.match(said):
        asked = ["which", "of", *match["whom"].split(), "is", *said[match.end() :].split()]
    else:
        return None
    try:
        (query,) = read_clause(asked, replace(context, among=None))
    except (NotUnderstoodError, ValueError):
        return None
    if query.how != "who" or query.extreme or query.people.kind != "members":
        return None
    found = evaluate(query, home)
    if not found.is_known:
        return None
    only = tuple(found.answer or ())
    return People("members", "any", said="such person", is_plural=True, only=only)


_OF_SOME = re.compile(
    r"^(?:all )?(?:the )?(?:those|people|persons|ones|members|everyone|household members)"
    r"(?: (?:in|of) (?:the|your) (?:home|house|household|family)| at home| here| with you)?"
    r" (?:(?:who|that)|(?P<has>with|without)) "
)
_VERB_OF = {"with": ["has"], "without": ["is", "without"]}
_OF_SOME_OF_YOURS = re.compile(
    r"^(?P<whom>(?:your|the) (?:children|adults|sons|daughters|brothers|sisters|parents))"
    r"(?: (?:who|that))?(?: (?:is|are))? (?=(?:in|on|at|without|getting|receiving|working) )"
)


def _take_people(
    given: str,
    names: Sequence[Sequence[str]],
    context: Context,
    *,
    is_each: bool,
    is_among: bool,
) -> None:
    """Remember whom a condition names: "if you have a spouse, what is their income?".

    "For each child, which grade?" is asked of each. Of those "among" whom somebody is looked for
    every word counts.

    Raises:
        NotUnderstoodError: More is said of those among whom somebody is looked for.
    """
    words = mark_names(given.split(), names)
    if is_among and (some := _some_meant(words, context)):
        context.plural = some
        return
    try:
        parts = cover(words)
    except NotUnderstoodError:
        if is_among:
            raise
        return
    if is_among and any(part.kind not in ("people", "plain", "join") for part in parts):
        raise AmbiguousError("among whom?")  # "of those with a job, who is the oldest?"
    joined = people_of(parts, words, context) if is_among else []
    if len(joined) == 1 and joined[0].kind == "group":
        context.plural = joined[0]  # "of you and your children, who works?"
        return
    for part in parts:
        if isinstance(part.it, People) and part.it.kind not in ("you", "household"):
            people = replace(part.it, quantifier="the")
            context.people = context.plural = people
            if is_each:
                context.subject = replace(people, quantifier="each")
