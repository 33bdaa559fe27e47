"""Questions read: every word of a question must have its place, or it is not understood.

A question is covered by phrases of the lexicon, people, limits and plain words with the fewest
parts; a word that nothing covers means that something unknown is asked. So the reader may fail to
understand, but seldom misunderstands.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from benyfits_data.household.model import Household
from benyfits_data.understanding.numbers import Comparison, find_comparison, find_number
from benyfits_data.understanding.people import People, find_people, mark_names
from benyfits_data.understanding.phrases import PLAIN_VERBS, find_phrases
from benyfits_data.understanding.query import How, Query
from benyfits_data.understanding.topics import GOVERNMENT_BENEFITS, Meaning, Topic, related, topics
from benyfits_data.understanding.words import plain

_PLAIN_WORDS = frozenset(
    """
    a an the any some of in for to on at by with from as about into under
    i me my we us it its this that these those there here one ones
    please also just currently presently now today still right actually exactly approximately roughly around about
    typically usually normally generally regularly overall personally yourself yourselves own
    will would can could may might should shall
    so and or then but if too well ok okay all
    kind type sort form kinds types forms
    is are am was were be been being do does did has have had having
    get gets getting got receive receives receiving received collect collecting hold
    participate participating enrolled enroll part take taking covered under
    consider considered identify describe described qualify
    living live lives use using used able both
    including counting include count already actively current value worth
    such specific particular certain different
    time times moment present
    many much number amount
    your you household family home
    status situation details information
    """.split()
)
_ONLY_IN_VALUES = frozenset("kind type sort form kinds types forms status situation details information amount".split())
_COURTESY = re.compile(
    r"^(?:(?:hi|hello|hey|thanks|thank you|thank you for that|great|okay|ok|sure|alright|all right|got it|understood|i see|perfect|"
    r"good|next|first|firstly|finally|lastly|also|and|so|now|just to (?:confirm|clarify|be sure|double check|check)|to (?:confirm|clarify|start|begin)|"
    r"let me ask|one more (?:thing|question)|in addition|additionally|moving on|by the way|for the record|may i ask|might i ask|if you do not mind(?: me asking)?|"
    r"can i ask|could i ask|i would like to (?:know|ask)|i need to know|i want to know|i have to ask|do you know|do you happen to know|would you say(?: that)?|"
    r"(?:can|could|would|will) you (?:please |kindly )?(?:tell me|confirm|let me know|clarify|share|specify|state|say|give me|provide|describe|list|indicate|explain)|"
    r"(?:please |kindly )?(?:tell me|confirm|let me know|clarify|share|specify|state|say|give me|provide|describe|list|indicate|explain)|"
    r"i am (?:wondering|curious)|please|kindly|with me|is it (?:true|correct|right)|is it the case|am i (?:right|correct)|specifically|currently|at (?:the|this) (?:moment|time)|at present|right now|as of (?:now|today)|"
    r"do you mind telling me|would you mind telling me|what about|how about|as for|regarding|what can you tell me about)"
    r"(?: that| if| whether| about| please)?\s*,?\s*)"
)
_TAIL = re.compile(
    r"(?:,? (?:please|if you know|if so|if any|if applicable|if at all|if ever|or not|at all|right|correct|is that right|is that correct|do you know|at this time|at the moment|at present|right now|these days|as of now|as of today|currently|now|today|yes or no|too|as well|in total and on average|on average|roughly|approximately|give or take|before (?:any )?(?:taxes|tax|deductions)|if (?:there is|there are|you have|you are|they have|they are|known|any|applicable)\b[^,]*))+$"
)
_FOLLOW_UP = re.compile(r"^(?:and|what about|how about|same for|same question for|same question|as for|and what about|and how about|or)\b,?\s*(?:for )?")
_NEGATION = frozenset(("not", "never", "without", "neither", "nor"))
_PAST_PERIOD = re.compile(r"(?:in|during|over|within|for)? ?(?:the )?(?:last|past|previous) (?:calendar |tax |12 |twelve )?(?:year|months)")
_EVER = frozenset(("ever", "previously", "formerly", "past", "before", "history"))
_PERIOD = re.compile(r"(?:(?:a|per|each|every|in a|for a|by the) (?:calendar )?(?P<unit>year|month|week|day|hour)|(?P<adverb>annual|annually|yearly|monthly|weekly)|(?:on a|on an) (?P<basis>annual|yearly|monthly|weekly) basis)(?= |$)")
_PLACE = re.compile(r"(?:here )?in (?:new york city|nyc|the city|new york)(?= |$)")
_IF = re.compile(r"^if (?P<given>[^,]+), (?P<rest>.+)$")
_EXAMPLES = re.compile(r"\(?,? ?(?:such as|for example|for instance|including|like)\b(?! you)[^?)]*\)?")

Op = Literal["how many", "who", "how much", "what", "when", "how old", "list", "total", "which", "how long", "youngest", "oldest"]


class NotUnderstoodError(Exception):
    """A question, or a part of it, could not be read; `word` is the first without a place."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class Part:
    """A part of a question: `kind` names it, `it` is what was found."""

    start: int
    end: int
    kind: str
    it: object = None


@dataclass
class Context:
    """What earlier questions leave behind: the last queries and whom they were about."""

    queries: Sequence[Query] = ()
    people: People | None = None
    plural: People | None = None


YOU = People("you", said="you", is_definite=True)
EVERYBODY = People("members", "any", is_plural=True, said="anybody")


def read_question(question: str, household: Household, earlier: Sequence[str] = ()) -> list[Query]:
    """Return the queries that a question asks.

    Args:
        question: The question, which may hold several.
        household: Whose members it may name.
        earlier: Earlier questions, the last one last, for pronouns and "and your spouse?".

    Raises:
        NotUnderstoodError: A word has no place, or the parts make no query.
    """
    names = [plain(member.name) for member in household.members]
    context = Context()
    for before in earlier:
        try:
            _read(before, names, context)
        except NotUnderstoodError:
            continue
    return _read(question, names, context)


def _read(question: str, names: Sequence[Sequence[str]], context: Context) -> list[Query]:
    queries: list[Query] = []
    errors: list[NotUnderstoodError] = []
    for sentence, is_question in _sentences(question):
        about = _ABOUT.fullmatch(sentence)
        if about and queries:
            queries = _about(queries, about.group("who"), names)
            continue
        try:
            found = _read_sentence(sentence, names, context)
        except NotUnderstoodError as error:
            if is_question:
                errors.append(error)
            continue
        if not is_question and "?" in question:
            _remember(context, found)
            continue
        queries += found
        _remember(context, found)
    if errors or not queries:
        raise errors[0] if errors else NotUnderstoodError("no question")
    context.queries = queries
    return queries


_ABOUT = re.compile(r"This is about (?P<who>.+?)\.")


def _about(
    queries: Sequence[Query], who: str, names: Sequence[Sequence[str]]
) -> list[Query]:
    """Return queries with the people whom "This is about Maria Lopez." names."""
    parts = cover(mark_names(plain(who), names))
    people = [part.it for part in parts if isinstance(part.it, People)]
    if len(people) != 1:
        raise NotUnderstoodError(f"who is {who!r}?")
    return [replace(query, people=people[0]) for query in queries]


def _remember(context: Context, queries: Sequence[Query]) -> None:
    for query in queries:
        people = query.people
        if people.kind in ("you", "household", "pronoun"):
            continue
        if people.is_plural:
            context.plural = people
        else:
            context.people = people


def _sentences(question: str) -> list[tuple[str, bool]]:
    """Return the sentences of a text, each with whether it asks for something."""
    text = " ".join(question.split())
    text = re.sub(r"\b(e\.g|i\.e|u\.s|U\.S|Mr|Ms|Mrs|Dr|St)\.", lambda m: m.group(0).replace(".", "\u2024"), text)
    parts = [part.replace("\u2024", ".") for part in re.split(r"(?<=[?!])\s+|(?<=\.)\s+(?=[A-Z])|\n|;\s+", text)]
    has_mark = any("?" in part for part in parts)
    sentences = []
    for part in parts:
        if not part.strip():
            continue
        asks = part.rstrip().endswith("?") or (not has_mark)
        sentences.append((part.strip(), asks))
    return sentences


def _read_sentence(sentence: str, names: Sequence[Sequence[str]], context: Context) -> list[Query]:
    text = " ".join(word for word in plain(sentence))
    text = re.sub(r" ?[?!.:]", "", text).replace(" ,", ",").strip(" ,")
    text = re.sub(r"\(\s*(?:%s)[^)]*\)" % "such as|for example|like|including", "", text)
    is_follow_up = bool(_FOLLOW_UP.match(text))
    while True:
        shorter = _COURTESY.sub("", text).strip(" ,")
        if shorter == text or not shorter:
            break
        text = shorter
    text = _TAIL.sub("", text)
    given = _IF.match(text)
    if given:
        try:
            parts = cover(mark_names(given.group("given").split(), names))
        except NotUnderstoodError:
            parts = []
        for part in parts:
            if part.kind == "people" and isinstance(part.it, People) and part.it.kind not in ("you", "household"):
                people = replace(part.it, quantifier="the", is_definite=False)
                context.people = people
                context.plural = people
        text = given.group("rest")
    text = re.sub(r"[()]", " ", _without_examples(text))
    words = mark_names(re.findall(r"[^\s,]+|,", text), names)
    if not words:
        raise NotUnderstoodError("no question")
    for clause in _ways_to_part(words):
        queries: list[Query] = []
        try:
            for piece in clause:
                queries += read_clause(piece, context, is_follow_up=is_follow_up, before=queries)
            return queries
        except NotUnderstoodError as error:
            last = error
    raise last


def _without_examples(text: str) -> str:
    """Leave out examples of a group that was named: "benefits, such as SNAP or SSI"."""
    match = _EXAMPLES.search(text)
    if match and re.search(r"\b(benefits?|assistance|programs?|conditions?|income|sources|disabilit\w+|insurance|training|help|aid|resources|assets)\b", text[: match.start()]):
        return text[: match.start()] + " " + text[match.end() :]
    return text


_STARTERS = frozenset("what how who where when which is are do does did has have can could was were if".split())


def _ways_to_part(words: list[str]) -> list[list[list[str]]]:
    """Return ways to read a sentence: whole, and parted where a second question begins."""
    ways = [[words]]
    cuts = [
        place
        for place in range(1, len(words) - 1)
        if words[place] in ("and", ",", "or")
        and (
            words[place + 1] in _STARTERS
            or (words[place + 1] in ("and", "or", "if") and words[place + 2 : place + 3] and words[place + 2] in _STARTERS)
        )
    ]
    pieces, start = [], 0
    for cut in cuts:
        if cut > start:
            pieces.append([word for word in words[start:cut]])
        start = cut + 1
    pieces.append(words[start:])
    pieces = [
        [word for word in re.sub(r"^(?:and|or|if so|if yes|if any|so|,)\s", "", " ".join(piece)).split() if word]
        for piece in pieces
    ]
    pieces = [piece for piece in pieces if piece and piece not in (["if", "so"], ["so"])]
    if len(pieces) > 1:
        ways.append(pieces)
    return ways


_OPS: tuple[tuple[str, str], ...] = (
    (r"how many", "how many"),
    (r"(?:what is )?the (?:total )?number of|number of", "how many"),
    (r"how much(?: money| in total| total)?|what amount", "how much"),
    (r"how (?:long|far)(?: ago)?", "how long"),
    (r"when|on (?:what|which) (?:day|date)|what (?:day|date)", "when"),
    (r"(?:what|which)(?: (?:kind|type|sort|level)s? of)?(?= )", "what"),
    (r"how", "what"),
    (r"list|names? and ages?|name everyone", "list"),
    (r"in total|total|combined|altogether|together|all together|in all|sum", "total"),
    (r"each of|each|individually|separately", "each"),
)


def cover(words: Sequence[str], *, is_claim: bool = False) -> list[Part]:
    """Return the cheapest cover of a question by parts.

    Raises:
        NotUnderstoodError: No cover exists; the word is told that comes first of those uncovered.
    """
    n = len(words)
    best: list[tuple[float, list[Part]] | None] = [None] * (n + 1)
    best[0] = (0.0, [])
    reached = 0
    for start in range(n):
        if best[start] is None:
            continue
        cost, parts = best[start]  # type: ignore[misc]
        for part, price in _parts_at(words, start, is_claim=is_claim):
            total = cost + price
            old = best[part.end]
            if old is None or total < old[0] - 1e-9:
                best[part.end] = (total, [*parts, part])
        reached = max(reached, start)
    if best[n] is None:
        at = max(place for place in range(n + 1) if best[place] is not None)
        raise NotUnderstoodError(f"{words[at]!r} has no place in {' '.join(words)!r}")
    return best[n][1]  # type: ignore[index]


def _parts_at(words: Sequence[str], start: int, *, is_claim: bool = False) -> list[tuple[Part, float]]:
    text = " ".join(words[start:])
    found: list[tuple[Part, float]] = []
    for phrase in find_phrases(words, start):
        # Longer phrases are worth more: they say more precisely what is meant.
        own = phrase.end - phrase.start - len(phrase.skipped)
        price = 0.75 - 0.12 * own + 0.11 * len(phrase.skipped)
        found.append((Part(phrase.start, phrase.end, "topic", phrase), price))
    for people in find_people(words, start):
        price = {"you": 0.2, "household": 0.3}.get(people.people.kind, 0.5) - 0.01 * (people.end - people.start)
        found.append((Part(people.start, people.end, "people", people.people), price))
    comparison = find_comparison(words, start)
    if comparison is not None:
        found.append((Part(start, comparison.end, "comparison", comparison), 0.9))
    for pattern, name in _OPS:
        match = re.match(rf"(?:{pattern})(?= |$)", text)
        if match and match.group(0):
            found.append((Part(start, start + len(match.group(0).split()), "op", name), 0.3))
    for pattern, kind in ((_PAST_PERIOD, "past period"), (_PERIOD, "period"), (_PLACE, "place")):

        match = pattern.match(text)
        if match and match.group(0).strip() and re.match(r"(?= |$)", text[match.end() :]):
            said = match.groupdict()
            unit = said.get("unit") or said.get("adverb") or said.get("basis") or ""
            price = 1.2 if kind == "place" else 0.3
            found.append((Part(start, start + len(match.group(0).split()), kind, unit), price))
    number = find_number(words, start) if is_claim else None
    if number is not None:
        found.append((Part(start, number.end, "number", number), 0.4))
    word = words[start]
    if word in _NEGATION:
        found.append((Part(start, start + 1, "not"), 0.3))
    if word in _EVER:
        found.append((Part(start, start + 1, "ever", word), 0.3))
    if word in ("and", "or", ","):
        found.append((Part(start, start + 1, "join", word), 0.1))
    elif word in _PLAIN_WORDS:
        price = 0.1 if word in PLAIN_VERBS else 0.2
        found.append((Part(start, start + 1, "plain", word), price))
    return found


def read_clause(
    words: list[str],
    context: Context,
    *,
    is_follow_up: bool = False,
    before: Sequence[Query] = (),
    is_claim: bool = False,
    has_number: bool = False,
) -> list[Query]:
    """Return the queries of one clause; see `read_question`.

    Args:
        words: The clause.
        context: What earlier questions left behind.
        is_follow_up: Whether it begins with "and" or "what about".
        before: The queries of earlier clauses of the sentence.
        is_claim: Whether it is a statement, read as the question whether it is so.
        has_number: Whether a number was said, which has been taken out of the words.

    Raises:
        NotUnderstoodError: A word has no place, or the parts make no query.
    """
    parts = cover(words, is_claim=is_claim)
    topic_parts = [part for part in parts if part.kind == "topic"]
    ops = [str(part.it) for part in parts if part.kind == "op"]
    people = people_of(parts, words, context)
    comparisons = [part.it for part in parts if part.kind == "comparison"]
    comparison = comparisons[0] if comparisons else None
    if len(comparisons) > 1:
        raise NotUnderstoodError("two limits in one question")
    is_negated = sum(part.kind == "not" for part in parts) % 2 == 1
    how = _how(words, ops, people, topic_parts, comparison)
    period = _period(parts)
    last = (before or list(context.queries))[-1:] if (is_follow_up or before or not topic_parts) else []
    if not topic_parts and not comparison:
        return _without_topic(words, parts, ops, people, how, last, is_follow_up, is_negated)
    if comparison is not None and not topic_parts:
        topic = _topic_of_unit(comparison, people, last)  # type: ignore[arg-type]
        meanings = [Meaning(topic)]
    else:
        meanings = _meanings(
            topic_parts, how, words, has_limit=comparison is not None or has_number, is_claim=is_claim
        )
    _refuse_bare_nouns(parts, how, meanings)
    queries = []
    for meaning in meanings:
        topic_of = topics()[meaning.topic]
        whose = _whose(people, topic_of, words)
        if comparison is not None:
            topic_of, meaning = _fit_unit(topic_of, meaning, comparison)  # type: ignore[arg-type]
        query = Query(
            _how_of(how, topic_of, whose, meaning, ops, words),
            whose,
            topic_of.name,
            meaning.value,
            comparison,  # type: ignore[arg-type]
            is_negated,
            meaning.is_opposite,
            period,
            bool(topic_of.parts) and ({"what", "which", "list"} & set(ops) != set()),
        )
        _check_times(parts, words, topic_of)
        queries.append(_for_household(query, words))
    return queries


def _meanings(
    topic_parts: Sequence[Part], how: How | None, words: Sequence[str], *, has_limit: bool, is_claim: bool
) -> list[Meaning]:
    """Return what the phrases of a clause mean; several only where they are listed."""
    chosen: list[Meaning] = []
    for part in topic_parts:
        options = part.it.meanings  # type: ignore[attr-defined]
        chosen.append(_choose(options, "value" if has_limit else how, words))
    if len(set(chosen)) == 1:
        return chosen[:1]
    strong = [it for it in chosen if it.value or it.is_opposite or it.topic not in _WEAK]
    weak = [it for it in chosen if it not in strong]
    if any(it.topic == "government_benefits" for it in weak) and not all(
        it.topic in GOVERNMENT_BENEFITS for it in strong
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


_WEAK = frozenset({"government_benefits", "name", "household_size"})


def _are_listed(topic_parts: Sequence[Part], words: Sequence[str]) -> bool:
    for first, second in zip(topic_parts, topic_parts[1:], strict=False):
        between = words[first.end : second.start]
        if not any(word in ("and", "or", ",") for word in between):
            return False
    return True


def _choose(options: Sequence[Meaning], how: How | None, words: Sequence[str]) -> Meaning:
    if len(options) == 1:
        return options[0]
    wants_value = how in ("value", "sum")
    fitting = [
        option
        for option in options
        if (topics()[option.topic].kind != "flag" and option.value is None) == wants_value
    ]
    return (fitting or list(options))[0]


def _how(
    words: Sequence[str],
    ops: Sequence[str],
    people: Sequence[People],
    topic_parts: Sequence[Part],
    comparison: object,
) -> How | None:
    """Return how it is asked, as far as the words tell; `None` for a yes or no."""
    if any(person.quantifier == "who" for person in people) and "how many" not in ops:
        return "who"
    if "how many" in ops or any(person.is_counted for person in people):
        return "count"
    if "total" in ops and ("how much" in ops or "what" in ops or not ops[1:]):
        return "sum"
    if set(ops) & {"how much", "how old", "how long", "when", "what"}:
        return "is" if comparison is not None and "what" not in ops else "value"
    if "list" in ops:
        return "list"
    if words and words[0] in PLAIN_VERBS | {"can", "could", "will", "would"}:
        return "is"
    return None


def _how_of(
    how: How | None, topic: Topic, whose: People, meaning: Meaning, ops: Sequence[str], words: Sequence[str]
) -> How:
    if how == "count":
        is_people = whose.is_counted or whose.kind == "household" or whose.quantifier == "who"
        if topic.kind in ("number", "money") and not whose.is_counted:
            return "value"
        if whose.is_counted:
            return "count"
        if topic.name in ("dependent", "student", "veteran", "disabled") or is_people:
            return "count"
        raise NotUnderstoodError("how many of what?")
    if how == "sum":
        return "sum" if topic.kind in ("money", "number") and topic.of_member else "value"
    if how in ("who", "value", "list", "is"):
        return "value" if how == "list" else how
    # A bare noun asks for the value, of a flag whether it is so: "Your age?", "Any disability?".
    return "is" if topic.kind == "flag" or meaning.value is not None else "value"


def _whose(people: Sequence[People], topic: Topic, words: Sequence[str]) -> People:
    """Return whom a question is about where it names several: you who have, and those you have."""
    others = [it for it in people if it.kind not in ("you", "household")]
    if topic.name == "relation":
        return others[0] if others else YOU
    if topic.name == "dependent" and {"claim", "claimed"} & set(words) and len(people) > 1:
        # "Can anyone claim you": whom it is about comes last.
        return people[-1]
    if len(others) > 1:
        first, second = others[0], others[1]
        if first.quantifier == "who" or first.is_counted:
            return _narrowed(first, second)
        raise NotUnderstoodError("more than one group of people")
    if others:
        return others[0]
    if any(it.kind == "household" for it in people) and (
        not any(it.kind == "you" for it in people) or topic.of_member
    ):
        return next(it for it in people if it.kind == "household")
    return YOU


def _narrowed(first: People, second: People) -> People:
    if second.kind == "members" and not first.relations and not first.sex:
        return replace(second, quantifier=first.quantifier, is_counted=first.is_counted)
    if second.kind == "members" and not second.relations:
        return first
    raise NotUnderstoodError("more than one group of people")


def people_of(parts: Sequence[Part], words: Sequence[str], context: Context) -> list[People]:
    """Return whom a clause names, pronouns replaced by whom they mean."""
    people: list[People] = []
    found = sorted(
        [part for part in parts if part.kind == "people"] + _people_between(parts, words),
        key=lambda part: part.start,
    )
    for part in found:
        person: People = part.it  # type: ignore[assignment]
        if person.kind == "pronoun":
            others = [it for it in people if it.kind not in ("you", "household")]
            if others:
                continue
            meant = (context.plural or context.people) if person.is_plural else context.people
            if meant is None:
                raise NotUnderstoodError(f"whom does {person.said!r} mean?")
            is_several = meant.is_plural and not meant.relations
            person = replace(meant, quantifier="any" if is_several else "the", is_counted=False)
        people.append(person)
    # "you and your spouse", "you or your spouse"
    for first, second in zip(found, found[1:], strict=False):
        between = list(words[first.end : second.start])
        if between in (["and"], ["or"]):
            return [_union(people, first.it, second.it, between[0])]  # type: ignore[arg-type]
    return people


def _people_between(parts: Sequence[Part], words: Sequence[str]) -> list[Part]:
    """Return the people whose words stand inside a phrase: "how much rent do you pay"."""
    found: list[Part] = []
    for part in parts:
        if part.kind != "topic":
            continue
        skipped = set(part.it.skipped)  # type: ignore[attr-defined]
        for place in sorted(skipped):
            if found and place < found[-1].end:
                continue
            end = place
            while end in skipped:
                end += 1
            named = [it for it in find_people(words[:end], place) if it.end <= end]
            if named:
                found.append(Part(place, named[0].end, "people", named[0].people))
    return found


def _union(people: Sequence[People], first: People, second: People, joint: str) -> People:
    kinds = [it for it in (first, second) if it.kind == "you"]
    members = [it for it in (first, second) if it.kind == "members"]
    if len(people) > 2:
        raise NotUnderstoodError("more than two groups of people")
    quantifier = "any" if joint == "or" else "all"
    if len(kinds) == 1 and len(members) == 1 and members[0].relations and not members[0].sex and not members[0].below:
        return replace(
            members[0],
            quantifier=quantifier,  # type: ignore[arg-type]
            relations=("self", *members[0].relations),
            is_plural=True,
            is_definite=False,
        )
    if len(kinds) == 1 and len(members) == 1 and not members[0].relations:
        return replace(members[0], quantifier="any" if joint == "or" else "all", is_other=False)
    if len(members) == 2 and all(it.relations and not it.sex and not it.pick for it in members):
        return replace(
            members[0],
            quantifier=quantifier,  # type: ignore[arg-type]
            relations=(*members[0].relations, *members[1].relations),
            is_plural=True,
        )
    if first.kind == second.kind == "you":
        return YOU
    raise NotUnderstoodError("these people together")


def _without_topic(
    words: Sequence[str],
    parts: Sequence[Part],
    ops: Sequence[str],
    people: Sequence[People],
    how: How | None,
    last: Sequence[Query],
    is_follow_up: bool,
    is_negated: bool,
) -> list[Query]:
    """Read a question about people alone, or one that goes on with the last topic."""
    others = [it for it in people if it.kind not in ("you", "household")]
    if is_follow_up and last and (others or people) and not ops:
        person = (others or list(people))[0]
        return [replace(last[-1], people=person)]
    if last and not others and ops in (["how much"], ["how many"], ["how long"], ["how old"]) and last[-1].topic:
        return [replace(last[-1], how="value", people=replace(last[-1].people, quantifier="the"))]
    if last and [it.kind for it in others] == ["members"] and others[0].said in ("who", "which of you") and last[-1].topic:
        return [replace(last[-1], how="who", people=others[0])]
    lives = bool({"live", "lives", "living"} & set(words))
    if not others:
        if how == "count" and any(it.kind == "household" for it in people):
            return [Query("value", YOU, "household_size")]
        if how == "count" and lives:
            return [Query("value", YOU, "household_size")]
        raise NotUnderstoodError("nothing is asked about")
    if len(others) > 1:
        if others[0].quantifier == "who" or others[0].is_counted:
            person = _narrowed(others[0], others[1])
        else:
            raise NotUnderstoodError("more than one group of people")
    else:
        person = others[0]
    if person.kind == "name" and how != "is":
        raise NotUnderstoodError("nothing is asked about")
    if person.is_counted or how == "count":
        return [Query("count", replace(person, is_counted=True))]
    if person.quantifier == "who" or how in ("who", "value", "list"):
        if how == "value" and not ({"what", "list"} & set(ops)):
            raise NotUnderstoodError("nothing is asked about")
        return [Query("list", replace(person, quantifier="who"))]
    if words[0] in ("do", "does", "is", "are", "have", "has"):
        return [Query("exists", replace(person, quantifier="any", is_definite=False), is_negated=is_negated)]
    raise NotUnderstoodError("nothing is asked about")


_UNITS = {"hour": "work_hours_per_week", "year": "age", "yr": "age", "college": "college_credits", "credit": "college_credits"}


def _topic_of_unit(comparison: Comparison, people: Sequence[People], last: Sequence[Query]) -> str:
    for unit, topic in _UNITS.items():
        if comparison.unit.startswith(unit):
            return topic
    if comparison.unit.startswith(("people", "person", "member")):
        return "household_size"
    if last and last[-1].topic and topics()[last[-1].topic].kind in ("number", "money"):
        return last[-1].topic
    if comparison.is_of_age:
        return "age"
    raise NotUnderstoodError("a limit of what?")


def _fit_unit(topic: Topic, meaning: Meaning, comparison: Comparison) -> tuple[Topic, Meaning]:
    """Return the topic that a limit's unit belongs to: "work 20 hours" is about hours."""
    unit = comparison.unit
    if topic.kind == "flag" or meaning.value is not None:
        swaps = {
            ("employed", "hour"): "work_hours_per_week",
            ("pregnant", "week"): "weeks_pregnant",
            ("pregnant", "month"): "months_pregnant",
            ("owns_home", "month"): "months_owned_property",
        }
        for (name, start), other in swaps.items():
            if topic.name == name and unit.startswith(start):
                return topics()[other], Meaning(other)
        raise NotUnderstoodError(f"{topic.name} has no amount")
    if topic.kind not in ("number", "money"):
        raise NotUnderstoodError(f"{topic.name} has no amount")
    stated = topic.unit or ""
    if unit and topic.kind == "number" and not unit.startswith(stated[:4]) and topic.name != "household_size":
        raise NotUnderstoodError(f"{topic.name} is not counted in {unit}")
    if comparison.is_money and topic.kind != "money":
        raise NotUnderstoodError(f"{topic.name} is no amount of money")
    return topic, meaning


def _period(parts: Sequence[Part]) -> str:
    for part in parts:
        if part.kind == "period":
            word = str(part.it)
            if word.startswith("month"):
                return "month"
            if word.startswith(("year", "annual")):
                return "year"
    return ""


def _check_times(parts: Sequence[Part], words: Sequence[str], topic: Topic) -> None:
    """Refuse what was where only what is can be known."""
    if any(part.kind in ("past period", "ever") for part in parts) and not topic.is_past:
        raise NotUnderstoodError(f"the past of {topic.name} is not known")
    if words and words[0] == "did" and not topic.is_past:
        raise NotUnderstoodError(f"the past of {topic.name} is not known")
    if "will" in words and words[0] == "will":
        raise NotUnderstoodError("the future is not known")


def _refuse_bare_nouns(parts: Sequence[Part], how: How | None, meanings: Sequence[Meaning]) -> None:
    """Refuse words that ask for a kind or detail that no topic took in."""
    for part in parts:
        if part.kind == "plain" and part.it in _ONLY_IN_VALUES and part.it not in ("status", "amount"):
            if part.it in ("kind", "type", "sort", "kinds", "types") and any(
                topics()[it.topic].parts or topics()[it.topic].kind == "choice" for it in meanings
            ):
                continue
            raise NotUnderstoodError(f"{part.it!r} of what?")


def _for_household(query: Query, words: Sequence[str]) -> Query:
    """Ask for the household's income where the question names the household."""
    if query.people.kind == "household" and query.topic == "income" and query.how in ("value", "is", "sum"):
        return replace(query, topic="household_income", how="is" if query.how == "is" else "value")
    if query.people.kind == "household" and query.topic == "annual_work_income" and query.how == "value":
        return replace(query, how="sum")
    if query.people.kind == "household" and query.topic is not None and topics()[query.topic].of_member:
        if query.how == "is":
            return replace(query, people=replace(EVERYBODY, said=query.people.said))
    return query
