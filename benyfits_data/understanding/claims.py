"""Answers read into claims about the household, and held against it.

The same lexicon that reads questions reads what is said: "my spouse has a disability" becomes the
query whether that is so. Nothing is compared as text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from benyfits_data.household.model import Household
from benyfits_data.understanding.clauses import fit_unit, read_clause
from benyfits_data.understanding.cover import ClausePart, NotUnderstoodError, cover
from benyfits_data.understanding.numbers import Comparison
from benyfits_data.understanding.people import People, mark_names
from benyfits_data.understanding.query import PER_YEAR, Query, evaluate
from benyfits_data.understanding.question_text import strip_tail
from benyfits_data.understanding.questions import read_question
from benyfits_data.understanding.topics import Meaning, related, topics
from benyfits_data.understanding.whom import YOU, Context, people_of
from benyfits_data.understanding.words import plain

Verdict = Literal["faithful", "unfaithful", "over_claim", "no_answer", "not_understood"]

APPROXIMATE_SHARE = 0.1
"""How far "about $30,000" may be from the amount that is meant."""
ROUNDED_SHARE = 0.02
"""How far a round number of thousands may be, said without "about"."""

_SWAPS = {
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "we": "your household",
    "us": "your household",
    "our": "your household",
    "ours": "your household",
}
_YES = re.compile(
    r"^(?:(?:well|oh|um|ah|sure|okay|of course),? )?(yes|yeah|yep|yup|correct|right|"
    r"that is (?:right|correct|true)|indeed|absolutely|definitely|true|affirmative|"
    r"certainly|of course|sure|exactly)\b"
)
_NO = re.compile(
    r"^(?:(?:well|oh|um|ah|actually|unfortunately),? )?(no|nope|nah|not at all|"
    r"negative|false|none of (?:us|them)|nobody|none|not really|neither|never|"
    r"not currently|not that i know|incorrect|that is (?:not (?:right|correct|true)|"
    r"wrong|incorrect))\b(?! (?:idea|information|way to know|clue))"
)
_NO_ANSWER = re.compile(
    r"\b(?:do not (?:know|have (?:that|this|the|any) (?:information|detail|"
    r"details))|not sure|unsure|no idea|can not (?:say|tell|recall|remember|answer)|"
    r"unknown|no information|"
    r"not (?:mentioned|specified|stated|provided|aware)|would rather not|prefer not|"
    r"rather not (?:say|answer)|do not (?:want|wish) to (?:say|answer|share)|"
    r"i would have to check|hard to say|not comfortable|"
    r"do not (?:remember|recall|understand)|no clue|can you (?:explain|repeat|"
    r"clarify)|what do you mean|tell me why|why (?:that|this|it) matters?|"
    r"get back to you|is private|private matter|personal question|let me think|"
    r"why do you (?:ask|need)|it depends|"
    r"none of your business|skip (?:that|this))\b"
)
_ABOUT_WORDS = frozenset(
    ["about", "around", "roughly", "approximately", "nearly", "almost", "circa", "close"]
)
_NOTHING = re.compile(
    r"^(?:none|nothing|zero|0|\$0|nil|never|not applicable|n a|"
    r"that does not apply(?: to .*)?|does not apply)$"
)
_SPOKEN = (
    (
        re.compile(r"\bsomewhere between|\banywhere between|\banywhere from|\bsomewhere from"),
        "between",
    ),
    (re.compile(r"\b(?:before|after deducting) (?:taxes|tax)\b"), ""),
    (re.compile(r"\bin (?:college|a college)\b"), "attending college"),
    (
        re.compile(r"\bin (?:my|his|her|their) (?:early |mid |late )?(\d)0 ?s\b"),
        r"between \g<1>0 and \g<1>9",
    ),
    (re.compile(r"\bjust (?:me|myself|us|the (?:\d+) of us)\b"), "1"),
)
_AGED = re.compile(r"(?P<name>[A-Z]\w+(?: [A-Z]\w+)*) \((?P<age>\d+)\)")
_SPLITS = re.compile(r" (?:but|because|since|although|though|while|who|which|so|and) |, |; ")


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
    return judge_queries(queries, answer, household)


def judge_queries(queries: Sequence[Query], answer: str, household: Household) -> Judgment:
    """Return whether an answer to queries is so.

    Args:
        queries: What was asked; empty where it was not understood.
        answer: What somebody said.
        household: The household.
    """
    reader = _AnswerReader(queries, household)
    if not answer.strip():
        return Judgment("no_answer")
    for sentence in _sentences(answer):
        reader.read(sentence)
    claims = tuple(reader.claims)
    if any(not claim.is_true for claim in claims):
        return Judgment("unfaithful", claims, tuple(reader.invented))
    if reader.is_no_answer and not reader.is_answered:
        return Judgment("no_answer", claims, tuple(reader.invented))
    if reader.is_answered:
        verdict: Verdict = "over_claim" if reader.invented else "faithful"
        return Judgment(verdict, claims, tuple(reader.invented))
    return Judgment("not_understood", claims, tuple(reader.invented))


def _sentences(answer: str) -> list[str]:
    text = re.sub(r"\s+", " ", answer)
    text = re.sub(r"\b(Mr|Ms|Mrs|Dr|St|U\.S|e\.g|i\.e)\.", r"\1", text)
    return [part for part in re.split(r"(?<=[.!?:])\s+|\n", text) if part.strip()]


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
        self.people = queries[0].people if queries else YOU

    def read(self, sentence: str) -> None:
        """Take in the claims of one sentence."""
        sentence = _AGED.sub(self._aged, sentence)
        words = plain(sentence)
        text = re.sub(r" ?[.!?:;]", "", " ".join(words)).replace(" ,", ",").strip(" ,")
        text = re.sub(r"\(\s*(.*?)\s*\)", r", \1,", text).strip(" ,")
        for pattern, instead in _SPOKEN:
            text = pattern.sub(instead, text).strip(" ,")
        text = strip_tail(text)
        if not text:
            return
        if _NO_ANSWER.search(text):
            self.is_no_answer = True
            return
        if self._is_fragment(text):
            return
        for pattern, word in ((_YES, True), (_NO, False)):
            match = pattern.match(text)
            if match:
                said = match.group(0)
                rest = text[match.end() :].strip(" ,")
                if (
                    word is False
                    and rest
                    and not text[match.end() :].startswith(",")
                    and self._clause(text)
                ):
                    return
                self._polarity(word, said)
                text = rest
                break
        if text:
            self._text(text)

    def _aged(self, match: re.Match[str]) -> str:
        """Take in an age told in passing: "Cleo (9)"."""
        first = plain(match.group("name"))[:1]
        for number, name in enumerate(self.names):
            if name[:1] == first:
                age = self.household.members[number].age
                is_true = age == int(match.group("age"))
                self._add(match.group(0), "age", is_true, age, answers=False)
        return match.group("name")

    def _is_fragment(self, text: str) -> bool:
        """Take in an answer of one value: a number, nothing, a name."""
        if not self.queries:
            return False
        if _NOTHING.match(text) and any(
            it.query.how in ("value", "sum", "count") for it in self.found
        ):
            for it in self.found:
                truths = it.answer if isinstance(it.answer, list) else [it.answer]
                is_true = all(truth in (None, 0, False) or truth == [] for truth in truths)
                self._add(text, it.query.topic, is_true, it.answer)
            return True
        return False

    def _polarity(self, word: bool, said: str) -> None:
        whether = [it for it in self.found if it.query.how in ("is", "exists")]
        if not whether:
            counted = [it for it in self.found if it.query.how in ("who", "count", "list")]
            if counted and not word:
                truth = counted[0].answer
                self._add(said, counted[0].query.topic, not truth, truth)
            return
        truth = any(bool(it.answer) for it in whether)
        if not all(it.is_known for it in whether):
            self.invented.append(said)
            self.is_answered = True
            return
        self._add(said, whether[0].query.topic, truth == word, truth)

    def _add(
        self, said: str, topic: str | None, is_true: bool, truth: Any, *, answers: bool = True
    ) -> None:
        self.claims.append(AnswerClaim(said, topic, is_true, truth))
        self.is_answered = self.is_answered or answers

    def _text(self, text: str) -> None:
        if self._clause(text) or any(self._clause(f"{lead} {text}") for lead in self._leads()):
            return
        for match in _SPLITS.finditer(text):
            first, second = text[: match.start()].strip(" ,"), text[match.end() :].strip(" ,")
            if first and second and self._clause(first):
                self._text(second)
                return
        pieces = [piece.strip() for piece in _SPLITS.split(text) if piece.strip()]
        if len(pieces) > 1:
            for piece in pieces:
                if not self._clause(piece):
                    self._not_read(piece)
            return
        self._not_read(text)

    def _leads(self) -> tuple[str, ...]:
        """Words that make a sentence of a bare value: "in New Jersey", "rent stabilized"."""
        kinds = {topics()[query.topic].kind for query in self.queries if query.topic}
        return ("i live", "i live in", "i am", "i have") if "choice" in kinds else ()

    def _not_read(self, text: str) -> None:
        content = [word for word in text.split() if word not in _SMALL_TALK]
        if content:
            self.invented.append(text)

    def _clause(self, text: str) -> bool:
        """Take in one clause; return whether it was understood."""
        swapped = [_SWAPS.get(word, word) for word in text.split()]
        raw = re.findall(r"[^\s,]+|,", " ".join(swapped))
        is_about = bool(set(raw) & _ABOUT_WORDS) or "more or less" in text or "give or take" in text
        words = mark_names([word for word in raw if word not in _ABOUT_WORDS], self.names)
        words = [word for word in words if word not in _SMALL_TALK] or words
        if len(words) > 1 and words[-1] == "1" and words[-2] in ("has", "have", "is", "am", "are"):
            words = words[:-1]  # "my spouse has one"
        try:
            parts = cover(words, is_claim=True)
        except NotUnderstoodError:
            return False
        numbers = [part for part in parts if part.kind == "number"]
        if len(numbers) > 1:
            return self._several_numbers(parts, words, is_about)
        if not any(part.kind in ("topic", "comparison") for part in parts):
            return self._about_people(parts, words, text, is_about)
        return self._statement(parts, words, text, is_about)

    def _statement(
        self, parts: Sequence[ClausePart], words: list[str], text: str, is_about: bool
    ) -> bool:
        """Take in a sentence with a topic of its own: "my spouse has a disability"."""
        bare = [
            word
            for place, word in enumerate(words)
            if not any(part.kind == "number" and part.start <= place < part.end for part in parts)
        ]
        context = Context(people=self.people, plural=self.people)
        has_people = any(part.kind == "people" for part in parts)
        number = next(
            (
                part.it
                for part in parts
                if isinstance(part.it, Comparison) and part.kind == "number"
            ),
            None,
        )
        try:
            queries = read_clause(
                ["is", *bare], context, is_claim=True, has_number=number is not None
            )
        except NotUnderstoodError:
            return False
        for asked in queries:
            if asked.topic is None:
                self._add(text, None, *self._people_claimed(asked))
                continue
            query = replace(asked, how="is")
            if not has_people and self.queries:
                query = replace(query, people=self.people)
            if (
                topics()[query.topic or ""].kind == "choice"
                and query.value is None
                and number is None
            ):
                return False
            found = evaluate(query, self.household)
            if not found.is_known:
                return False
            if topics()[query.topic or ""].of_member and not found.people:
                self._add(
                    text, query.topic, query.is_negated, None, answers=self._is_related(query)
                )
                continue
            if number is not None:
                try:
                    topic_of, _ = fit_unit(
                        topics()[query.topic or ""], Meaning(query.topic or ""), number
                    )
                except NotUnderstoodError:
                    return False
                query = replace(query, topic=topic_of.name)
                found = evaluate(query, self.household)
                values = [it.value for it in found.findings]
                is_true = any(self._fits(value, number, query, is_about) for value in values)
            else:
                is_true = bool(found.answer) != query.is_negated
            values = [it.value for it in found.findings]
            self._add(text, query.topic, is_true, values, answers=self._is_related(query))
            self.people = query.people if query.people.kind != "you" or has_people else self.people
        return True

    def _people_claimed(self, query: Query) -> tuple[bool, list[int]]:
        """Return whether there are such people, or so many, and who they are."""
        people = list(evaluate(query, self.household).people)
        if query.comparison is not None:
            return query.comparison.holds(len(people)), people
        return bool(people) != query.is_negated, people

    def _about_people(
        self, parts: Sequence[ClausePart], words: list[str], text: str, is_about: bool
    ) -> bool:
        """Take in "my spouse does", "Maria and Tom", "61", "three": the question has the topic."""
        if not self.queries:
            return False
        is_negated = sum(part.kind == "not" for part in parts) % 2 == 1
        number = next((part.it for part in parts if part.kind == "number"), None)
        try:
            people = people_of(parts, words, Context(people=self.people, plural=self.people))
        except NotUnderstoodError:
            return False
        if number is not None:
            return self._bare_number(number, people, text, is_about)
        if not people:
            if any(part.kind == "not" for part in parts) or all(
                part.kind in ("plain", "join") for part in parts
            ):
                # "that is so", "not at the moment": what yes or no said already.
                return bool(self.claims) and all(
                    part.kind in ("plain", "join", "not") for part in parts
                )
            return False
        it = self.found[0]
        if [person.quantifier for person in people] == ["none"] and it.query.topic is None:
            meant = replace(people[0], quantifier="any").members(self.household)
            self._add(text, None, not meant, meant)
            return True
        numbers = {number for person in people for number in self._numbers(person)}
        if it.query.topic is None:
            if it.query.how in ("exists", "list", "count", "who"):
                is_true = (
                    numbers <= set(it.people) and bool(numbers) if not is_negated else not it.people
                )
                missing = any(not self._numbers(person) for person in people)
                self._add(
                    text,
                    None,
                    (is_true and not missing) or (is_negated and not it.people),
                    list(it.people),
                )
                return True
            return False
        for it in self.found:
            topic = topics()[it.query.topic or ""]
            if not topic.of_member:
                self._add(text, topic.name, bool(it.answer) != is_negated, it.answer)
                continue
            if (
                topic.kind != "flag"
                and it.query.value is None
                and it.query.comparison is None
                and it.query.how not in ("is", "who", "count")
            ):
                return False
            one = [
                evaluate(
                    replace(it.query, how="is", is_negated=False, people=person), self.household
                )
                for person in people
            ]
            is_true = all(bool(each.answer) != is_negated for each in one) and all(
                each.people for each in one
            )
            self._add(text, topic.name, is_true, [each.answer for each in one])
        return True

    def _numbers(self, person: People) -> list[int]:
        if person.kind == "household":
            return list(range(len(self.household.members)))
        if person.quantifier == "none":
            return []
        return person.members(self.household)

    def _bare_number(
        self, number: Any, people: Sequence[People], text: str, is_about: bool
    ) -> bool:
        others = [person for person in people if person.kind not in ("you", "household")]
        for it in self.found:
            if it.query.topic is None and it.query.how in ("exists", "list", "who"):
                if others and others[0].is_plural:
                    meant = others[0].members(self.household)
                    self._add(text, None, len(meant) == number.parts[0][1], len(meant))
                    return True
                ages = [
                    self.household.members[n].age
                    for person in people
                    for n in self._numbers(person)
                ]
                self._add(text, "age", bool(ages) and all(number.holds(age) for age in ages), ages)
                return True
            if it.query.how == "count" or it.query.topic == "household_size":
                self._add(text, it.query.topic, it.answer == number.parts[0][1], it.answer)
                return True
        for it in self.found:
            if it.query.topic and topics()[it.query.topic].kind in ("number", "money"):
                query = it.query
                found = it
                others = [person for person in people if person.kind != "you" or len(people) == 1]
                if others and topics()[query.topic or ""].of_member and query.how != "sum":
                    found = evaluate(replace(query, people=others[0]), self.household)
                values = (
                    [found.answer]
                    if query.how == "sum"
                    else [each.value for each in found.findings]
                )
                self._add(
                    text,
                    query.topic,
                    any(self._fits(value, number, query, is_about) for value in values),
                    values,
                )
                return True
        return False

    def _several_numbers(
        self, parts: Sequence[ClausePart], words: list[str], is_about: bool
    ) -> bool:
        """Take in a list: "Maria is 38 and Tom is 5", "38 and 5"."""
        numbers = [part.it for part in parts if isinstance(part.it, Comparison)]
        for it in self.found:
            if (
                it.query.topic
                and topics()[it.query.topic].kind in ("number", "money")
                and not any(part.kind in ("people", "topic") for part in parts)
            ):
                values = [each.value for each in it.findings]
                if len(values) != len(numbers):
                    return False
                is_true = sorted(float(value or 0) for value in values) == sorted(
                    n.parts[0][1] for n in numbers
                )
                self._add(" ".join(words), it.query.topic, is_true, values)
                return True
        return False

    def _fits(self, value: Any, number: Any, query: Query, is_about: bool) -> bool:
        """Return whether a number is meant for a value: rounded, or per another period."""
        if not isinstance(value, int | float):
            return False
        said = number.parts[0][1]
        topic = topics()[query.topic or ""]
        period = number.period or query.period
        slack = 0.0
        if topic.period in PER_YEAR and period in PER_YEAR and topic.period != period:
            said = said * PER_YEAR[period] / PER_YEAR[topic.period]
            slack = PER_YEAR[period] / PER_YEAR[topic.period]
        if len(number.parts) > 1:
            return bool(number.holds(value))
        if abs(said - value) <= slack:
            return True
        if is_about:
            return bool(abs(said - value) <= APPROXIMATE_SHARE * abs(value))
        is_round = topic.kind == "money" and said >= 1000 and said % 500 == 0
        return bool(is_round and abs(said - value) <= ROUNDED_SHARE * abs(value))

    def _is_related(self, query: Query) -> bool:
        """Whether a claim answers what was asked."""
        if not self.queries:
            return True
        for asked in self.queries:
            if asked.topic == query.topic or asked.topic is None:
                return True
            mine, theirs = related(asked.topic), related(query.topic or "")
            if mine & theirs:
                return True
        return False


_SMALL_TALK = frozenset(
    [
        "well",
        "actually",
        "yes",
        "no",
        "sir",
        "madam",
        "thanks",
        "thank",
        "you",
        "very",
        "honestly",
        "really",
        "indeed",
        "still",
        "of",
        "course",
        "just",
        "only",
        "also",
        "unfortunately",
        "luckily",
        "fortunately",
        "sorry",
        "please",
        "currently",
        "now",
        "right",
        "moment",
        "at",
        "the",
    ]
) - {"you", "at", "the"}
