"""One clause of an answer taken in: as people, a number, or a statement with its own topic."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benyfits_data.understanding.parser.answer_people import (
    are_members,
    are_named,
    asks_of_home,
    is_a_year_old,
    some_of_those_counted,
    with_people_named,
)
from benyfits_data.understanding.parser.answer_words import (
    ABOUT_WORDS,
    DENIALS,
    NAMED,
    SMALL_TALK,
    THE_REST,
    as_asked,
    number_last,
    swapped,
)
from benyfits_data.understanding.parser.claim_notes import PEOPLE_TOPICS, ClaimNotes
from benyfits_data.understanding.parser.comparison_claims import (
    ranked,
    take_comparison,
    take_difference,
)
from benyfits_data.understanding.parser.cover import (
    ClausePart,
    NotUnderstoodError,
    cover,
    is_denied,
)
from benyfits_data.understanding.parser.fact_words import facts_of
from benyfits_data.understanding.parser.implied import in_plain_words
from benyfits_data.understanding.parser.number_claims import (
    SMALLEST_AMOUNT,
    counts_people,
    take_number,
    take_numbers,
)
from benyfits_data.understanding.parser.numbers import Comparison
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.people_claims import take_age, take_holders, take_kin
from benyfits_data.understanding.parser.people_found import mark_names
from benyfits_data.understanding.parser.query import Evaluation, Query
from benyfits_data.understanding.parser.question_text import FACT_WORDS, VERBS
from benyfits_data.understanding.parser.statement_claims import take_statement
from benyfits_data.understanding.parser.topics import related, topics
from benyfits_data.understanding.parser.whom import (
    EVERYBODY,
    SPOUSE,
    UNKNOWN,
    YOU,
    Context,
    people_of,
)
from benyfits_data.understanding.parser.words import stem

_LOST = [Query("is", YOU, "lost_job")]
_FEWEST_BESIDE = 3
"""Words of a clause that tells a fact that was not asked for."""
_ELSEWHERE = frozenset(("it", "that", "this", "them", "they", "those", "these", "1"))
_NOUNS = FACT_WORDS | {"house", "apartment", "place", "family", "situation", "status", "time"}
_QUALITIES = {"typical", "normal", "usual", "different", "specific", "particular", "certain"}
"""Predicates of their own: "no partner is typical" leaves nothing to be filled in."""


_PLAIN_KINDS = {"people", "plain", "not", "join"}
_AGAIN = re.compile(
    r"(?<=\w) (?:every|each) (?:single )?(?:month|week|year|day)\b(?: of (?:the|every|each) \w+)?"
)
"""Says nothing where no number is said: "I get SSI every month"."""
_ONLY_THEY = re.compile(r"^(?:it is )?(?:only|just) (?!\$?\d|what )")
"""Leaves out everybody else: "only I work", where "I only work" does not."""
_THE_REST = re.compile(
    rf"\b(?:{THE_REST}|"
    r"every(?:one|body) else|all (?:the )?others|"
    r"^anyone else(?= (?:do|does|is|are|has|have)))"
    r"(?: here| at home| in (?:my|the|our) (?:household|home|family|house))?\b"
)
_CONJUNCTION = re.compile(r"^(?:and|but|so|also|although|though|because|since|while|whereas) ")
_ABOUT_THEM = re.compile(r"^(?:(?:(?:it|this|that) is )?about|you ask(?:ed)? about) (?!\$?\d)")
_LIVES_HERE = re.compile(r"\blives?(?: here)?(?: with (?:me|us|my household))?(?: too)?$")
_IT_IS = re.compile(r"(?:it|that|this) is (?:about )?\$?\d")
_ECHOED = re.compile(
    r"(?:yes |no )?(?:i|we|you) (?P<verb>do|did|am|are|have|can|will)(?P<not> not)?"
    r"(?: so| indeed| that)?"
)
_STUDIES = re.compile(r"^(?:\w+ is )?(?:doing|studying|majoring in|learning|taking) (?!care)\w+$")
"""What somebody studies: "doing nursing" says nothing of a baby."""
_NO_NEED = re.compile(r"\b(?:do|does|did) not (?:have|need|want|get) to$")
"""Whoever need not do something may do it."""
_NOT_JUST = re.compile(r"\b(do|does|am|is|are|have|has) not (?:just|only|merely|simply) (?=[a-z])")
"""Denies that it is all, and not that it is so: "I don't just work, I run the place"."""
_IT_WORKS = re.compile(
    r"(?:it |that |and )?(?:(?:still|also) )*works?"
    r"(?: (?:just|fine|well|ok|okay|great|perfectly|now|too))*"
)
"""Said of a thing that was told of, and not of a job."""
_VERB_AGAIN = re.compile(
    r"(?P<who>\w+(?: \w+){0,2}?) (?:(?P<do>do|does|did)(?P<not> not)? )?(?P<verb>[a-z]+)"
    r"(?: (?:there|it|yet|already|too|here|now|either|at all))*"
)
_PRONOUNS = frozenset(("i", "he", "she", "they"))
_AS_I_DO = re.compile(r"(?<= than )(\w+) (?:do|does|am|is|are|did)$")
_OF_US = re.compile(
    r"(?:all )?(\d+) people in your household(?: (?:do|does|are|is|have|has|can))?$"
)


def _is_of_others(notes: ClaimNotes, verb: str) -> bool:
    """Whether "you" were asked, with such a verb, of something that is a fact of others."""
    asked = [it for it in notes.queries if it.topic and it.people.quantifier == "the"]
    is_same = ("are" if verb == "am" else verb) == notes.asked_you_with
    are_others = all(0 not in notes.asked_of(it) and it.people.kind != "household" for it in asked)
    return is_same and bool(asked) and len(asked) == len(notes.queries) and are_others


def take_clause(notes: ClaimNotes, text: str) -> bool:
    """Take in one clause, or what it implies; return whether it was understood."""
    text = with_people_named(_with_the_rest(notes, _CONJUNCTION.sub("", text)), notes)
    if not re.search(r"\d", text):
        text = _AGAIN.sub("", text)
    if _IT_IS.match(text) and {it.topic for it in notes.queries} == {UNKNOWN.topic}:
        return False  # "how old is your car?" "It's 12."
    if (echoed := _ECHOED.fullmatch(text)) and _is_of_others(notes, echoed["verb"]):
        notes.polarity(not echoed["not"], text)
        return True  # "do you pay somebody for your child?" "We do."
    if _NO_NEED.search(text):
        return True
    text = _NOT_JUST.sub(r"\1 ", text)
    if _IT_WORKS.fullmatch(text) and not any(
        "employed" in related(it.topic or "") for it in notes.queries
    ):
        return True
    if _STUDIES.match(text):
        return False
    if take_difference(notes, text):
        return True
    text = ranked(notes, _AS_I_DO.sub(r"\1", text))
    implied = in_plain_words(text, notes.queries)
    is_later = bool(notes.claims)
    if implied is None or not _take_told(notes, implied[0]):
        again = _with_verb_asked(notes, text)
        return _take_told(notes, text) or (again != text and _take_told(notes, again))
    if implied[1] and is_later and not take_beside(notes, text):
        notes.invented.append(text)
    return True


def take_beside(notes: ClaimNotes, text: str) -> bool:
    """Take in what a clause tells beside what was asked, if a fact bears it out: "I lost my job".

    It must have a word of that fact, and nothing that points elsewhere: "it's mine".
    """
    text = _CONJUNCTION.sub("", text)
    words = text.split()
    if len(words) < _FEWEST_BESIDE or _ELSEWHERE & set(words):
        return False
    flags = {name for word in words for name in facts_of(word) if topics()[name].kind == "flag"}
    asked = [Query("is", YOU, name) for name in sorted(flags)]
    told = in_plain_words(text, asked, says_only_that=True) or in_plain_words(text, _LOST)
    mark = notes.mark()
    is_taken = told is not None and _take_told(notes, told[0])
    said = notes.since(mark) if is_taken else []
    if said and all(it.is_true and it.topic in flags | {"lost_job"} for it in said):
        return True
    notes.take_back(mark)
    return False


def _with_verb_asked(notes: ClaimNotes, text: str) -> str:
    """Return "Dan does not go yet" as "Dan does not" where it was asked whether he goes there."""
    match = _VERB_AGAIN.fullmatch(text)
    whether = all(it.query.how in ("is", "exists", "who") for it in notes.found)
    if match is None or not notes.found or not whether or match["verb"] in VERBS | DENIALS:
        return text
    is_asked = stem(match["verb"]) in notes.asked
    are_people = match["who"] in _PRONOUNS or are_members(match["who"].split(), notes)
    if not is_asked or not are_people:
        return text
    return f"{match['who']} {match['do'] or 'do'}{match['not'] or ''}"


def _take_told(notes: ClaimNotes, text: str) -> bool:
    text = _with_both(notes, text)
    raw = swapped(text)
    words = mark_names([it for it in raw if it not in ABOUT_WORDS], notes.names)
    is_age = "age" in {it.topic for it in notes.queries} or is_a_year_old(notes, words)
    words = _without_fillers(words, is_age=is_age)
    try:
        is_only = bool({"only", "just"} & set(words))
        words = number_last([word for word in words if word not in SMALL_TALK] or words)
        parts = cover(words, is_claim=True)
        people = people_of(parts, words, _spoken_of(notes))
    except NotUnderstoodError:
        at = raw.index("not") if "not" in words[1:] else 0
        # "heat is not included": what is denied may stand around the word that denies.
        return bool(at) and _take_told(notes, " ".join(["not", *raw[:at], *raw[at + 1 :]]))
    is_about = bool(set(raw) & ABOUT_WORDS) or "more or less" in text
    said = _Said(text, words, parts, people, is_about=is_about, is_only=is_only)
    if people and (people[0].kind == "name" or (people[0].relations and len(people) == 1)):
        notes.people = people[0]
    return _take_parts(notes, said)


def _with_the_rest(notes: ClaimNotes, text: str) -> str:
    """Return "the rest of us" as the names of those of whom nothing was said yet.

    Where several were asked about the others of them are meant: "Dan isn't. The rest are."
    """
    asked = {n for it in notes.queries if it.topic or it.among for n in notes.asked_of(it)}
    is_of_asked = len(asked) > 1 and notes.spoken_of <= asked
    among = sorted(asked) if is_of_asked else range(len(notes.names))
    rest = [notes.names[n] for n in among if n not in notes.spoken_of]
    if not notes.spoken_of or not rest or not _THE_REST.search(text):
        return text
    told = " and ".join(" ".join(name) for name in rest)
    return _THE_REST.sub("i" if rest == notes.names[:1] else told, text, count=1)


def _with_both(notes: ClaimNotes, text: str) -> str:
    """Return "both of us" as the applicant and the one that was asked about."""
    other = notes.people.members(notes.household) if notes.people else []
    if "both of you" not in text or len(other) != 1 or other == [0]:
        return text
    return text.replace("both of you", f"you and {notes.household.members[other[0]].name.lower()}")


def _spoken_of(notes: ClaimNotes) -> Context:
    """Return whom pronouns and "the oldest" mean: those asked about, where there are any."""
    are_there = notes.people is not None and notes.people.members(notes.household)
    return Context(people=notes.people, plural=notes.people if are_there else None)


def take_all_but(notes: ClaimNotes, who: str, text: str) -> bool:
    """Take in "everyone except Nadia" where a fact of members was asked about."""
    asked = [it for it in notes.queries if it.topic and it.among is None]
    words = as_asked(who, notes.names)
    try:
        left_out = people_of(cover(words, is_claim=True), words, Context(people=notes.people))
    except NotUnderstoodError:
        return False
    if len(asked) != 1 or not left_out or not topics()[asked[0].topic or ""].of_member:
        return False
    others = {number for it in left_out for number in notes.numbers_of(it)}
    notes.spoken_of |= others
    everybody = notes.asked_of(asked[0]) | others
    holders = notes.holders(asked[0]) & everybody
    holders = everybody - holders if notes.asks_who_not() else holders
    return notes.add(text, asked[0].topic, bool(others) and holders == everybody - others, holders)


def _without_fillers(words: Sequence[str], *, is_age: bool) -> list[str]:
    """Return words without "called" before a name, and "one" where it stands for a thing."""
    pairs = zip(words, [*words, ""][1:], strict=True)
    words = [it for it, after in pairs if not (it in NAMED and after.startswith("@"))]
    has_one = "there" not in words and words[-1:] == ["1"] and not is_age
    if has_one and words[-2:-1] and words[-2] in ("has", "have", "got", "is", "am", "are"):
        rest = words[:-1]  # "my spouse has one", "we have got one"
        return rest[:-1] if rest[-2:] in (["has", "got"], ["have", "got"]) else rest
    return words


@dataclass(frozen=True)
class _Said:
    """A clause of an answer with its parts and the people it names."""

    text: str
    words: list[str]
    parts: list[ClausePart]
    people: list[People]
    is_about: bool
    is_only: bool

    @property
    def is_of_a_thing(self) -> bool:
        """Whether it names a thing of somebody: "just my paycheck"."""
        people = [it for it in self.parts if it.kind == "people"]
        return len(people) == 1 and self.words[people[0].start : people[0].end] == ["your"]

    @property
    def kinds(self) -> set[str]:
        return {part.kind for part in self.parts}

    @property
    def numbers(self) -> list[Comparison]:
        found = [part.it for part in self.parts if part.kind in ("number", "comparison")]
        return [it for it in found if isinstance(it, Comparison)]


def _take_parts(notes: ClaimNotes, said: _Said) -> bool:
    words = said.words
    if not words or (not notes.queries and words[-1] in VERBS):
        return False  # "all of us do": nobody knows what
    if (of_us := _OF_US.match(" ".join(words))) and (counted := _of_some(notes)):
        is_true = int(of_us[1]) == counted.answer
        return notes.add(said.text, counted.query.topic, is_true, counted.answer)
    n_claims = len(notes.claims)
    is_taken = _take_kind(notes, said)
    if all(it.is_true for it in notes.claims[n_claims:]) and len(notes.claims) > n_claims:
        notes.numbers_told |= {n for it in said.numbers for sign, n in it.parts if sign == "=="}
    return is_taken


def _take_kind(notes: ClaimNotes, said: _Said) -> bool:
    """Take in a clause by what it has: numbers, a place, a topic, or people alone."""
    kinds, words = said.kinds, said.words
    if (of_us := _OF_US.match(" ".join(words))) and said.text.startswith("all "):
        asked = [it.query for it in notes.found if it.query.topic and it.query.how in ("who", "is")]
        if len(asked) == 1 and topics()[asked[0].topic or ""].of_member:
            holders = notes.holders(asked[0])
            is_true = int(of_us[1]) == len(notes.names) == len(holders)
            return notes.add(said.text, asked[0].topic, is_true, sorted(holders))
    if len(said.numbers) > 1:
        if {"they", "those"} & set(words):
            kinds -= {"people"}
        return take_numbers(notes, said.numbers, kinds, said.text)
    if "place" in kinds:
        home = notes.household.place_of_residence
        is_here = home == "New York City"
        notes.add(said.text, "place_of_residence", is_here, home, answers=False)
    if "than" in kinds and take_comparison(notes, said.parts, said.text):
        return True
    if kinds & {"topic", "than", "ever", "past period"}:
        is_only = said.is_only and _ONLY_THEY.match(said.text) is not None
        is_only = is_only and not said.is_of_a_thing
        return take_statement(
            notes, said.parts, words, said.text, is_about=said.is_about, is_only=is_only
        )
    if {"was", "were", "will"} & set(words):
        return False
    if said.numbers:
        return _take_amount(notes, said, said.numbers[0])
    return _take_people(notes, said)


def _of_some(notes: ClaimNotes) -> Evaluation | None:
    """Return how many of some are asked for: "how many of you work?", where "two of us" answers."""
    counts = [it for it in notes.found if it.query.how == "count"]
    return next((it for it in counts if it.query.topic or it.query.people.has_ages), None)


def _holders_asked(notes: ClaimNotes) -> tuple[str, set[int]] | None:
    """Return the fact that was asked of anybody, and the members of whom it is so."""
    asked = [it.query for it in notes.found if it.query.how in ("is", "exists", "who")]
    topic = asked[0].topic if len(asked) == len(notes.found) == 1 else None
    if (
        topic is None
        or asked[0].people.quantifier not in ("any", "who")
        or not topics()[topic].of_member
    ):
        return None
    return topic, notes.holders(asked[0]) & notes.asked_of(asked[0])


def _take_amount(notes: ClaimNotes, said: _Said, number: Comparison) -> bool:
    """Take in a number of people, of hours, or of what was asked for."""
    people = said.people
    if len(said.words) <= 2 and counts_people(number) and (held := _holders_asked(notes)):
        topic, holders = held  # "anyone?" "Two people."
        return notes.add(said.text, topic, number.holds(len(holders)), sorted(holders))
    is_bare = len(number.parts) == 1 and not people and not number.unit and not number.period
    if is_bare and number.parts[0][1] in notes.numbers_told:
        return notes.add(said.text, None, True, None, answers=False)  # "..., so twelve"
    if is_bare and len(notes.queries) == 1 and (kin := notes.queries[0].among) and kin.has_ages:
        years = int(number.parts[0][1])  # "is Cleo a teenager?" "Yes, 14."
        one = replace(notes.queries[0].people, at_least=years, below=years + 1)
        return take_age(notes, one, said.text, is_negated=False)
    if (kind := some_of_those_counted(notes, people)) is not None:
        is_true = number.holds(len(kind)) != is_denied(said.parts)
        return notes.add(said.text, None, is_true, sorted(kind), answers=False)
    if len(said.words) == 2 and any(it.query.how == "count" for it in notes.found):
        return take_number(notes, number, [], said.text, said.is_about)  # "two people"
    if counts_people(number):
        people = [replace(EVERYBODY, is_other="but you" in said.kinds)]
    if number.unit.startswith("hour") and notes.queries:
        words = [*said.words, "work", "hours"]
        return take_statement(notes, said.parts, words, said.text, is_about=said.is_about)
    if age := _age_said(notes, said, number):
        return take_age(notes, age, said.text, is_negated=is_denied(said.parts))
    is_one = said.text.startswith(("he is", "she is"))
    is_amount = number.is_money or number.parts[0][1] >= SMALLEST_AMOUNT
    if not (is_one or is_amount) and (counted := [it for it in people if _is_counted(it)]):
        meant = counted[-1].members(notes.household)
        is_true = number.holds(len(meant)) != is_denied(said.parts)
        ask_which = any(it.how == "list" and it.people.has_ages for it in notes.queries)
        answers = notes.asks_people() and not (ask_which and not counted[-1].has_ages)
        return notes.add(said.text, None, is_true, len(meant), answers=answers)
    if not notes.queries:
        return False
    if is_denied(said.parts):
        return _take_denied_number(notes, number, people, said)
    return take_number(notes, number, people, said.text, said.is_about)


def _take_denied_number(
    notes: ClaimNotes, number: Comparison, people: Sequence[People], said: _Said
) -> bool:
    """Take in "I am not 62": it tells which number it is not, so no number that was asked for."""
    n_claims, was_answered = len(notes.claims), notes.is_answered
    is_taken = take_number(notes, number, people, said.text, said.is_about)
    denied = [replace(it, is_true=not it.is_true) for it in notes.claims[n_claims:]]
    notes.claims[n_claims:] = denied
    asks_whether = all(it.query.how in ("is", "exists") for it in notes.found)
    notes.is_answered = was_answered or (notes.is_answered and asks_whether)
    return is_taken


def _age_said(notes: ClaimNotes, said: _Said, number: Comparison) -> People | None:
    """Return somebody of whom an age is said: "Paul is only 2", "I am 55 years old"."""
    is_asked = any(
        it.query.how in ("value", "sum", "count")
        and it.query.topic not in (None, "age")
        and topics()[it.query.topic].kind in ("number", "money")
        for it in notes.found
    )
    is_age = number.unit.startswith("year") or (not number.unit and not number.is_money)
    is_exact = len(number.parts) == 1 and number.parts[0][0] == "=="
    if is_asked or len(said.people) != 1 or not {"is", "am", "are"} & set(said.words):
        return None
    person = said.people[0]
    if (
        said.is_about
        or not is_age
        or len(number.parts) != 1
        or number.period
        or said.kinds - {"people", "number", "comparison", "plain"}
    ):
        return None
    meant = (notes.people or person) if person.kind == "pronoun" else person
    if not is_exact:
        is_of_all = meant.is_plural and not meant.has_ages and "there" not in said.words
        return replace(meant.of_ages(number), quantifier="all") if is_of_all else None
    members = person.members(notes.household)
    if len(members) != 1 or "there" in said.words or "it" in said.words:
        return None
    age = int(number.parts[0][1])
    person = notes.one(members[0]) if person.pick else person
    return replace(person, at_least=age, below=age + 1)


def _take_people(notes: ClaimNotes, said: _Said) -> bool:
    """Take in a clause that names people alone, or nobody."""
    people, words, text = said.people, said.words, said.text
    if "between" in words or words[:3] == ["that", "is", "for"]:
        return False  # "that is between me and my wife" names nobody
    if _ABOUT_THEM.search(text):
        return True  # "this is about my mother" says nothing of her
    if words[0] == "it" and any(person.quantifier == "any" for person in people):
        return False
    is_negated = is_denied(said.parts)
    is_who = {"is", "are", "am"} & set(words) and "without" not in words
    if words[:2] in (["there", "is"], ["there", "are"]) and are_named(people):
        notes.spoken_of |= {n for it in people for n in notes.numbers_of(it)}
        return notes.add(text, None, not is_negated, None, answers=notes.asks_people())
    if _LIVES_HERE.search(text) and people and not is_negated and not asks_of_home(notes):
        there = not any(not notes.numbers_of(it) for it in people)
        return notes.add(text, None, there, None, answers=False)
    if len(people) == 2 and is_who:
        return take_kin(notes, people, text, is_negated=is_negated)
    if len(people) == 1 and _is_aged(people[0]):
        return take_age(notes, people[0], text, is_negated=is_negated)
    if (absent := _of_whom_there_are(notes, said)) is not None:
        return _take_existence(notes, absent, text, is_negated=is_negated)
    if several := [it for it in people if it.said_number is not None]:
        n = len(notes.numbers_of(several[0]))
        is_true = (n == several[0].said_number) != is_negated
        return notes.add(text, None, is_true, n, answers=notes.asks_people())
    is_told = any(it.kind == "plain" and it.it in _NOUNS | _QUALITIES for it in said.parts)
    if not notes.queries or is_told:
        return False
    asks_if_there = bool(notes.queries) and all(it.topic is None for it in notes.queries)
    if {"have", "got"} & set(words) and asks_if_there:
        people = [it for it in people if it.kind != "household"] or people  # "we have a son"
    if people:
        return take_holders(notes, people, words, text, is_negated=is_negated, is_only=said.is_only)
    # "that is so", "not at the moment": what yes or no said already.
    if "not" in said.kinds and not notes.claims and len(words) <= 5:
        notes.polarity(False, text)
    return bool(notes.claims) and said.kinds <= {"plain", "join", "not"}


def _of_whom_there_are(notes: ClaimNotes, said: _Said) -> People | None:
    """Return the relation that a clause says there is somebody of, or nobody: "I have no son".

    Where people alone were asked for there is none: they are taken in as such.
    """
    if all(it.topic in PEOPLE_TOPICS or it.people.quantifier != "the" for it in notes.queries):
        return None
    others = [it for it in said.people if it.kind not in ("you", "household")]
    is_having = {"have", "has", "there"} & set(said.words) and "with" not in said.words
    if len(others) != 1 or not is_having or said.is_only or said.kinds - _PLAIN_KINDS:
        return None
    (person,) = others
    if person.kind == "name" and any(it.relations for it in person.of):
        return person  # "I have a husband, Arun"
    is_kind = person.kind == "members" and person.relations and not person.is_counted
    return person if is_kind and person.quantifier in ("any", "none") else None


def _take_existence(notes: ClaimNotes, people: People, text: str, *, is_negated: bool) -> bool:
    """Take in that there is somebody, or nobody, of a relation, where more was asked of them.

    "I have no daughter" answers "does your daughter work?".
    """
    asked = [it for it in notes.queries if set(it.people.relations) & set(people.relations)]
    is_none = is_negated or people.quantifier == "none"
    there = replace(people, quantifier="any").members(notes.household)
    is_of_marriage = bool(set(people.relations) & set(SPOUSE.relations)) and any(
        "married" in related(it.topic or "") for it in notes.queries
    )
    answers = (bool(asked) and is_none) or is_of_marriage
    return notes.add(text, "relation", bool(there) != is_none, there, answers=answers)


def _is_aged(people: People) -> bool:
    """Whether somebody's age is said: "my spouse is 40 years old"."""
    is_said = re.search(r"\b(?:is|are) .*\d", people.said) is not None
    return people.has_ages and is_said and people.quantifier in ("the", "all")


def _is_counted(people: People) -> bool:
    if people.kind == "group":
        return all(_is_counted(it) for it in people.of)
    return people.kind == "members" and (people.is_plural or people.quantifier == "any")
