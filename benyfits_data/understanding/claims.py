"""Answers read into claims about the household, and held against it.

The same lexicon that reads questions reads what is said: "my spouse has a disability" becomes the
query whether that is so. Nothing is compared as text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from benyfits_data.household.model import Household
from benyfits_data.understanding.clauses import all_of_age, fit_unit, read_clause
from benyfits_data.understanding.cover import ClausePart, NotUnderstoodError, cover, is_denied
from benyfits_data.understanding.fact_words import belongs
from benyfits_data.understanding.numbers import Comparison, find_number
from benyfits_data.understanding.people import People, find_people, mark_names
from benyfits_data.understanding.query import PER_YEAR, Query, evaluate
from benyfits_data.understanding.question_text import (
    FACT_WORDS,
    PLAIN_WORDS,
    WORDING,
    rewritten,
    strip_tail,
)
from benyfits_data.understanding.questions import read_question
from benyfits_data.understanding.topics import Meaning, related, topics
from benyfits_data.understanding.whom import EVERYBODY, YOU, Context, people_of
from benyfits_data.understanding.words import plain

Verdict = Literal["faithful", "unfaithful", "over_claim", "no_answer", "not_understood"]

APPROXIMATE_SHARE = 0.1
"""How far "about $30,000" may be from the amount that is meant."""
ROUNDED_SHARE = 0.02
"""How far a round number of thousands may be, said without "about"."""

_TOLD = WORDING["answers"]
_SWAPS: dict[str, str] = _TOLD["swaps"]
_SMALL_TALK = frozenset(_TOLD["small_talk"].split())
_ABOUT_WORDS = frozenset(_TOLD["about"].split())
_PEOPLE_TOPICS = (None, "household_size", "lives_alone")


def _pattern(name: str, form: str) -> re.Pattern[str]:
    return re.compile(form.replace("X", "|".join(_TOLD[name])))


_YES = _pattern("yes", r"^(?:X)\b(?! (?:idea|information|way|clue))")
_NO = _pattern("no", r"^(?:X)\b(?! (?:idea|information|way|clue|comment))")
_ONE_NAMED = re.compile(
    r"(?P<first>.+ (?:1|an?) (?:\w+ )?"
    r"(?P<noun>child|son|daughter|baby|boy|girl|\w+(?:er|in|ew|end))), "
    r"(?P<name>(?!who|which|that|not|but|and|so|as|he|she|they|it)\w+)$"
)
_ONE = re.compile(r"^1 (?:of (?:them|us|you) )?(?:does|is|has|do|are|have)$")
_LAST = re.compile(r"(?:^|,| and| so) (?:so )?(?P<word>yes|no)$")
_EVASION = _pattern("evasions", r"\b(?:X)\b")
_ASIDE = _pattern("asides", r",? ?\b(?:X)\b ?,?")
_FILLER = _pattern("fillers", r"^(?:X)(?= |,|$),?\s*")
_NOTHING = _pattern("nothing", r"^(?:X)$")
_REWRITES = [(re.compile(pattern), instead) for pattern, instead in _TOLD["rewrites"]]
_AGED = re.compile(
    r"(?P<name>[A-Z]\w+(?: [A-Z]\w+)*)"
    r"(?: \((?P<age>\d+)\)|, (?:who is|who's|aged|age) (?P<aged>\d+)(?: years old)?\b,?)"
)
_CORRECTS = re.compile(
    r"(?:^|[,.;-]+ |\.\.\. ?)"
    r"(?:no,? wait|wait,? no|wait|sorry,? i mean(?:t)?|i mean(?:t)?|make that|"
    r"no,? make that|scratch that|correction|or rather|i misspoke|no,? sorry|sorry,? no|sorry)"
    r"\b[,:]? ",
    re.IGNORECASE,
)
"""After these an answer says what was meant, in place of what it said."""
_SPLITS = re.compile(r" (?:but|because|since|although|though|while|who|which|so|and) |, |; ")
_PARTS = re.compile(
    r",? but (?!not )|, (?:and )?(?!who|which|that (?!person))"
    r"(?=(?:i|we|he|she|they|it|that person|my \w+|our \w+|\w+) "
    r"(?:is|am|are|do|does|have|has|was|were)\b|(?:i|we|he|she|they|it) \w)"
)
_BEYOND = re.compile(
    r"^(?:easily,? )?(?:(?:i|we|they|he|she|it) \w+ )?(?:well |far |way |much |a lot )?"
    r"(?P<way>more|less|above|below|over|under|older|younger|higher|lower)(?: than)?(?: that| it)?$"
)
_CUTS = frozenset(_TOLD["cuts"].split())
_NO_LEADS = frozenset(("from", "for", "since", "until", "after", "before"))
"""What these lead says nothing of its own: "$900, from my job" is no claim to have one."""
_VERBS = frozenset(("is", "am", "are", "do", "does", "have", "has", "can", "did", "will"))
_OPEN_ENDS = _VERBS | {"been", "was", "were", "not", "no", "and", "or", "to", "my", "a", "the", "i"}
_NOUNS = FACT_WORDS | {"house", "apartment", "place", "family", "situation", "status", "time"}
_NO_NAMES = frozenset(_TOLD["no_names"].split())
_NAMED = ("named", "called")


@dataclass(frozen=True)
class AnswerClaim:
    """One thing said, and whether it is so.

    Attributes:
        said: Its words.
        topic: What it is about; nothing for people alone or a bare yes.
        is_true: Whether the household bears it out.
        truth: What is so, as a value.
    """

    said: str
    topic: str | None
    is_true: bool
    truth: Any


@dataclass(frozen=True)
class Judgment:
    """An answer held against the household.

    Attributes:
        verdict: `faithful`; `unfaithful`: something said is not so; `over_claim`: the answer is
            right and adds what no fact bears out; `no_answer`; `not_understood`.
        claims: What was said.
        invented: Words that no fact bears out.
    """

    verdict: Verdict
    claims: tuple[AnswerClaim, ...] = ()
    invented: tuple[str, ...] = ()

    @property
    def wrong(self) -> tuple[AnswerClaim, ...]:
        """The claims that are not so."""
        return tuple(claim for claim in self.claims if not claim.is_true)


def judge(
    question: str, answer: str, household: Household, earlier: Sequence[str] = ()
) -> Judgment:
    """Return whether an answer is so.

    Args:
        question: What was asked.
        answer: What somebody said for the household.
        household: The household.
        earlier: Earlier questions, the last one last.
    """
    try:
        queries = read_question(question, household, earlier)
    except NotUnderstoodError:
        queries = []
    return judge_queries(queries, answer, household, _named_in(question, household))


def _named_in(question: str, household: Household) -> People | None:
    """Return whom a question names beside you, where it names one: "he" may be meant by that."""
    words = mark_names(plain(question), [plain(member.name) for member in household.members])
    named, place = set(), 0
    while place < len(words):
        found = find_people(words, place)
        named |= {it.people for it in found[:1] if it.people.kind in ("name", "members")}
        place = found[0].end if found else place + 1
    return named.pop() if len(named) == 1 else None


def judge_queries(
    queries: Sequence[Query], answer: str, household: Household, named: People | None = None
) -> Judgment:
    """Return whether an answer to queries is so.

    Args:
        queries: What was asked; empty where it was not understood.
        answer: What somebody said.
        household: The household.
        named: Whom the question names, where it was not understood.
    """
    reader = _AnswerReader(queries, household)
    reader.people = queries[0].people if queries else named
    for sentence in _sentences(_corrected(answer)):
        reader.read(sentence)
    reader.finish()
    claims, invented = tuple(reader.claims), tuple(reader.invented)
    verdict: Verdict
    if reader.is_no_answer and invented:
        verdict = "no_answer"
    elif any(not claim.is_true for claim in claims):
        verdict = "unfaithful"
    elif not queries and all(claim.topic is None for claim in claims):
        verdict = "no_answer" if reader.is_no_answer else "not_understood"
    elif reader.is_answered:
        verdict = "over_claim" if invented else "faithful"
    elif reader.is_no_answer or claims or not any(_says_something(text) for text in invented):
        verdict = "no_answer"
    else:
        verdict = "not_understood"
    return Judgment(verdict, claims, invented)


def _corrected(answer: str) -> str:
    """Return what an answer means in the end: "36. Sorry, I mean 37" means 37."""
    *said, last = _CORRECTS.split(answer)
    if (
        not said
        or not re.search(r"\d", " ".join(plain(said[-1])))
        or not re.search(r"\d", " ".join(plain(last)))
    ):
        return answer
    is_bare = re.fullmatch(r"\W*(?:\w+,? ){0,6}?\$?[\d.,]+\W*", last) is not None
    return last if is_bare else answer


def _says_something(text: str) -> bool:
    """Whether words that could not be read hold a number or speak of a fact or of people."""
    for word in re.findall(r"[$\w.]+", text):
        try:
            parts = cover([word], is_claim=True)
        except NotUnderstoodError:
            continue
        if any(part.kind in ("topic", "number") for part in parts):
            return True
    return False


def _sentences(answer: str) -> list[str]:
    text = re.sub(r"\s+", " ", answer)
    text = re.sub(r"\b(Mr|Ms|Mrs|Dr|St|U\.S|e\.g|i\.e)\.", r"\1", text)
    return [part for part in re.split(r"(?<=[.!?:;])\s+|\n", text) if part.strip()]


def _plain_text(sentence: str) -> str:
    """Return a sentence in plain words, without what says nothing."""
    text = re.sub(r" ?[.!?:;](?!\d)", "", " ".join(plain(sentence))).replace(" ,", ",").strip(" ,")
    text = re.sub(r"\(\s*(.*?)\s*\)", r", \1,", text).strip(" ,")
    text = _ASIDE.sub(lambda it: "," if it.end() < len(text) and it.start() else "", text)
    while (shorter := _FILLER.sub("", text).strip(" ,")) != text:
        text = shorter
    for pattern, instead in _REWRITES:
        text = pattern.sub(instead, text).strip(" ,")
    return strip_tail(rewritten(text))


class _AnswerReader:
    def __init__(self, queries: Sequence[Query], household: Household) -> None:
        self.queries = queries
        self.found = [evaluate(query, household) for query in queries]
        self.household = household
        self.names = [plain(member.name) for member in household.members]
        self.claims: list[AnswerClaim] = []
        self.invented: list[str] = []
        self.is_answered = False
        self.is_no_answer = False
        self.has_word = False
        self.is_denied_of_you = False
        self.people: People | None = None
        self.sentence = ""

    def read(self, sentence: str) -> None:
        """Take in the claims of one sentence."""
        self.sentence = sentence
        if any(it.topic == "name" for it in self.queries) and self._names_said():
            return
        text = _plain_text(_AGED.sub(self._aged, sentence))
        match = _YES.match(text) or _NO.match(text)
        is_echo = sentence.rstrip().endswith("?") and len(text.split()) <= 2
        evasion = _EVASION.search(text)
        if evasion and re.search(r"\d", text):
            text = text[: evasion.start()] + text[evasion.end() :].strip(" ,").removeprefix("but ")
            evasion = None  # "It varies, but about $2,600"
        if evasion or (sentence.rstrip().endswith("?") and not match and not is_echo):
            self.is_no_answer = True
            return
        if is_echo and not match:
            return
        if not text or self._is_nothing(text) or self._is_beyond(text):
            return
        if _ONE.match(text) and any(it.query.how in ("is", "exists") for it in self.found):
            self._polarity(True, text)
            return
        if match:
            rest = text[match.end() :].strip(" ,")
            is_no = match.re is _NO
            is_apart = not rest or text[match.end() :].startswith(",")
            if is_no and not is_apart and (self._clause(text) or self._first_of(text)):
                return
            self._polarity(not is_no, match.group(0))
            text = rest
        elif last := _LAST.search(text):
            self._polarity(last.group("word") == "yes", last.group("word"))
            text = text[: last.start()].strip(" ,")
        if text:
            self._text(text)

    def _names_said(self) -> bool:
        """Take in the names that are the answer to "what is your spouse's name?"."""
        first, _, rest = self.sentence.partition(",")
        said = [it for it in re.findall(r"\b[A-Z][a-z]+\b", first) if it not in _NO_NAMES]
        truths = [str(it.value) for found in self.found for it in found.findings]
        known = {word for truth in truths for word in truth.split()}
        if said:
            self._add(first, "name", set(said) <= known, truths)
            if rest.strip():
                self._text(_plain_text(rest))
        return bool(said)

    def finish(self) -> None:
        """Take "I don't" for a no where anybody was asked about and nothing else was said."""
        if self.is_denied_of_you and not self.has_word and len(self.claims) == 1:
            self._polarity(False, self.claims[0].said)

    def _aged(self, match: re.Match[str]) -> str:
        """Take in an age told in passing: "Cleo (9)"."""
        first = plain(match.group("name"))[:1]
        for number, name in enumerate(self.names):
            if name[:1] == first:
                age = self.household.members[number].age
                is_true = age == int(match.group("age") or match.group("aged"))
                self._add(match.group(0), "age", is_true, age, answers=False)
        return match.group("name")

    def _is_nothing(self, text: str) -> bool:
        """Take in "none" and "nothing" where a number was asked for."""
        asked = [it for it in self.found if it.query.how in ("value", "sum", "count")]
        if not asked or not _NOTHING.match(text):
            return False
        for it in self.found:
            truths = it.answer if isinstance(it.answer, list) else [it.answer]
            self._add(text, it.query.topic, all(not truth for truth in truths), it.answer)
        return True

    def _is_beyond(self, text: str) -> bool:
        """Take in "more than that" and "well below" where a limit was asked about."""
        limits = [
            it for it in self.found if it.query.comparison and len(it.query.comparison.parts) == 1
        ]
        match = _BEYOND.search(text)
        if match is None or len(limits) != 1 or limits[0].query.comparison is None:
            return False
        (sign, _), *_ = limits[0].query.comparison.parts
        is_more = match.group("way") in ("more", "above", "over", "older", "higher")
        self._polarity(is_more == (sign in (">", ">=")), text)
        return True

    def _polarity(self, word: bool, said: str) -> None:
        self.has_word = True
        whether = [it for it in self.found if it.query.how in ("is", "exists")]
        if not whether:
            counted = [it for it in self.found if it.query.how in ("who", "count", "list")]
            if counted and not word:
                truth = counted[0].answer
                self._add(said, counted[0].query.topic, not truth, truth)
            return
        if not all(it.is_known for it in whether):
            self.invented.append(said)
            self.is_answered = True
            return
        answers = [bool(it.answer) for it in whether]
        truth = all(answers) if whether[-1].query.joint == "and" else any(answers)
        if len(whether) == 1 or truth == word or not any(it.query.joint for it in whether):
            self._add(said, whether[0].query.topic, any(answers) == word, truth)
        else:
            self._add(said, whether[0].query.topic, truth == word, truth)

    def _add(
        self, said: str, topic: str | None, is_true: bool, truth: Any, *, answers: bool = True
    ) -> bool:
        self.claims.append(AnswerClaim(said, topic, is_true, truth))
        self.is_answered = self.is_answered or answers
        return True

    def _text(self, text: str) -> None:
        text = _FILLER.sub("", text) or text
        pieces = [piece.strip(" ,") for piece in _PARTS.split(text) if piece.strip(" ,")]
        if len(pieces) > 1:
            for piece in pieces:
                self._text(piece)
            return
        if named := _ONE_NAMED.match(text):
            self._text(named.group("first"))
            self._text(f"{named.group('name')} is my {named.group('noun')}")
            return
        if self._clause(text) or any(self._clause(f"{lead} {text}") for lead in self._leads()):
            return
        for match in _SPLITS.finditer(text):
            first, second = text[: match.start()].strip(" ,"), text[match.end() :].strip(" ,")
            if first and second and self._clause(first):
                self._text(second)
                return
        words = text.split()
        for place in range(len(words) - 1, 0, -1):
            # What is said first may be right, and the rest made up: "$900 for a loft in Queens".
            is_name = place >= len(words) - 2 and self._is_name(words[place:])
            if words[place - 1] in _OPEN_ENDS or not (words[place] in _CUTS or is_name):
                continue
            n_claims = len(self.claims)
            if self._clause(" ".join(words[:place])) and len(self.claims) > n_claims:
                rest = " ".join(words[place:])
                if is_name:
                    self._add(words[-1], "name", False, None)
                is_new = words[place] in _NO_LEADS or not self._clause(f"they are {rest}")
                if is_name or is_new:
                    self._not_read(rest)
                return
        first, *others = [piece for piece in _SPLITS.split(text) if piece.strip()] or [""]
        self._not_read(first)
        for piece in others:
            if not self._clause(piece):
                self._not_read(piece)

    def _first_of(self, text: str) -> bool:
        """Take in a text whose first part is a claim: "none of us has a job, as I said"."""
        first, comma, rest = text.partition(",")
        if not comma or not self._clause(first.strip()):
            return False
        self._text(rest.strip(" ,"))
        return True

    def _is_name(self, words: Sequence[str]) -> bool:
        """Whether words stand in the answer as the name of somebody who is none of the members."""
        known = {word for name in self.names for word in name}
        return all(
            word not in known and re.search(rf"(?<=\w ){word.capitalize()}\b", self.sentence)
            for word in words
            if word not in ("named", "called")
        )

    def _leads(self) -> tuple[str, ...]:
        """Words that make a sentence of a bare value: "in New Jersey", "rent stabilized"."""
        kinds = {topics()[query.topic].kind for query in self.queries if query.topic}
        return ("i live", "i live in", "i am", "i have") if "choice" in kinds else ()

    def _not_read(self, text: str) -> None:
        words = [word for word in re.findall(r"\w+", text) if word not in _SMALL_TALK]
        if words in (["yes"], ["no"], ["yeah"], ["yep"], ["nope"]):
            self._polarity(words[0] in ("yes", "yeah", "yep"), text)
            return
        topic = self.claims[-1].topic if self.claims else None
        if topic and all(word in PLAIN_WORDS or belongs(word, topic) for word in words):
            return  # "$900 a month, to the landlord"
        try:
            kinds = {part.kind for part in cover(words, is_claim=True)}
        except NotUnderstoodError:
            kinds = {"new"}
        if not kinds <= {"plain", "join", "period", "past period"}:
            self.invented.append(text.strip())

    def _clause(self, text: str) -> bool:
        """Take in one clause; return whether it was understood."""
        text = re.sub(r"^(?:and|but|so|also) ", "", text)
        swapped = [_SWAPS.get(word, word) for word in text.split()]
        raw = re.findall(r"[^\s,]+|,", " ".join(swapped))
        is_about = bool(set(raw) & _ABOUT_WORDS) or "more or less" in text
        words = mark_names([word for word in raw if word not in _ABOUT_WORDS], self.names)
        pairs = zip(words, [*words[1:], ""], strict=True)
        words = [it for it, after in pairs if not (it in _NAMED and after.startswith("@"))]
        is_only = bool({"only", "just"} & set(words))
        words = [word for word in words if word not in _SMALL_TALK] or words
        if (
            "there" not in words
            and words[-1] == "1"
            and words[-2:-1]
            and words[-2] in ("has", "have", "is", "am", "are")
        ):
            words = words[:-1]  # "my spouse has one"
        try:
            words = _number_last(words)
            parts = cover(words, is_claim=True)
            people = people_of(parts, words, Context(people=self.people, plural=self.people))
        except NotUnderstoodError:
            at = words.index("not") if "not" in words[1:] else 0
            if not at:
                return False
            # "heat is not included": what is denied may stand around the word that denies.
            return self._clause(
                " ".join(["not", *raw[: raw.index("not")], *raw[raw.index("not") + 1 :]])
            )
        if people and (people[0].kind == "name" or (people[0].relations and len(people) == 1)):
            self.people = people[0]
        kinds = {part.kind for part in parts}
        numbers = [
            part.it
            for part in parts
            if part.kind in ("number", "comparison") and isinstance(part.it, Comparison)
        ]
        if not self.queries and words[-1] in _VERBS:
            return False  # "all of us do": nobody knows what
        if len(numbers) > 1:
            if {"they", "those"} & set(words):
                kinds -= {"people"}
            return self._several_numbers(numbers, kinds, text)
        if "place" in kinds:
            home = self.household.place_of_residence
            self._add(text, "place_of_residence", home == "New York City", home, answers=False)
        if kinds & {"topic", "than", "ever", "past period"}:
            return self._statement(parts, words, text, is_about)
        if {"was", "were", "will"} & set(words):
            return False
        number = numbers[0] if numbers else None
        if (
            words[0] == "it"
            and number is None
            and any(person.quantifier == "any" for person in people)
        ):
            return False
        is_negated = is_denied(parts)
        is_who = {"is", "are", "am"} & set(words) and "without" not in words
        if len(people) == 2 and number is None and is_who:
            return self._among(people, text, is_negated=is_negated)
        if number is None and len(people) == 1 and _is_aged(people[0]):
            return self._of_age(people[0], text, is_negated=is_negated)
        if number is not None and number.unit.startswith(("people", "person", "member")):
            people, number = [replace(EVERYBODY, is_other="but you" in kinds)], number
        if number is not None and number.unit.startswith("hour") and self.queries:
            return self._statement(parts, [*words, "work", "hours"], text, is_about)
        if number is None and (said := [it for it in people if it.said_number is not None]):
            n = len(self._numbers(said[0]))
            is_true = (n == said[0].said_number) != is_negated
            return self._add(text, None, is_true, n, answers=self._asks_people())
        if number is not None and (counted := [it for it in people if _is_counted(it)]):
            meant = counted[-1].members(self.household)
            is_true = number.holds(len(meant)) != is_negated
            return self._add(text, None, is_true, len(meant), answers=self._asks_people())
        if not self.queries:
            return False
        if number is not None:
            return self._number(number, people, text, is_about)
        if any(part.kind == "plain" and part.it in _NOUNS for part in parts):
            return False
        if not people:
            # "that is so", "not at the moment": what yes or no said already.
            if "not" in kinds and not self.claims and len(words) <= 5:
                self._polarity(False, text)
            return bool(self.claims) and kinds <= {"plain", "join", "not"}
        return self._holders(people, words, text, is_negated=is_negated, is_only=is_only)

    def _of_age(self, people: People, text: str, *, is_negated: bool) -> bool:
        query = all_of_age(people)
        found = evaluate(query, self.household)
        is_true = bool(found.people) and bool(found.answer) != is_negated
        truth = [it.value for it in found.findings]
        return self._add(text, "age", is_true, truth, answers=self._is_related(query))

    def _asks_people(self) -> bool:
        return not self.queries or any(it.topic in _PEOPLE_TOPICS for it in self.queries)

    def _among(self, people: Sequence[People], text: str, *, is_negated: bool) -> bool:
        """Take in who somebody is: "Rob is my cousin", "we are all adults"."""
        named, group = people
        if named.kind == "household":
            named = replace(EVERYBODY, quantifier="all")
        if group.kind == "name" and named.kind == "members":
            named, group = group, named  # "my wife is Maria"
        if group.kind != "members" or named.is_counted:
            return False
        is_none = named.quantifier == "none"
        named = replace(named, quantifier="any") if is_none else named
        group = replace(group, is_other=False)
        found = evaluate(Query("is", named, among=group), self.household)
        is_true = bool(found.people) and bool(found.answer) != (is_negated != is_none)
        topic = "relation" if group.relations else "age" if group.has_ages else "sex"
        told = {topic, "sex" if group.sex else topic}
        answers = self._asks_people() or any(
            it.among is not None or told & related(it.topic or "") for it in self.queries
        )
        return self._add(text, topic, is_true, list(found.people), answers=answers)

    def _statement(
        self, parts: Sequence[ClausePart], words: list[str], text: str, is_about: bool
    ) -> bool:
        """Take in a sentence with a topic of its own: "my spouse has a disability"."""
        of_number = [part for part in parts if part.kind == "number"]
        number = next((it.it for it in of_number if isinstance(it.it, Comparison)), None)
        bare = [
            word
            for place, word in enumerate(words)
            if not any(part.start <= place < part.end for part in of_number)
        ]
        context = Context(people=self.people, plural=self.people, household=self.household)
        has_people = any(part.kind == "people" for part in parts)
        try:
            queries = read_clause(
                ["is", *bare], context, is_claim=True, has_number=number is not None
            )
            claims = [
                self._claim(
                    asked,
                    number,
                    has_people=has_people,
                    is_about=is_about,
                    is_not_all="not" in words[:1],
                )
                for asked in queries
            ]
        except NotUnderstoodError:
            if number is not None and len(self.found) == 1 and self.found[0].query.how == "count":
                return self._number(number, [], text, is_about)  # "three dependents"
            return False
        for query, is_true, truth in claims:
            self._add(text, query.topic, is_true, truth, answers=self._is_related(query))
            if has_people and query.people.kind != "you":
                self.people = query.people
        return True

    def _claim(
        self,
        asked: Query,
        number: Comparison | None,
        *,
        has_people: bool,
        is_about: bool,
        is_not_all: bool,
    ) -> tuple[Query, bool, Any]:
        """Return a query that something was said of, whether it is so, and what is so."""
        query = asked
        if query.people.quantifier == "none":
            anybody = replace(query.people, quantifier="any")
            query = replace(query, people=anybody, is_negated=not query.is_negated)
        elif _is_any(query.people) and query.people.quantifier == "the":
            several = len(query.people.members(self.household)) > 1
            if several and not query.is_negated:  # one of my daughters
                query = replace(query, people=replace(query.people, quantifier="any"))
        elif query.people.quantifier == "all" and query.is_negated and not is_not_all:
            # "everyone is without a disability"
            query = replace(query, people=replace(query.people, quantifier="any"))
        if query.topic is None:
            people = list(evaluate(query, self.household).people)
            limit = query.comparison
            is_so = limit.holds(len(people)) if limit is not None else bool(people)
            return query, is_so != query.is_negated, people
        query = replace(query, how="is")
        if query.topic == "insured" and any(it.topic == "health_insurance" for it in self.queries):
            query = replace(query, topic="health_insurance")  # as it was asked
        topic = topics()[query.topic or ""]
        if not has_people and self.queries and self.people is not None:
            query = replace(query, people=self.people)
        if topic.kind == "choice" and query.value is None and number is None:
            raise NotUnderstoodError("no value was said")
        found = evaluate(query, self.household)
        if not found.is_known:
            raise NotUnderstoodError("nothing is known of it")
        if topic.of_member and not found.people:
            return query, query.is_negated, None
        if number is None:
            truth = [it.value for it in found.findings]
            return query, bool(found.answer) != query.is_negated, truth
        topic, _ = fit_unit(topic, Meaning(topic.name), number)
        if topic.name == "months_since_worked" != query.topic:
            if query.is_negated == query.is_opposite:
                raise NotUnderstoodError("how long work is done")
            query = replace(query, is_negated=False, is_opposite=False)
        query = replace(query, topic=topic.name)
        truth = [it.value for it in evaluate(query, self.household).findings]
        if len(truth) > 1 and {it.how for it in self.queries} == {"sum"}:
            truth = [sum(it or 0 for it in truth)]
        is_so = any(self._fits(value, number, query, is_about) for value in truth)
        return query, is_so != query.is_negated, truth

    def _holders(
        self,
        people: Sequence[People],
        words: Sequence[str],
        text: str,
        *,
        is_negated: bool,
        is_only: bool,
    ) -> bool:
        """Take in "my spouse does", "Maria and Tom", "only me": the question has the topic."""
        each = [
            it for person in people for it in (person.of if person.kind == "group" else [person])
        ]
        meant = [self._numbers(it) for it in each]
        numbers = {number for it in meant for number in it}
        is_missing = any(not it for it in meant)
        is_none = any(person.quantifier == "none" for person in people)
        it = self.found[0]
        if it.query.topic in _PEOPLE_TOPICS and it.query.among is None:
            if people == [YOU] and not is_only and not set(words) & _VERBS:
                return False
            if people == [YOU] and not is_only:
                return self._add(text, None, bool(it.answer) != is_negated, it.answer)
            wanted = set(it.people) if it.query.topic is None else set(range(len(self.names)))
            if is_negated or is_none:
                is_true = not numbers & wanted - {0}
                return self._add(text, None, is_true, sorted(wanted))
            is_true = not is_missing and numbers - {0} <= wanted
            if is_only:
                is_true = is_true and numbers | {0} == wanted | {0}
            return self._add(text, None, is_true, sorted(wanted))
        for it in self.found:
            if it.query.among is not None:
                self._add(text, None, bool(it.answer) != is_negated, it.answer)
                continue
            topic = topics()[it.query.topic or ""]
            if not topic.of_member:
                self._add(text, topic.name, bool(it.answer) != is_negated, it.answer)
                continue
            if people == [YOU] and not is_only and not set(words) & _VERBS and not is_negated:
                return it.query.how == "who" and self._add(
                    text, topic.name, 0 in it.answer, it.answer
                )
            if topic.name == "relation" and len(people) == 1 and people[0].relations:
                return self._among([it.query.people, people[0]], text, is_negated=is_negated)
            is_open = topic.kind != "flag" and it.query.value is None
            if is_open and it.query.comparison is None and it.query.how not in ("is", "who"):
                return False
            whether = replace(it.query, how="is", is_negated=False, extreme="")
            holders = self._who(whether)
            if it.query.extreme:
                holders = {each.member or 0 for each in it.findings if each.holds}
            is_true = not numbers & holders if is_negated else numbers <= holders
            if is_negated and any(person.quantifier == "all" for person in people):
                is_true = not numbers <= holders
            if is_none:
                is_true = not holders & self._asked_of(it.query)
            elif any(_is_any(person) for person in people):
                is_true = bool(numbers & holders) != is_negated
            if is_only:
                is_true = numbers == holders & (self._asked_of(it.query) | {0})
            is_any = it.query.people.quantifier in ("any", "who")
            self.is_denied_of_you = is_negated and numbers == {0} and is_any
            self._add(text, topic.name, is_true and not is_missing, sorted(holders, key=str))
        return True

    def _who(self, query: Query) -> set[int]:
        """Return the members of whom it is known that it is so."""
        one = [replace(query, people=People("name", number=n)) for n in range(len(self.names))]
        found = [evaluate(it, self.household) for it in one]
        return {it.people[0] for it in found if it.is_known and it.answer}

    def _asked_of(self, query: Query) -> set[int]:
        return set(query.people.members(self.household))

    def _numbers(self, person: People) -> list[int]:
        if person.quantifier == "none":
            person = replace(person, quantifier="any")
        return person.members(self.household)

    def _number(
        self, number: Comparison, people: Sequence[People], text: str, is_about: bool
    ) -> bool:
        """Take in a number alone or of somebody: "61", "my son is 9"."""
        for it in self.found:
            is_of_people = it.query.topic is None and it.query.how in (
                "exists",
                "list",
                "who",
                "is",
            )
            if is_of_people and all(person.kind in ("you", "household") for person in people):
                return self._add(text, None, number.holds(len(it.people)), len(it.people))
            if it.query.how == "who" and it.query.topic:
                self._holders(people, [], text, is_negated=False, is_only=False)
            if is_of_people or it.query.how == "who":
                ages = [
                    self.household.members[n].age
                    for person in people
                    for n in self._numbers(person)
                ]
                is_true = bool(ages) and all(number.holds(age) for age in ages)
                return self._add(text, "age", is_true, ages, answers=is_of_people)
            if it.query.how == "count" or it.query.topic == "household_size":
                return self._add(text, it.query.topic, number.holds(it.answer), it.answer)
        for it in self.found:
            if it.query.topic and topics()[it.query.topic or ""].kind in ("number", "money"):
                query, found = it.query, it
                if query.topic == "household_income" and [it.kind for it in people] == ["name"]:
                    query = replace(query, topic="income")  # "Maria earns $9,000, Tom $4,000"
                others = [person for person in people if person.kind != "you" or len(people) == 1]
                if others and topics()[query.topic or ""].of_member and query.how != "sum":
                    found = evaluate(replace(query, people=others[0]), self.household)
                is_sum = query.how == "sum"
                values = [it.answer] if is_sum else [each.value for each in found.findings]
                are_all = bool(others) and others[0].kind == "group"
                fitting = [self._fits(value, number, query, is_about) for value in values]
                is_true = all(fitting) if are_all else any(fitting)
                return self._add(text, query.topic, is_true, values)
        return False

    def _several_numbers(self, numbers: Sequence[Comparison], kinds: set[str], text: str) -> bool:
        """Take in a list of what was asked for: "38 and 5"."""
        if kinds & {"people", "topic"}:
            return False
        for it in self.found:
            values = [each.value for each in it.findings]
            is_number = it.query.topic and topics()[it.query.topic or ""].kind in (
                "number",
                "money",
            )
            if is_number and len(values) == len(numbers):
                told = sorted(each.parts[0][1] for each in numbers)
                is_true = sorted(float(value or 0) for value in values) == told
                return self._add(text, it.query.topic, is_true, values)
        return False

    def _fits(self, value: Any, number: Comparison, query: Query, is_about: bool) -> bool:
        """Return whether a number is meant for a value: rounded, or per another period."""
        if not isinstance(value, int | float):
            return value is None and number.holds(0)
        said = number.parts[0][1]
        topic = topics()[query.topic or ""]
        period = number.period or query.period
        share = 1.0
        if topic.period in PER_YEAR and period in PER_YEAR and topic.period != period:
            share = PER_YEAR[period] / PER_YEAR[topic.period]
        if (span := number.in_unit(topic.unit)) is not number:
            if len(number.parts) > 1 or number.parts[0][0] != "==":
                return span.holds(value)
            own = span.parts[0][1] / said if said else 1.0
            is_whole = own > 1 and value // own == said  # "a year" for 14 months
            return is_whole or abs(span.parts[0][1] - value) <= max(own, 1) / 2
        if len(number.parts) > 1 or number.parts[0][0] != "==":
            return number.holds(value / share)
        said = said * share
        if abs(said - value) <= (share if share != 1 else 0):
            return True
        if is_about:
            return abs(said - value) <= APPROXIMATE_SHARE * abs(value)
        is_round = topic.kind == "money" and said >= 1000 and said % 500 == 0
        return is_round and abs(said - value) <= ROUNDED_SHARE * abs(value)

    def _is_related(self, query: Query) -> bool:
        """Whether a claim answers what was asked."""
        if not self.queries:
            return True
        theirs = related(query.topic or "")
        return any(
            asked.topic in (None, query.topic) or related(asked.topic or "") & theirs
            for asked in self.queries
        )


def _number_last(words: list[str]) -> list[str]:
    """Return words with a number that stands inside a phrase at their end: "pay $900 in rent".

    Raises:
        NotUnderstoodError: A word has no place, wherever the number stands.
    """
    try:
        cover(words, is_claim=True)
    except NotUnderstoodError:
        for place in range(1, len(words)):
            number = find_number(words, place)
            if number is not None:
                return [*words[:place], *words[number.end :], *words[place : number.end]]
        raise
    return words


def _is_aged(people: People) -> bool:
    """Whether somebody's age is said: "my spouse is 40 years old"."""
    is_said = re.search(r"\b(?:is|are) .*\d", people.said) is not None
    return people.has_ages and is_said and people.quantifier in ("the", "all")


def _is_any(people: People) -> bool:
    """Whether one of several may be meant: "a child", "my daughter" of two."""
    is_one = people.kind == "members" and people.relations and not people.is_plural
    return people.quantifier == "any" or bool(is_one and not people.pick)


def _is_counted(people: People) -> bool:
    if people.kind == "group":
        return all(_is_counted(it) for it in people.of)
    return people.kind == "members" and (people.is_plural or people.quantifier == "any")
