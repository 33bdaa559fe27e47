"""The words of an answer that no reader of clauses understood: what they add, if anything.

They may name once more those who were asked about, deny again, hold the number that was asked for
or comment on it; whatever tells something that no fact bears out is noted as invented.
"""

import re
from collections.abc import Sequence

from benyfits_data.understanding.parser.answer_clauses import take_beside
from benyfits_data.understanding.parser.answer_people import are_members, is_person
from benyfits_data.understanding.parser.answer_words import (
    COMMENT,
    DENIALS,
    FUNCTION_WORDS,
    ME,
    NO,
    ONE,
    POINTING,
    SMALL_TALK,
    SPOKEN,
    YES,
    as_asked,
    says_something,
)
from benyfits_data.understanding.parser.claim_notes import ClaimNotes
from benyfits_data.understanding.parser.cover import NotUnderstoodError, cover
from benyfits_data.understanding.parser.fact_words import belongs
from benyfits_data.understanding.parser.left_numbers import (
    asks_number,
    is_wrapping,
    take_left_number,
)
from benyfits_data.understanding.parser.people_found import people_named
from benyfits_data.understanding.parser.question_text import PLAIN_WORDS
from benyfits_data.understanding.parser.remarks import is_aside_after, is_remark
from benyfits_data.understanding.parser.stance import take_stance, take_value_named
from benyfits_data.understanding.parser.words import stem

_UNREAL = frozenset(("would", "could"))
_JOINED = re.compile(r"^(?:and|but|so|because|since|as) ")
_NAMING_WORDS = frozenset(("that", "is", "would", "be", "it", "this", "s", "both", "plus", "and"))
_NOTHING_MORE = re.compile(
    r"(?:none of (?:that|those|these)|nothing (?:like that|else|of the sort))"
)
"""Ends a list of denials: "no SSI, no pension, none of that"."""


class LeftWords:
    """Takes in the words that are left of each sentence.

    Attributes:
        notes: What was asked and claimed.
        sentence: The sentence that is being read, as it was said.
        remarked: The last sentence in which a remark was found.
        held: Remarks about what was asked, said before any answer: in its place if none follows.
    """

    def __init__(self, notes: ClaimNotes) -> None:
        self.notes = notes
        self.sentence = ""
        self.remarked = ""
        self.held: list[str] = []

    def is_told(self, word: str) -> bool:
        """Whether a word is one of grammar, of the question, or of what was asked or claimed."""
        told = [it.topic for it in self.notes.queries] + [it.topic for it in self.notes.claims]
        return (
            word in PLAIN_WORDS
            or word in FUNCTION_WORDS
            or stem(word) in self.notes.asked
            or any(belongs(word, topic) for topic in told if topic)
        )

    def _names_those_asked(self, text: str) -> bool:
        """Whether words name nobody but those who were asked about: "that's Theo, he's 1"."""
        notes = self.notes
        words = [it for it in re.findall(r"\w+", text) if it not in _NAMING_WORDS]
        is_number = len(notes.found) == 1 and asks_number(notes.found[0])
        if not is_number or not words or re.search(r"\d", text):
            return False
        others = [it for it in words if it not in ME]
        if others != words and 0 not in notes.asked_of(notes.found[0].query):
            return False
        if others and not are_members(others, notes):
            return False
        named = {
            n
            for it in people_named(as_asked(" ".join(others), notes.names))
            for n in notes.numbers_of(it)
        }
        return (bool(named) or not others) and named <= notes.asked_of(notes.found[0].query)

    def _says_again(self, words: Sequence[str]) -> bool:
        """Whether most of what words tell belongs to what was asked, without number or name."""
        notes = self.notes
        if not notes.is_answered or any(re.search(r"\d", word) for word in words):
            return False
        asked = [it.topic for it in notes.queries if it.topic]
        telling = [
            it
            for it in words
            if it not in FUNCTION_WORDS and it not in PLAIN_WORDS and not is_wrapping(it)
        ]
        own = [
            it
            for it in telling
            if stem(it) in notes.asked or any(belongs(it, topic) for topic in asked)
        ]
        is_named = any(
            re.search(rf"\b{word.capitalize()}\b", self.sentence[1:]) for word in telling
        )
        return len(own) > len(telling) - len(own) and not is_named

    def _denies_again(self, words: Sequence[str]) -> bool:
        """Take in a denial in words of the question and people alone: "I have no such thing".

        After a no it says nothing new, after a yes it takes that back; alone it is a no where it
        points to what was asked.
        """
        notes = self.notes
        is_open = bool({"only", "just", "all", "everyone", "everybody", "always"} & set(words))
        names = {word for name in notes.names for word in name}
        is_known = bool(notes.found) and all(it.is_known for it in notes.found)
        if is_open or words[:2] == ["none", "of"] or not is_known:
            return False
        told = DENIALS | POINTING | names
        if not all(word in told or self.is_told(word) or is_person(word) for word in words):
            return False
        is_pointed = bool(POINTING & set(words)) and bool(
            {it.query.how for it in notes.found} & {"is", "exists"}
        )
        if notes.last_word is None and not is_pointed:
            return False
        if _UNREAL & set(words) and notes.last_word is not None:
            return True  # "yes, and we would not make it without them"
        if notes.last_word is not False:
            if any(it.is_negated or it.is_opposite for it in notes.queries):
                return False  # "Are you unemployed?" "Yes, I have no such thing as a job."
            notes.polarity(False, " ".join(words))
        return True

    def take(self, text: str) -> None:
        """Note words that make no claim as invented, unless they say nothing new."""
        notes = self.notes
        if COMMENT.match(_JOINED.sub("", text)):
            return
        if is_remark(text, self.sentence):
            self.remarked = self.sentence
            if not notes.is_answered and says_something(text):
                self.held.append(text.strip())
            return
        if self.remarked == self.sentence and is_aside_after(text, self.sentence):
            return
        if self._names_those_asked(text) or (notes.is_answered and take_beside(notes, text)):
            return
        if _NOTHING_MORE.fullmatch(text) and notes.claims and notes.is_answered:
            return
        if ONE.match(text) and any(it.query.how in ("is", "exists") for it in notes.found):
            notes.polarity(True, text)  # "One is: Ben."
            return
        if take_value_named(notes, text, self.is_told):
            return
        if take_left_number(notes, text, self.is_told):
            return
        if take_stance(notes, text, self.is_told):
            return
        words = [word for word in re.findall(r"\w+", text) if word not in SMALL_TALK]
        if len(words) == 1 and (YES.fullmatch(words[0]) or NO.fullmatch(words[0])):
            notes.polarity(YES.fullmatch(words[0]) is not None, text)
            return
        is_aside = bool(SPOKEN & set(words))  # "not that I would know"
        if not is_aside and len(words) > 2 and DENIALS & set(words):
            if not self._denies_again(words):
                notes.invented.append(text.strip())
            return
        if all(self.is_told(word) or (is_aside and word == "not") for word in words):
            return  # "$900 a month, to the landlord"
        if not DENIALS & set(words) and self._says_again(words):
            return  # "the burial came out of my pocket"
        try:
            kinds = {part.kind for part in cover(words, is_claim=True)}
        except NotUnderstoodError:
            kinds = {"new"}
        if not kinds <= {"plain", "join", "period", "past period"}:
            notes.invented.append(text.strip())
