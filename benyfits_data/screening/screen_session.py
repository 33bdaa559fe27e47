"""A household that is screened: its answers, and what follows from them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from benyfits_data.editions import Edition
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD, MOST_MEMBERS, Household
from benyfits_data.language.partial import Fact, feature_of
from benyfits_data.par.tracks import GIVEN
from benyfits_data.planner import Interview, Planner, Question
from benyfits_data.planner.interview import question_for
from benyfits_data.planner.proof_finder import ProofFinder
from benyfits_data.profiles.verb_forms import AFFIRMATIVE, YOU, Speaker, join, named_speaker
from benyfits_data.understanding.canonical import ask_fact, ask_who, household_speaker, state_fact
from benyfits_data.understanding.facts import MEMBERS_KEY

_INFERRED = (1 << 8) - 1
_UNTOLD = (1 << 64) - 1
"""Weights, in answers, of a fact that was inferred and of one that is open: proofs avoid them."""


@dataclass(frozen=True)
class Reasons:
    """The facts that a verdict depends on.

    Attributes:
        answers: Facts that were answered, `None` for the number of members; few, if not fewest.
        inferred: Facts not asked about, with values, which follow if the household is possible.
        missing: Facts, `None` for the number of members, that are open and whose values hardly
            matter: the verdict follows from what households can be, and without that from these.
    """

    answers: tuple[Fact | None, ...]
    inferred: dict[Fact, Any]
    missing: tuple[Fact | None, ...] = ()


def find_reasons(interview: Interview, programs: Iterable[str]) -> dict[str, Reasons]:
    """Return the facts that proven verdicts depend on.

    Args:
        interview: What was answered.
        programs: Programs whose verdict is proven.
    """
    reader = interview.planner.reader.unconstrained
    known = interview.knowledge.intervals
    entries = {program: reader.entry(program) for program in programs}
    reasons = {
        program: Reasons((), {})
        for program, verdict in entries.items()
        if isinstance(verdict, bool)
    }
    roots = {program: root for program, root in entries.items() if not isinstance(root, bool)}
    start = reader.know().intervals
    view = interview.planner.view(reader)
    finder = ProofFinder(reader.graph, view.terms, list(roots.values()), start)
    place = interview.knowledge.reader.graph.place
    values, inferred = list[float](), dict[Fact, Any]()
    n, size = len(finder.leaves), interview.size
    for number, entry in enumerate(finder.leaves):
        fact = view.facts[entry]
        here = 0 if fact is None else place.get(fact, entry)
        value, bit = known.low[here], 1 << number
        if fact in interview.answers:
            value = float(feature_of(fact).encode(interview.answers[fact]))
        elif size is not None and (fact is None or (fact[1] or 0) >= size):
            # Who is not there is told by the number of members.
            bit = 1 << finder.leaves.index(0) if 0 in finder.leaves else 0
        elif fact is not None and known.low[here] == known.high[here]:
            inferred[fact] = feature_of(fact).decode(value)
            bit |= _INFERRED << n
        else:
            bit |= _UNTOLD << (n + 8)
        values.append(value)
        finder.bits[number] = bit
    for program, proof in zip(roots, finder.prove(values), strict=True):
        used = [
            view.facts[leaf] for number, leaf in enumerate(finder.leaves) if proof >> number & 1
        ]
        answers = tuple(
            fact for fact in used if fact in interview.answers or (fact is None and size)
        )
        reasons[program] = Reasons(
            answers,
            {fact: inferred[fact] for fact in used if fact in inferred},
            tuple(fact for fact in used if fact not in answers and fact not in inferred),
        )
    return reasons


@dataclass(frozen=True)
class ScreenEntry:
    """One answer: to a question, or a confirmation of facts that were inferred."""

    question: Question | None
    facts: Mapping[Fact, Any]
    size: int | None = None
    names: tuple[str, ...] = ()


@lru_cache(maxsize=MOST_MEMBERS)
def screening_planner(edition: Edition, places: int) -> Planner:
    """Return the planner of all programs, which takes a while to make."""
    return Planner(edition, track="who", places=places)


class ScreenSession:
    """The dialog with one household: its answers, and which programs it may claim.

    Args:
        edition: Whose rules apply.
        entries: Answers given already.

    Attributes:
        entries: All answers, first to last.
        names: What the members are called; the applicant is "you".
    """

    def __init__(self, edition: Edition, entries: Iterable[ScreenEntry] = ()) -> None:
        self.edition = edition
        self.entries: list[ScreenEntry] = []
        self.names: tuple[str, ...] = ("you",)
        self._interview = Interview(screening_planner(edition, LARGEST_HOUSEHOLD))
        self._refused: set[Fact] = set()
        for entry in entries:
            self.take(entry)

    def take(self, entry: ScreenEntry) -> None:
        """Take in an answer."""
        if entry.size and entry.size > LARGEST_HOUSEHOLD:
            larger = Interview(screening_planner(self.edition, entry.size))
            self._interview = larger.after(self._interview)
        self.entries.append(entry)
        self._add(entry)

    def _add(self, entry: ScreenEntry) -> None:
        self.names = entry.names or self.names
        if entry.question is None:
            self._interview.tell(entry.facts)
        else:
            self._interview.answer(entry.question, entry.facts, entry.size)

    def without_last(self) -> "ScreenSession":
        """Return the session before the last answer."""
        return ScreenSession(self.edition, self.entries[:-1])

    @property
    def interview(self) -> Interview:
        """What is known, and what would be asked next."""
        return self._interview

    @property
    def household(self) -> Household:
        """The household with facts not given filled in; it may be impossible."""
        size = self._interview.size or 1
        members: list[dict[str, Any]] = [{"relation": "other relative"} for _ in range(size)]
        members[0]["relation"] = "self"
        for member, name in zip(members[1:], self.names[1:], strict=False):
            member["name"] = name
        facts: dict[str, Any] = {"members": members}
        for (feature, position), value in self._interview.answers.items():
            (facts if position is None else members[position])[feature] = value
        return Household.from_facts(facts, constrained=False)

    def reasons(self) -> dict[str, Reasons]:
        """Return the facts that each settled verdict depends on."""
        settled = [
            name for name, verdict in self._interview.verdicts().items() if verdict is not None
        ]
        return find_reasons(self._interview, settled)

    def unconfirmed(self) -> dict[Fact, Any]:
        """Return inferred facts behind a "no" that were neither confirmed nor declined."""
        verdicts = self._interview.verdicts()
        inferred: dict[Fact, Any] = {}
        for name, one in self.reasons().items():
            if verdicts[name] is False and not self._refused & one.inferred.keys():
                inferred |= one.inferred
        return dict(sorted(inferred.items(), key=lambda item: (item[0][0], item[0][1] or 0)))

    def unproven(self) -> Question | None:
        """Return what to ask so that a "no" follows without any constraint."""
        verdicts, aside = self._interview.verdicts(), self._interview.aside
        for name, one in self.reasons().items():
            for fact in one.missing if verdicts[name] is False else ():
                if fact not in aside:
                    has_size = self._interview.size is not None
                    return question_for(fact, self._interview.planner.track, has_size=has_size)
        return None

    def decline(self, facts: Iterable[Fact]) -> None:
        """Note that somebody would not say whether these facts hold."""
        self._refused.update(facts)

    def depends_on(self, program: str, most: int = 3) -> list[Question]:
        """Return the questions that most likely proofs of an open verdict need."""
        votes = self._interview.votes([program])
        return sorted(votes, key=lambda question: (-votes[question], str(question)))[:most]

    def ask(self, question: Question) -> str:
        """Return a question in plain words."""
        if question.kind in ("size", "roster"):
            return ask_fact(MEMBERS_KEY, "")
        if question.kind == "fact":
            return ask_fact(question.feature, self.person(question.member))
        if len(self.names) == 1:
            return ask_fact(question.feature, "you")
        if self.denies(question):
            feature, who = (
                FEATURES[question.feature],
                named_speaker("who in your household", "their"),
            )
            said = who.sentence(AFFIRMATIVE[feature.verb or "is"], list=feature.denial)
            return said.removesuffix(".") + "?"
        return ask_who(question.feature)

    def denies(self, question: Question) -> bool:
        """Return whether a question asks for the people without a fact: who never owned a home."""
        is_of_several = question.kind == "everybody" and len(self.names) > 1
        return is_of_several and bool(FEATURES[question.feature].denial)

    def denied(self, named: Mapping[Fact, bool]) -> dict[Fact, bool]:
        """Return a fact of everybody, turned round where a question asks for those without it.

        A child that is not named has owned no home, and is no first-time buyer for all that.
        """
        cannot = {
            fact
            for fact in named
            if (entry := self._interview.knowledge.reader.graph.place.get(fact)) is not None
            and not self._interview.knowledge.intervals.high[entry]
        }
        return {fact: not is_named and fact not in cannot for fact, is_named in named.items()}

    def person(self, member: int | None) -> str:
        """Return what a member is called; nothing for the household."""
        if member is None:
            return ""
        return self.names[member] if member < len(self.names) else f"person {member + 1}"

    def state(self, facts: Mapping[Fact, Any]) -> list[str]:
        """Return facts as sentences, one for all members who share a fact."""
        groups: dict[tuple[Any, ...], list[int | None]] = {}
        for fact, value in facts.items():
            is_choice = FEATURES[fact[0]].kind == "choice"
            if fact != GIVEN:
                groups.setdefault((fact[0], value, fact if is_choice else None), []).append(fact[1])
        return [
            self._deny(feature, people)
            if value is False and len(people) > 1 and not FEATURES[feature].denial
            else state_fact(feature, value, self.speaker(people, feature))
            for (feature, value, _), people in groups.items()
        ]

    def _deny(self, key: str, people: Sequence[int | None]) -> str:
        """Return a sentence that something holds for none of several members."""
        names = " nor ".join(
            self.person(number)
            for number in sorted(number for number in people if number is not None)
        )
        nobody, feature = named_speaker(f"neither {names}", "their"), FEATURES[key]
        return nobody.sentence(AFFIRMATIVE[feature.verb or "is"], list=feature.phrase)

    def answers(self, program: str, reasons: Reasons) -> tuple[Fact | None, ...]:
        """Return the answers that prove a verdict, `None` for the number of members."""
        interview = self._interview
        if interview.verdicts()[program] and (reasons.inferred or reasons.missing):
            # Nobody confirms what a "yes" rests on: the answers from which it follows are told.
            known = interview.planner.first[0].copy()
            return tuple(known.deciding(program, True, interview.answers, interview.size))
        return reasons.answers

    def state_reasons(self, program: str, reasons: Reasons) -> list[str]:
        """Return the answers that prove a verdict as sentences."""
        known, answers = self._interview.answers, self.answers(program, reasons)
        said = self.state(
            {answer: known[answer] for answer in answers if answer is not None and answer in known}
        )
        if None in answers:
            n = self._interview.size
            said.insert(0, "You live alone." if n == 1 else f"Your household has {n} members.")
        return said

    def speaker(self, people: Sequence[int | None], feature: str) -> Speaker:
        """Return the forms of sentences that state a feature of some members, or the household."""
        if None in people:
            return household_speaker(feature)
        members = sorted(number for number in people if number is not None)
        if members == [0]:
            return YOU
        names = join([self.person(member) for member in members], "and")
        if len(members) == 1:
            return named_speaker(names, "their")
        forms = (
            {"reflexive": "yourselves"}
            if 0 in members
            else {"possessive": "their", "reflexive": "themselves"}
        )
        return Speaker((names,), {**YOU.forms, **forms})
