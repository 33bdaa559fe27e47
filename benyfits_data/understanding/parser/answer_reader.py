"""An answer read sentence by sentence: yes and no, evasions, and the clauses of what is left."""

import re
from collections.abc import Sequence

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.answer_clauses import take_all_but, take_clause
from benyfits_data.understanding.parser.answer_names import (
    is_name_of_nobody,
    take_names_asked,
    tells_else,
)
from benyfits_data.understanding.parser.answer_people import (
    are_members,
    clauses_joined,
    is_person,
    is_restated,
    with_denied_apart,
    with_one_named,
    with_relative_apart,
)
from benyfits_data.understanding.parser.answer_replies import (
    LEANING,
    REPLIES,
    take_neither,
    take_nothing,
)
from benyfits_data.understanding.parser.answer_words import (
    AGED,
    ALL_BUT,
    ASKS_OTHERS,
    CONFIRMS,
    COUNTED,
    COURTESY,
    CUTS,
    DENIALS,
    EVASION,
    FILLER,
    IS_SO,
    LAST_WORD,
    ME,
    NO,
    NO_LEADS,
    NO_ONE_OF_THEM,
    NOBODY_ELSE,
    OF_AGE,
    ONE,
    ONE_NAMED,
    OPEN_ENDS,
    PARTS,
    PLACING,
    PLAIN_WORD,
    SPLITS,
    YES,
    plain_answer,
    says_something,
)
from benyfits_data.understanding.parser.asked_forms import in_asked_form
from benyfits_data.understanding.parser.claim_notes import ClaimNotes
from benyfits_data.understanding.parser.composition_claims import take_ages_asked, take_composition
from benyfits_data.understanding.parser.denials import AFTER_DENIAL, DENIED_WITHIN, with_denials_put
from benyfits_data.understanding.parser.fact_words import belongs
from benyfits_data.understanding.parser.implied import in_plain_words
from benyfits_data.understanding.parser.left_words import LeftWords
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.pronoun_one import without_pronoun_one
from benyfits_data.understanding.parser.query import Query
from benyfits_data.understanding.parser.question_text import VERBS
from benyfits_data.understanding.parser.remarks import is_remark
from benyfits_data.understanding.parser.stance import take_stance, take_value_named
from benyfits_data.understanding.parser.sum_claims import take_parts_of_sum
from benyfits_data.understanding.parser.topics import related, topics
from benyfits_data.understanding.parser.words import plain

MOST_WORDS_SAID = 300
"""Of a sentence: the longest of 200 answers of a small model that rambles has 163. Longer ones are
not read: each place where they could be parted would be tried, for minutes."""
_COURTEOUS = re.compile(
    r"(?i)(?:of course|certainly|absolutely|definitely), (?!(?:i|we) (?:can|will|would|am|'m)\b)"
)
"""A yes, if nothing else answers: "Of course, he gets SSDI."."""
_AT_WORK = re.compile(
    r"(?:outside (?:the|my|our) home|from home|at home|in (?:the city|nyc|new york))\b"
)
"""Where somebody works: "40 hours a week, outside the home"."""
_NO_EVASIONS = ("get by", "not ready to", "not willing to")
"""These tell nothing, but where they are of what was asked: "I'm not ready to start"."""
_WORD_LAST = re.compile(r"^(?P<text>.+?),? (?:and|so|but) (?P<word>yes|no)$")
_LONG_AGO = re.compile(
    r"(?:and |but )?(?:as a (?:\w+ )?(?:child|kid|boy|girl|youngster|teenager|teen|student)|"
    r"back (?:then|in .+)|in the past|before|formerly|previously|once|(?:\w+ )?years ago|"
    r"at (?:1|some) (?:time|point)|growing up|when (?:i|he|she|we|they) (?:was|were) [^,]+) "
    r"(?:yes|yeah|yep|yup)"
)
"""Tells what was so: "as a youngster, yes"."""
_OWN_SENTENCE = re.compile(
    r"(?:i|we|he|she|they|it|there|that|you|my \w+) "
    r"(?:am|is|are|was|were|do|does|did|have|has|can|will)\b"
)
"""After a no this is a sentence of its own, comma or none: "no i am not"."""
_TAG = re.compile(
    r"(?P<said>.+), (?:can|could|would|do|does|did|is|are|was|who|what|why|how|you know|right)\b"
    r"[^,]*\?$"
)
"""An answer with a question at its end that wants no answer."""
_FINITE = VERBS | {"i", "we", "he", "she", "they", "not", "no", "never", "get", "gets", "got"}
_NAMING = frozenset(("naming", "name", "call", "calling"))
"""Whoever names somebody speaks of one who is not there yet."""
_NO_ONE_DOES = re.compile(r"no \w+ (?:is|has|does|can|will|wants?|likes?|needs?) ")
_THE_SAME = re.compile(r"\bthe same (?P<what>\w+)")
_YEAR = re.compile(r"in (?:\w+ )?(?:19|20)\d\d")


class AnswerReader:
    """Takes in the sentences of an answer, one after the other, and then `finish`."""

    def __init__(
        self,
        queries: Sequence[Query],
        household: Household,
        people: People | None,
        question: str = "",
    ) -> None:
        self.notes = ClaimNotes(queries, household, people, question)
        self.question = question
        self.left = LeftWords(self.notes)
        self.sentence = ""
        self.echo = ""
        self.is_courteous = False

    def read(self, sentence: str) -> None:
        """Take in the claims of one sentence."""
        notes = self.notes
        self.sentence = self.left.sentence = sentence
        if len(sentence.split()) > MOST_WORDS_SAID:
            notes.invented.append(sentence)
            return
        asks_name = any(it.topic == "name" for it in notes.queries)
        if asks_name and not (notes.is_answered and tells_else(sentence)):
            rest = take_names_asked(notes, sentence)
            if rest is not None:
                if rest.strip():
                    self._text(plain_answer(rest))
                return
        bare = " ".join(it for it in plain(sentence) if it.isalnum())
        if CONFIRMS.fullmatch(bare) and self._confirms_denial(bare, ""):
            notes.polarity(False, bare)
            return
        if _LONG_AGO.fullmatch(bare) and not self._asks_of_past():
            return
        sentence = OF_AGE.sub(r"\g<name> (\g<age>)", sentence)
        self.is_courteous |= _COURTEOUS.match(sentence) is not None
        sentence = without_pronoun_one(sentence, notes)
        text = in_asked_form(plain_answer(AGED.sub(self._aged, sentence)), notes.queries)
        is_aside = notes.is_answered and not NOBODY_ELSE.match(text)
        if is_aside and is_remark(text, sentence) and not says_something(text):
            return
        match = YES.match(text) or NO.match(text)
        is_echo = sentence.rstrip().endswith("?") and len(text.split()) <= 2
        evasion = EVASION.search(text) or ASKS_OTHERS.search(" ".join(plain(sentence)))
        if evasion and evasion[0] in _NO_EVASIONS and in_plain_words(text, notes.queries):
            evasion = None  # "I get by on my pension"
        if evasion and match and re.match(r"^\w+, why ", text):
            text, evasion = match.group(0), None  # "No, why do you ask?"
        if evasion and notes.is_answered:
            return  # takes nothing back of what was said
        if evasion and re.search(r"\d", text.replace("that 1", "")):
            text = text[: evasion.start()] + text[evasion.end() :].strip(" ,").removeprefix("but ")
            evasion = None  # "It varies, but about $2,600"
        if evasion and (answer := self._beside(evasion, text)):
            text, evasion = answer, None  # "I did time, I won't go into it"
            match = YES.match(text) or NO.match(text)
        is_question = sentence.rstrip().endswith("?") and not match and not is_echo
        tagged = _TAG.match(sentence) if is_question and not evasion else None
        if tagged and (re.search(r"\d", text) or self._is_answer(tagged["said"])):
            self.read(tagged["said"])  # "41, can you believe it?"
            return
        if is_question and is_restated(sentence, notes):
            notes.is_restated = True
            return
        if evasion or is_question:
            notes.is_no_answer = True
            return
        if is_echo and not match:
            self.echo = text
            return
        if self.echo and match and match.end() == len(text) and self._asks_who():
            text, match = f"not {self.echo}" if match.re is NO else self.echo, None  # "Me? No."
        self.echo = ""
        text = with_one_named(text, notes)
        if not text or take_composition(notes, text) or any(take(notes, text) for take in REPLIES):
            return
        first, comma, rest = text.partition(",")
        if comma and take_nothing(notes, first.strip()):
            text = rest.strip()  # "nothing at all, we stay there rent-free"
            match = YES.match(text) or NO.match(text)
        if self._nobody_else(text):
            return
        if (but := ALL_BUT.match(text)) and take_all_but(notes, but["who"], text):
            return
        if NO_ONE_OF_THEM.match(text):
            notes.polarity(False, text)
            return
        if ONE.match(text) and any(it.query.how in ("is", "exists") for it in notes.found):
            notes.polarity(True, text)
            return
        if match:
            rest = text[match.end() :].strip(" ,")
            is_no = match.re is NO
            is_polite = COURTESY.fullmatch(match[0]) and DENIALS & set(rest.split())
            if is_polite and self._is_answer(rest):
                self._text(rest)  # "Sure, I don't work"
                return
            if match.group(0) == "neither" and self._asks_which():
                self._text(rest or text)
                return
            is_apart = not rest or text[match.end() :].startswith(",") or _OWN_SENTENCE.match(rest)
            if is_no and not is_apart and self._take_denied_thing(text):
                return
            is_determiner = _NO_ONE_DOES.match(text) and is_person(rest.split()[0])
            if (
                is_no
                and not is_apart
                and (is_determiner or (match[0] == "no" and not notes.asks_whether))
            ):
                self._text(text)  # "no gas and no oil here", "no partner is typical"
                return
            is_confirmed = not is_no and self._confirms_denial(match.group(0), rest)
            notes.polarity(not is_no and not is_confirmed, match.group(0))
            text = "" if is_confirmed and CONFIRMS.fullmatch(rest) else rest
        elif last := LAST_WORD.search(text):
            notes.polarity(YES.match(last.group("word")) is not None, last.group("word"))
            text = text[: last.start()].strip(" ,")
        if text:
            self._text(text)

    def _nobody_else(self, text: str) -> bool:
        """Take in "and nobody else" after those of whom something is so."""
        notes = self.notes
        is_said = bool(NOBODY_ELSE.match(text) and notes.named)
        return is_said and notes.add(
            text, None, notes.are_all_named(), sorted(notes.named), answers=False
        )

    def _take_denied_thing(self, text: str) -> bool:
        """Take in "no ITIN" with what is said after it: "but she has a job", "just a pension"."""
        notes = self.notes
        first, *others = AFTER_DENIAL.split(text, maxsplit=1)
        if not take_clause(notes, first):
            return self._first_of(text)
        for other in others:
            self._text(other)
        return True

    def _beside(self, evasion: re.Match[str], text: str) -> str:
        """Return what stands beside an evasion and answers by itself, nothing where none does."""
        pieces = re.split(r",? (?:and|but|so|though) |, ", text)
        rest = ", ".join(piece for piece in pieces if evasion[0] not in piece)
        return rest if 0 < len(rest) < len(text) and self._is_answer(rest) else ""

    def _is_answer(self, text: str) -> bool:
        """Whether a text alone tells what was asked in words of its own, not "I can't"."""
        notes = self.notes
        alone = AnswerReader(notes.queries, notes.household, notes.people, self.question)
        alone.read(text)
        told = [
            it
            for it in alone.notes.claims
            if it.topic
            and _FINITE & set(it.said.split())
            and any(belongs(word, it.topic) for word in it.said.split() if word not in VERBS)
        ]
        return alone.notes.is_answered and not alone.notes.is_no_answer and bool(told)

    def _confirms_denial(self, word: str, rest: str) -> bool:
        """Whether a yes says that what the question denies is not so: "you have no car, right?"."""
        notes = self.notes
        if not notes.queries or not all(
            it.is_negated or it.people.quantifier == "none" for it in notes.queries
        ):
            return False
        is_bare = not rest or CONFIRMS.fullmatch(rest) is not None
        return CONFIRMS.fullmatch(word) is not None or (notes.is_checked and is_bare)

    def _asks_which(self) -> bool:
        """Whether one of several values is asked for: "do you own or rent?"."""
        asked = [it.query for it in self.notes.found if it.query.topic and not it.query.value]
        return any(topics()[it.topic or ""].kind == "choice" for it in asked)

    def _asks_of_past(self) -> bool:
        """Whether it is asked what was so at any time: "did you serve in the army?"."""
        return any(it.topic and topics()[it.topic].is_past for it in self.notes.queries)

    def _asks_who(self) -> bool:
        """Whether those of whom something is so are asked for."""
        return any(it.query.how == "who" for it in self.notes.found)

    def finish(self) -> None:
        """Take "I don't" for a no where anybody was asked about and nothing else was said."""
        notes = self.notes
        is_open = notes.claims and not (notes.is_answered or notes.is_no_answer or notes.invented)
        if is_open and self.is_courteous and not self.left.held:
            notes.polarity(True, "of course")
        if not notes.is_answered:
            notes.invented += self.left.held
        if (left_out := self._left_out()) and all(it.is_true for it in notes.claims):
            names = [" ".join(notes.names[n]) for n in sorted(left_out)]
            notes.add(f"and nobody else, not {' or '.join(names)}", None, False, sorted(left_out))
        if notes.is_denied_of_you and not notes.has_word and len(notes.claims) == 1:
            notes.polarity(False, notes.claims[0].said)

    def _left_out(self) -> set[int]:
        """Return those of whom what was asked is so and whom an answer to "who?" does not name."""
        notes = self.notes
        if len(notes.found) != 1 or not notes.named or notes.has_word:
            return set()
        (it,) = notes.found
        topic = topics().get(it.query.topic or "")
        if it.query.how != "who" or topic is None or not topic.of_member or it.query.extreme:
            return set()
        if it.query.people.quantifier not in ("any", "all", "who"):
            return set()
        return set(it.answer) - notes.named

    def _aged(self, match: re.Match[str]) -> str:
        """Take in an age told in passing: "Cleo (9)"."""
        notes = self.notes
        if match["bare"] and any(it.topic for it in notes.queries):
            return match.group(0)  # "How old is each?": the number is the answer itself.
        first, is_member = plain(match.group("name"))[:1], False
        is_asked = {it.topic for it in notes.queries} & {"age", "age_months"}
        for number, name in enumerate(notes.names):
            if name[:1] == first or (number == 0 and first[0] in ME):
                is_member, member = True, notes.household.members[number]
                notes.spoken_of.add(number)
                age = member.age_months if match["months"] else member.age
                is_true = age == int(match["age"] or match["aged"] or match["bare"])
                notes.add(match.group(0), "age", is_true, age, answers=bool(is_asked))
        return match.group("name") if is_member or not match["bare"] else match.group(0)

    def _text(self, text: str) -> None:
        """Take in the clauses of a sentence, and note what none of them says."""
        notes = self.notes
        text = FILLER.sub("", text) or text
        if (so := IS_SO.match(text)) and any(it.query.how == "is" for it in notes.found):
            notes.polarity(not so["not"], so["so"])
            text = so["rest"]
            if not text:
                return
        put = with_denials_put(text, is_answered=notes.is_answered)
        if put != [text]:
            for piece in put:
                self._text(piece)
            return
        readers = (take_parts_of_sum, take_ages_asked, take_composition)
        if any(take(notes, text) for take in readers) or self._nobody_else(text):
            return
        if same := _THE_SAME.search(text):
            self._take_same(same["what"], text)
        if within := DENIED_WITHIN.match(text):
            self._text(within["said"])
            self._text(within["denied"])
            if not notes.is_answered:
                notes.polarity(False, text)
            return
        pieces = [
            each
            for part in PARTS.split(text)
            for piece in with_denied_apart(part, notes)
            for joined in clauses_joined(piece, notes.names)
            for each in with_relative_apart(joined.strip(" ,"), notes)
            if each
        ]
        if len(pieces) > 1:
            for piece in pieces:
                self._text(piece)
            return
        text = pieces[0] if pieces else text
        if (word := YES.match(text) or NO.match(text)) and word.end() == len(text):
            if not notes.claims or PLAIN_WORD.fullmatch(text):
                notes.polarity(word.re is YES, text)
            return  # "I have no job, that is right"
        if word_last := _WORD_LAST.match(text):
            self._text(word_last["text"])
            notes.polarity(word_last["word"] == "yes", word_last["word"])
            return
        if any(take(notes, text) for take in LEANING):
            return
        if counted := COUNTED.match(text):
            self._text(counted["number"])
            self._text(counted["names"])
            return
        if named := ONE_NAMED.match(text):
            self._text(named.group("first"))
            self._text(f"{named.group('name')} is my {named.group('noun')}")
            return
        if take_clause(notes, text) or self._take_bare_value(text):
            return
        for match in SPLITS.finditer(text):
            first, second = text[: match.start()].strip(" ,"), text[match.end() :].strip(" ,")
            if first and second and take_clause(notes, first):
                self._text(second)
                return
        if (
            self._start_of(text)
            or take_value_named(notes, text, self.left.is_told)
            or take_stance(notes, text, self.left.is_told)
        ):
            return
        first, *others = [piece for piece in SPLITS.split(text) if piece.strip()] or [""]
        self.left.take(first)
        for piece in others:
            if not take_clause(notes, piece):
                self.left.take(piece)

    def _take_same(self, what: str, text: str) -> None:
        """Take in that several have the same of what was asked: "both in the same grade"."""
        notes = self.notes
        for it in notes.found:
            values = [each.value for each in it.findings]
            if it.query.how == "value" and len(values) > 1 and belongs(what, it.query.topic or ""):
                notes.add(text, it.query.topic, len(set(values)) == 1, values, answers=False)

    def _start_of(self, text: str) -> bool:
        """Take in a text whose rest may be made up: "$900 for a loft in Queens"."""
        notes, words = self.notes, text.split()
        is_open = notes.asks_whether and len(notes.queries) == 1 and not notes.is_answered
        asked = notes.queries[0].topic if is_open else None
        for place in range(len(words) - 1, 0, -1):
            is_name = (
                place >= len(words) - 2
                and words[place - 1] not in PLACING
                and "will" not in words
                and is_name_of_nobody(words[place:], notes, self.sentence)
            )
            if words[place - 1] in OPEN_ENDS or not (words[place] in CUTS or is_name):
                continue
            if asked and all(belongs(word, asked) for word in words[:place]):
                continue  # "English on paper is beyond me" names what was asked, and no more
            if self._is_subject(words[:place], words[place:]):
                continue  # "school around here is a zoo"
            if DENIALS & set(words[:place]) and words[place] in ("by", "for", "with"):
                continue  # "I'm not employed by an agency" does not say that I'm not employed
            n_claims = len(notes.claims)
            if take_clause(notes, " ".join(words[:place])) and len(notes.claims) > n_claims:
                rest = " ".join(words[place:])
                own = re.sub(r"^(?:where|when) (?=(?:i|we|he|she|they) )", "", rest)
                if own != rest and take_clause(notes, own):
                    return True  # "I have a job where I work 40 hours"
                if words[place] == "with" and are_members(words[place + 1 :], notes):
                    return True  # "he stays at home with our son"
                if words[place] == "for" and take_clause(notes, f"they work {rest}"):
                    return True  # "works 12 hours a week for a private employer"
                if is_name and not _NAMING & set(words):
                    notes.add(words[-1], "name", False, None)
                is_new = (
                    words[place] in NO_LEADS
                    or _YEAR.fullmatch(rest)
                    or not take_clause(notes, f"they are {rest}")
                )
                if is_name or is_new:
                    self.left.take(rest)
                return True
        return False

    def _is_subject(self, words: Sequence[str], rest: Sequence[str]) -> bool:
        """Whether words are the subject of what is told behind them, and tell nothing alone."""
        if VERBS & set(words) or any(re.search(r"\d", word) for word in words):
            return False
        if words[:1] == ["the"] and len(words) == 2 and is_person(words[1]):
            return rest[:1] in (["at"], ["in"], ["from"], ["behind"], ["on"], ["with"])
        asked = [it.topic for it in self.notes.queries if it.topic]
        are_named = any(all(belongs(word, topic) for word in words) for topic in asked)
        return are_named and bool({"is", "are", "was", "were"} & set(rest))

    def _first_of(self, text: str) -> bool:
        """Take in a text whose first part is a claim: "none of us has a job, as I said"."""
        notes = self.notes
        first, comma, rest = text.partition(",")
        if not comma or not (take_neither(notes, first) or take_clause(notes, first.strip())):
            return False
        self._text(rest.strip(" ,"))
        return True

    def _take_bare_value(self, text: str) -> bool:
        """Take in a bare value of what was asked: "in New Jersey", "rent stabilized"."""
        notes = self.notes
        asked = [it.topic for it in notes.queries if it.topic]
        if are_members(text.split(), notes):
            return False
        if _AT_WORK.match(text) and any("employed" in related(it) for it in asked):
            return take_clause(notes, f"they work {text}")
        if not any(topics()[it].kind == "choice" for it in asked):
            return False
        near = {name for it in asked for name in related(it)}
        mark = notes.mark()
        for lead in ("i live", "i live in", "i am", "i have"):
            if take_clause(notes, f"{lead} {text}"):
                if all(it.is_true or it.topic in near for it in notes.since(mark)):
                    return True  # "still pay $900" is no value, and not "I am still paid $900"
                notes.take_back(mark)
        return False
