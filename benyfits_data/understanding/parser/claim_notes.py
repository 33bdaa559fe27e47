"""What an answer has claimed so far, and what was asked: the notes that its readers share."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.answer_words import CHECKS, TOLD
from benyfits_data.understanding.parser.numbers import SPANS
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.query import Evaluation, Query, evaluate
from benyfits_data.understanding.parser.question_text import VERBS
from benyfits_data.understanding.parser.topics import Topic, related, topics
from benyfits_data.understanding.parser.words import plain, stem

_OF_MONEY = frozenset(map(stem, TOLD["sums"]["money"].split()))
_OF_WORK = ("employed", "annual_work_income", "work_hours_per_week")
"""Topics that tell nothing of income from other sources."""
_NONE_WITHOUT = {
    "months_owned_property": "owns_home",
    "ac_age_years": "ac",
    "gpa": "student",
    "current_grade": "student",
}
"""Numbers with the fact without which there are none."""
_OF_TIME = frozenset(("months_since_worked", "full_time", "part_time"))
_OF_PEOPLE = ("age", "age_months", "household_size")
PEOPLE_TOPICS = (None, "household_size", "lives_alone")
"""Topics of a query that asks for people alone."""


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


class ClaimNotes:
    """What was asked of a household and what an answer claims of it.

    Attributes:
        queries: What was asked; empty where it was not understood.
        found: What answers each query.
        household: The household.
        names: The words of each member's name.
        claims: What was claimed.
        invented: Words that no fact bears out.
        is_answered: Whether something said answers the question.
        is_no_answer: Whether a sentence evades it.
        last_word: The last yes or no that was said.
        is_restated: Whether a sentence asks again what was asked.
        has_word: Whether a yes or a no was said.
        turns: The queries that the next yes or no answers one by one, where each has its own.
        is_denied_of_you: Whether the applicant alone was denied where anybody was asked about.
        people: Whom pronouns mean.
        named: The members of whom something was said to be so.
        numbers_told: The numbers said, each of which was found to be so.
        spoken_of: The members of whom anything was said.
        question: The words of the question.
        asked: Their stems.
        asks_whether: Whether the question begins as one that yes or no answers.
        asked_you_with: The verb of a question that is put to "you": "do" of "do you ...?".
        is_checked: Whether the question only wants to be confirmed: "..., right?".
    """

    def __init__(
        self,
        queries: Sequence[Query],
        household: Household,
        people: People | None = None,
        asked: str = "",
    ) -> None:
        self.question = plain(asked)
        self.queries = queries
        self.found = [evaluate(query, household) for query in queries]
        self.household = household
        self.names = [plain(member.name) for member in household.members]
        self.claims: list[AnswerClaim] = []
        self.invented: list[str] = []
        self.is_answered = False
        self.is_no_answer = False
        self.is_restated = False
        self.has_word = False
        self.last_word: bool | None = None
        self.turns: list[Evaluation] = []
        self.is_denied_of_you = False
        self.people = _spoken_of(people, household)
        self.named: set[int] = set()
        self.numbers_told: set[float] = set()
        self.spoken_of: set[int] = set()
        self.asked = frozenset(map(stem, self.question))
        first, second = [*self.question[:2], "", ""][:2]
        self.asked_you_with = first if first in VERBS and second == "you" else ""
        self.is_checked = CHECKS.search(asked) is not None
        self.asks_whether = bool(set(self.question[:1]) & VERBS)

    def add(
        self, said: str, topic: str | None, is_true: bool, truth: Any, *, answers: bool = True
    ) -> bool:
        """Note a claim; return true."""
        self.claims.append(AnswerClaim(said, topic, is_true, truth))
        self.is_answered = self.is_answered or answers
        return True

    def mark(self) -> tuple[int, bool]:
        """Return where the claims end and whether the question is answered, for `take_back`."""
        return len(self.claims), self.is_answered

    def since(self, mark: tuple[int, bool]) -> list[AnswerClaim]:
        """Return the claims that were noted after a mark."""
        return self.claims[mark[0] :]

    def take_back(self, mark: tuple[int, bool]) -> None:
        """Forget the claims that were noted after a mark: what was read so is not meant."""
        n_claims, self.is_answered = mark
        del self.claims[n_claims:]

    def polarity(self, word: bool, said: str) -> None:
        """Note a yes or a no to what was asked."""
        self.has_word = True
        self.last_word = word
        if self.turns:
            it = self.turns.pop(0)
            self.add(said, it.query.topic, bool(it.answer) == word, it.answer)
            return
        whether = [it for it in self.found if it.query.asks_whether]
        if not whether:
            counted = [it for it in self.found if it.query.how in ("who", "count", "list")]
            if counted and not word:
                truth = counted[0].answer
                self.add(said, counted[0].query.topic, not truth, truth)
            elif self.asks_whether and self.found and all(it.is_known for it in self.found):
                # "Were you evicted, and when?": only a wrong yes or no tells anything of the time
                truths = [it.value for each in self.found for it in each.findings]
                if any(it not in (None, "none", 0) for it in truths) != word:
                    self.add(said, self.found[0].query.topic, is_true=False, truth=truths)
            return
        if not all(it.is_known for it in whether):
            self.invented.append(said)
            self.is_answered = True
            return
        answers = [it.is_so for it in whether]
        truth = all(answers) if whether[-1].query.joint == "and" else any(answers)
        if len(whether) == 1 or truth == word or not any(it.query.joint for it in whether):
            self.add(said, whether[0].query.topic, any(answers) == word, truth)
        else:
            self.add(said, whether[0].query.topic, truth == word, truth)

    def asks_people(self) -> bool:
        """Return whether people alone were asked for, or nothing that was understood."""
        return not self.queries or any(it.topic in PEOPLE_TOPICS for it in self.queries)

    def asks_who_not(self) -> bool:
        """Return whether those are asked for of whom something is not so."""
        return (
            len(self.queries) == 1 and self.queries[0].how == "who" and self.queries[0].is_negated
        )

    def is_related(self, query: Query) -> bool:
        """Return whether a claim answers what was asked."""
        if not self.queries:
            return True
        theirs = related(query.topic or "")
        asked = {it.topic for it in self.queries}
        if query.topic == "lives_alone" and "household_size" in asked:
            return True  # "there is 1 person here"
        if query.is_negated and any(_NONE_WITHOUT.get(it or "") == query.topic for it in asked):
            return True  # of what is not owned there is no time to tell
        if "place_of_residence" in asked and "homeless" in theirs:
            return True  # "where do you live?" "In a shelter."
        is_amount = query.topic is not None and query.topic not in _OF_PEOPLE
        is_amount = is_amount and topics()[query.topic or ""].kind in ("number", "money")
        return any(
            asked.topic == query.topic
            or (asked.topic is None and not is_amount)
            or (
                related(asked.topic or "") & theirs
                and not (asked.topic == "annual_investment_income" and query.topic in _OF_WORK)
            )
            for asked in self.queries
        )

    def is_of_others(self, query: Query) -> bool:
        """Return whether a claim is of nobody that was asked about: "I work" of your spouse."""
        asked = [it.people for it in self.queries if it.topic and topics()[it.topic].of_member]
        if not asked or query.topic is None or "married" in related(query.topic):
            return False
        are_certain = all(
            it.kind in ("you", "name", "members")
            and (it.quantifier == "the" or (it.quantifier == "any" and it.relations))
            for it in asked
        )
        meant = {number for it in asked for number in it.members(self.household)}
        said = set(query.people.members(self.household))
        is_member = topics()[query.topic].of_member
        return bool(are_certain and is_member and meant and said) and not meant & said

    def asks_other_number(self, query: Query, *, has_number: bool) -> bool:
        """Return whether a number is told, or that there is some, where another is asked for.

        "I made $22,000" and "I have a job" do not tell how many hours somebody works.
        """
        asked = [
            topics()[it.topic] for it in self.queries if it.topic and it.how in ("value", "sum")
        ]
        if not query.topic or len(asked) != len(self.queries) or not asked:
            return False
        told = topics()[query.topic]
        is_flag = told.kind == "flag" and not (query.is_negated or query.is_opposite)
        are_numbers = all(it.kind in ("number", "money") for it in asked)
        if is_flag and are_numbers and not _OF_TIME & {it.name for it in (*asked, told)}:
            return True  # "I do work" does not tell how much is earned
        is_vague = told.kind in ("number", "money") and not (has_number or query.comparison)
        if is_vague and are_numbers and not query.is_negated and {"how", "what"} & {*self.question}:
            return True  # "She works hours"
        if not all(it.kind in ("number", "money") for it in asked) or not has_number:
            return False
        if told.unit == "hour" and not _OF_MONEY & self.asked:
            return False  # "how much does she work?"
        return told.kind in ("number", "money") and all(_kind(it) != _kind(told) for it in asked)

    def who(self, query: Query) -> set[int]:
        """Return the members of whom it is known that it is so."""
        among = None if query.topic else query.among
        one = [replace(query, people=self.one(n), among=among) for n in range(len(self.names))]
        found = [evaluate(it, self.household) for it in one]
        return {it.people[0] for it in found if it.is_known and it.answer}

    def holders(self, query: Query) -> set[int]:
        """Return the members of whom what a query asks is so, in whatever way it asks."""
        return self.who(replace(query, how="is", is_negated=False, extreme=""))

    def one(self, number: int) -> People:
        """Return one member as people."""
        return People("name", number=number)

    def are_all_named(self) -> bool:
        """Return whether what was asked is so of nobody else than those who were named."""
        asked = self.found[0].query if self.found else None
        if asked is None or asked.among is not None or asked.topic in PEOPLE_TOPICS:
            return asked is None or set(self.found[0].people) <= self.named | {0}
        if not topics()[asked.topic or ""].of_member:
            return True
        return self.holders(asked) & self.asked_of(asked) <= self.named

    def asked_of(self, query: Query) -> set[int]:
        """Return the members that a query is about."""
        return set(query.people.members(self.household))

    def numbers_of(self, person: People) -> list[int]:
        """Return the members that people named in an answer are."""
        if person.quantifier == "none":
            person = replace(person, quantifier="any")
        return person.members(self.household)


def _spoken_of(people: People | None, household: Household) -> People | None:
    """Return whom "he" means where the applicant and one other were asked about."""
    others = [it for it in people.of if it.kind != "you"] if people else []
    if people is None or people.kind != "group" or len(others) != 1:
        return people
    return others[0]


def is_any(people: People) -> bool:
    """Whether one of several may be meant: "a child", "my daughter" of two."""
    is_one = people.kind == "members" and people.relations and not people.is_plural
    return people.quantifier == "any" or bool(is_one and not people.pick)


def _kind(topic: Topic) -> str:
    """Return what a number counts: spans of time are all of one kind."""
    return "time" if topic.unit in SPANS else topic.unit or topic.name
