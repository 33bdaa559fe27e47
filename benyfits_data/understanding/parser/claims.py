"""Answers read into claims about the household, and held against it.

The same lexicon that reads questions reads what is said: "my spouse has a disability" becomes the
query whether that is so. Nothing is compared as text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.answer_reader import AnswerReader
from benyfits_data.understanding.parser.answer_words import (
    COURTESY,
    DENIALS,
    NO,
    YES,
    corrected,
    plain_answer,
    says_something,
    sentences_of,
)
from benyfits_data.understanding.parser.claim_notes import AnswerClaim, ClaimNotes
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.fact_words import belongs
from benyfits_data.understanding.parser.gist import asked_by_number, asked_by_words, guessed
from benyfits_data.understanding.parser.left_numbers import asks_number
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.people_found import mark_names, people_named
from benyfits_data.understanding.parser.query import Query
from benyfits_data.understanding.parser.question_text import VERBS
from benyfits_data.understanding.parser.questions import read_question
from benyfits_data.understanding.parser.topics import topics
from benyfits_data.understanding.parser.whom import UNKNOWN
from benyfits_data.understanding.parser.words import plain

Verdict = Literal["faithful", "unfaithful", "over_claim", "no_answer", "not_understood"]


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
        queries = guessed(question, household)
    named = _named_in(question, household)
    judgment = judge_queries(queries, answer, household, named, question)
    if queries or judgment.verdict not in ("not_understood", "over_claim", "no_answer"):
        return judgment
    if likely := asked_by_number(question, answer, household):
        return judge_queries(likely, answer, household, named, question)
    if likely := asked_by_words(question, household):
        second = judge_queries(likely, answer, household, named, question)
        return second if _tells_itself(second, likely[0].topic) else judgment
    return judgment


def _tells_itself(judgment: Judgment, topic: str | None) -> bool:
    """Whether an answer tells a fact in words of its own, and no yes or no stands against them."""
    told = [
        it
        for it in judgment.claims
        if topic and it.topic == topic and any(belongs(word, topic) for word in it.said.split())
    ]
    return bool(told) and len({it.is_true for it in judgment.claims}) == 1


def _named_in(question: str, household: Household) -> People | None:
    """Return whom a question names beside you, where it names one: "he" may be meant by that."""
    words = mark_names(plain(question), [plain(member.name) for member in household.members])
    named = people_named(words)
    named = [it for it in named if it.kind == "name"] or named  # "is Ben your own son?"
    return named[0] if len(named) == 1 else None


def _without_echoes(claims: Sequence[AnswerClaim]) -> list[AnswerClaim]:
    """Return claims without the bare name of a fact of which more is said.

    In "buses are out for me, I can't use them" the first words name what the last ones deny.
    """
    return [it for it in claims if it.is_true or not (_is_bare(it) and _is_said_again(it, claims))]


def _is_bare(claim: AnswerClaim) -> bool:
    """Whether a claim has no words but those of its fact: "trains and buses"."""
    if claim.topic is None or topics()[claim.topic].kind != "flag":
        return False
    words = [it for it in re.findall(r"[a-z]+", claim.said) if it not in ("and", "or", "in", "the")]
    return bool(claim.topic and words) and all(
        belongs(it, claim.topic or "") and it not in VERBS and it not in DENIALS for it in words
    )


def _is_said_again(claim: AnswerClaim, claims: Sequence[AnswerClaim]) -> bool:
    return any(
        it.is_true and it.topic == claim.topic and not _is_bare(it) and len(it.said.split()) > 1
        for it in claims
    )


_LIKENING = frozenset(("same", "than", "half", "twice", "double", "like", "equal"))
"""Words by which a number is told without a numeral."""


def _tell_nothing(notes: ClaimNotes, texts: Sequence[str]) -> bool:
    """Whether words tell no fact, or no number where one was asked: "my pay is about enough"."""
    if not any(says_something(text) for text in texts):
        return True
    are_numbers = bool(notes.found) and all(asks_number(it) for it in notes.found)
    telling = DENIALS | _LIKENING
    return are_numbers and not any(
        word in telling or re.search(r"\d", word) for text in texts for word in text.split()
    )


def _read(reader: AnswerReader, sentences: Sequence[str]) -> ClaimNotes:
    """Return what the sentences of an answer claim."""
    notes = reader.notes
    ask_whether = all(it.query.how in ("is", "exists") and it.is_known for it in notes.found)
    if len(notes.found) > 1 and ask_whether:
        words = [it for it in map(plain_answer, sentences) if YES.match(it) or NO.match(it)]
        if len(words) == len(notes.found):
            notes.turns = list(notes.found)  # "Yes, I work. No, I do not study."
    for sentence in sentences:
        reader.read(sentence)
    reader.finish()
    return notes


def judge_queries(
    queries: Sequence[Query],
    answer: str,
    household: Household,
    named: People | None = None,
    question: str = "",
) -> Judgment:
    """Return whether an answer to queries is so.

    Args:
        queries: What was asked; empty where it was not understood.
        answer: What somebody said.
        household: The household.
        named: Whom the question names, where it was not understood.
        question: Its words, which an answer may repeat.
    """
    is_unknown = bool(queries) and all(it.topic == UNKNOWN.topic for it in queries)
    people = queries[0].spoken_of if queries and not (is_unknown and named) else named
    sentences = [corrected(it) for it in sentences_of(corrected(answer))]
    begin = 1 if sentences[1:] and COURTESY.fullmatch(plain_answer(sentences[0])) else 0
    notes = _read(AnswerReader(queries, household, people, question), sentences[begin:])
    if begin and not notes.is_answered:  # "Sure." is a yes after all
        notes = _read(AnswerReader(queries, household, people, question), sentences)
    claims, invented = tuple(_without_echoes(notes.claims)), tuple(notes.invented)
    notes.is_no_answer |= notes.is_restated and not notes.is_answered
    verdict: Verdict
    if notes.is_no_answer and invented:
        verdict = "no_answer"
    elif any(not claim.is_true and not (is_unknown and claim.topic == "name") for claim in claims):
        verdict = "unfaithful"
    elif is_unknown and invented:
        verdict = "over_claim"
    elif not queries and all(claim.topic is None for claim in claims):
        verdict = "no_answer" if notes.is_no_answer else "not_understood"
    elif notes.is_answered:
        verdict = "over_claim" if invented else "faithful"
    elif notes.is_no_answer or claims or _tell_nothing(notes, invented):
        verdict = "no_answer"
    else:
        verdict = "not_understood"
    return Judgment(verdict, claims, invented)
