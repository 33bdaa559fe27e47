"""Questions read into queries: whom, what and how, over the household.

A question is covered by phrases of the lexicon, people, limits and plain words; a word that
nothing covers means that something unknown is asked. So the reader may fail to understand, but
seldom misunderstands.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.chatter import (
    asks_nothing,
    is_limiting,
    is_of_you_alone,
    is_other_thing,
    says_more,
)
from benyfits_data.understanding.parser.cover import NotUnderstoodError, UnknownTimeError, cover
from benyfits_data.understanding.parser.fact_words import values_named
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.people_asked import thing_said
from benyfits_data.understanding.parser.people_found import find_people, mark_names
from benyfits_data.understanding.parser.phrases import ADDRESSED
from benyfits_data.understanding.parser.query import Query
from benyfits_data.understanding.parser.question_text import (
    VERBS,
    is_courtesy,
)
from benyfits_data.understanding.parser.sentence_reader import (
    of_person_headed,
    read_sentence,
    remember_all,
)
from benyfits_data.understanding.parser.text_sentences import sentences
from benyfits_data.understanding.parser.topics import topics
from benyfits_data.understanding.parser.whom import UNKNOWN, YOU, Context
from benyfits_data.understanding.parser.words import plain

MOST_CHARACTERS = 2_000
"""Of a question: the longest of eight banks has 37 words. Longer texts would only cost time."""
_ABOUT = re.compile(r"This is about (?P<who>.+?)\.")


def read_question(question: str, household: Household, earlier: Sequence[str] = ()) -> list[Query]:
    """Return the queries that a question asks.

    Args:
        question: The question, which may hold several.
        household: Whose members it may name.
        earlier: Earlier questions, the last one last, for pronouns and "and your spouse?".

    Raises:
        NotUnderstoodError: A word has no place, the parts make no query, or the text is longer
            than `MOST_CHARACTERS` or one of its sentences than `MOST_WORDS`.
    """
    names = [plain(member.name) for member in household.members]
    context = Context(household=household)
    for before in earlier:
        try:
            _read(before, names, context)
            context.is_lost = False
        except NotUnderstoodError:
            context = Context(household=household, is_lost=True)
    return _read(question, names, context)


def _read(question: str, names: Sequence[Sequence[str]], context: Context) -> list[Query]:
    if len(question) > MOST_CHARACTERS:
        raise NotUnderstoodError(f"{len(question)} characters are more than a question has")
    queries: list[Query] = []
    errors: list[NotUnderstoodError] = []
    before = replace(context)
    for sentence, is_question in _asking(question, names):
        if is_courtesy(sentence):
            continue
        about = _ABOUT.fullmatch(sentence)
        if about and queries:
            queries = _about(queries, about.group("who"), names)
            continue
        try:
            found = read_sentence(sentence, names, context)
            _refuse_open_heading(found, plain(sentence), context)
        except NotUnderstoodError as error:
            if is_question and isinstance(error, UnknownTimeError):
                queries.append(UNKNOWN)
            elif is_question:
                errors.append(error)
            elif queries:
                if told := _with_more(question, sentence, names, before, queries):
                    return told
                errors += _limiting(sentence, names, queries)
            else:
                _spoken_of(sentence, names, context)
            context.is_missed = not is_question
            continue
        found = of_person_headed(found, plain(sentence), context)
        if not is_question and "?" in question:
            remember_all(context, found)
            if not any(it.topic for it in found):
                _spoken_of(sentence, names, context)
            elif not queries and len(found) == 1 and found[0].how == "is":
                context.keep(found)  # "You're out of work. How many months has it been?"
            context.is_missed = any(it.topic for it in found)
            if queries:
                errors += _limiting(sentence, names, queries)
            continue
        found = [_of_home(_as_whether(it, sentence)) for it in found]
        _refuse_members(found)
        _refuse_values(found, plain(sentence))
        queries += found
        remember_all(context, found)
        context.keep(found)
    if errors or not queries:
        raise errors[0] if errors else NotUnderstoodError("no question")
    context.queries = queries
    return queries


def _asking(question: str, names: Sequence[Sequence[str]]) -> list[tuple[str, bool]]:
    """Return sentences, without "what should I write there?": what stands before it is asked."""
    told = _with_what_was_said(list(sentences(question)))
    kept = [it for it in told if not asks_nothing(mark_names(plain(it[0]), names))]
    if kept and len(kept) < len(told) and not any(asks for _, asks in kept):
        return [(sentence, True) for sentence, _ in kept]
    return kept or told


_IS_IT_SO = re.compile(
    r"^(?:and |so )*(?:is|was) (?:that|this|it)(?: all)?(?: still)? "
    r"(?:right|correct|so|true|accurate|the case|your (?:\w+ )?(?:age|income|rent|grade|name))"
    r"(?:,? or (?:not|no|am i wrong|is that wrong))?(?:,? please)?$|^(?:is that )?a yes$"
    r"|^(?:am i|do i have (?:that|this|it)|did i get (?:that|this|it)) (?:right|correct)$"
    r"|^(?:right|correct|true|yes or no)$"
)


def _with_what_was_said(told: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Return sentences with "You are 47. Is that right?" as what the first of them asks."""
    kept: list[tuple[str, bool]] = []
    for sentence, asks in told:
        text = " ".join(word for word in plain(sentence) if word not in "?!.")
        if kept and asks and not kept[-1][1] and _IS_IT_SO.fullmatch(text.replace(" ,", ",")):
            kept[-1] = (f"{kept[-1][0].rstrip('. ')}?", True)
        else:
            kept.append((sentence, asks))
    return kept


def _with_more(
    question: str,
    sentence: str,
    names: Sequence[Sequence[str]],
    before: Context,
    queries: Sequence[Query],
) -> list[Query]:
    """Return what is asked with a sentence that says more of it: "You earn over 30k? Job only."."""
    first, found, rest = question.partition(sentence)
    words = mark_names(plain(sentence), names)
    if not found or rest.strip() or not (is_limiting(words) or says_more(words, queries)):
        return []
    text = f"{first.strip().rstrip('?.! ')}, {sentence.rstrip('?.! ')}?"
    if len(list(sentences(text))) > 1:
        return []
    try:
        return read_sentence(text, names, before)
    except NotUnderstoodError:
        return []


def _spoken_of(sentence: str, names: Sequence[Sequence[str]], context: Context) -> None:
    """Remember the one person whom words before a question name: "Next, your spouse."."""
    words = mark_names(plain(sentence), names)
    context.said = thing_said(words)
    named: set[People] = set()
    if words[:1] == ["not"] and {"mean", "meant"} & set(words):
        words = words[max(words.index(it) for it in ("mean", "meant") if it in words) :]
    place = 0
    while place < len(words):
        found = find_people(words, place)
        longest = max(found, key=lambda it: it.end, default=None)
        if longest and longest.people.kind not in ("you", "pronoun"):
            named.add(longest.people)
        place = longest.end if longest else place + 1
    context.is_heading_open = len(named) > 1
    one = named.pop() if len(named) == 1 else None
    if one is not None and (one.kind == "name" or (one.relations and not one.is_plural)):
        context.people = context.heading = one


def _as_whether(query: Query, question: str) -> Query:
    """Return "are you a citizen or national?" as asking whether that is so: it is one value."""
    words = plain(question)
    topic = topics()[query.topic] if query.topic else None
    if query.how != "value" or query.value or topic is None or topic.kind != "choice":
        return query
    if not words or words[0] not in VERBS or topic.name not in FEATURES:
        return query
    values = [it for it in FEATURES[topic.name].choices if "_or_" in it]
    named = [it for it in values if all(word in words for word in it.split("_or_"))]
    return replace(query, how="is", value=named[0]) if len(named) == 1 else query


def _of_home(query: Query) -> Query:
    """Return "only you, nobody else?" as asking whether you live alone."""
    is_alone = query.topic == "lives_alone" and query.people.quantifier == "none"
    return replace(query, people=YOU, is_negated=False) if is_alone else query


def _refuse_members(queries: Sequence[Query]) -> None:
    """Refuse to tell of which members a fact of the household is so."""
    for it in queries:
        is_of_home = it.topic and it.topic != "household_size" and not topics()[it.topic].of_member
        if it.how in ("who", "count") and is_of_home:
            raise NotUnderstoodError(f"which members, of {it.topic}?")


def _refuse_values(queries: Sequence[Query], words: Sequence[str]) -> None:
    """Refuse to tell whether one of two values is so of any: "does any child go to A or B?"."""
    for it in queries:
        is_whether = it.how in ("is", "exists") and it.topic and it.value is None
        if not is_whether or "or" not in words or topics()[it.topic or ""].kind != "choice":
            continue
        if it.people.quantifier != "the" and len(values_named(words, it.topic or "")) > 1:
            raise NotUnderstoodError("one of these values?")


_BARE = 6
"""Words and marks of a question that names nobody: it is of whom words before it named."""


def _refuse_open_heading(queries: Sequence[Query], words: Sequence[str], context: Context) -> None:
    """Refuse "Al is one, Jo is the other. What grade?", where nobody is named by himself."""
    if not context.is_heading_open or len(words) > _BARE or ADDRESSED & set(words):
        return
    if any(it.people == YOU and topics()[it.topic or "name"].of_member for it in queries):
        raise NotUnderstoodError("of which of them?")


def _limiting(
    sentence: str, names: Sequence[Sequence[str]], queries: Sequence[Query]
) -> list[NotUnderstoodError]:
    """Return an error where a sentence after a question says more of what was asked."""
    words = mark_names(plain(sentence), names)
    if is_of_you_alone(words, queries) or is_other_thing(words, queries):
        return []
    if is_limiting(words) or says_more(words, queries):
        return [NotUnderstoodError(f"what does {sentence!r} ask?")]
    return []


def _about(queries: Sequence[Query], who: str, names: Sequence[Sequence[str]]) -> list[Query]:
    """Return queries with the people whom "This is about Maria Lopez." names."""
    parts = cover(mark_names(plain(who), names))
    people = [part.it for part in parts if isinstance(part.it, People)]
    if len(people) != 1:
        raise NotUnderstoodError(f"who is {who!r}?")
    return [replace(query, people=people[0]) for query in queries]
