"""A resident and the planner: each answer is taken in, and each verdict is proven by answers."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from benyfits_data.chat.asked import Asked, Grounds, ShownVerdict, ask, parse
from benyfits_data.editions import load_edition
from benyfits_data.errors import FeatureValueError
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD, MOST_MEMBERS, Household, Member
from benyfits_data.household.schema import Feature
from benyfits_data.language.explain import explain
from benyfits_data.language.partial import Fact
from benyfits_data.language.source import features_read
from benyfits_data.language.sufficient import smallest_sufficient
from benyfits_data.par.questions import GIVEN
from benyfits_data.planner import SIZE_QUESTION, Interview, Planner, Question
from benyfits_data.profiles.sentences import state
from benyfits_data.profiles.verb_forms import HOUSEHOLD, YOU, named_speaker
from benyfits_data.understanding.canonical import name_member, state_value
from benyfits_data.understanding.facts import MEMBERS_KEY


@lru_cache(maxsize=8)
def _planner(edition: int, programs: tuple[str, ...], places: int) -> Planner:
    return Planner(load_edition(edition), programs, places=places)


class ResidentTalk:
    """A resident's dialog with the planner; it is kept in memory and nowhere else.

    Args:
        edition: Year of the rules.
        programs: The programs that the resident asks about.
        answers: Answers given before; `None` for each that the resident could not give.

    Attributes:
        note: What was wrong with the last answer; empty if nothing was.
    """

    def __init__(
        self, edition: int, programs: Sequence[str], answers: Sequence[str | None] = ()
    ) -> None:
        self.edition, self.programs = edition, tuple(programs)
        self.note = ""
        self._given: list[str | None] = []
        self._interview = Interview(_planner(edition, self.programs, LARGEST_HOUSEHOLD))
        self._question = self._interview.next_question()
        for answer in answers:
            self.answer(answer)

    @property
    def asked(self) -> Asked | None:
        """The question that waits for an answer; `None` at the end."""
        if self._question is None:
            return None
        return ask(self._question.feature or MEMBERS_KEY, self._question.member)

    @property
    def progress(self) -> str:
        """How many programs are decided, and how many questions may still come."""
        verdicts = self._interview.verdicts()
        decided = sum(verdict is not None for verdict in verdicts.values())
        left = len(self._interview.votes([name for name, v in verdicts.items() if v is None]))
        return (
            f"{decided} of {len(verdicts)} programs decided, {len(self._given)} questions "
            f"answered; likely at most {left} more."
        )

    def answer(self, answer: str | None) -> None:
        """Take in an answer, `None` where the resident does not know."""
        question = self._question
        assert question is not None, "The dialog has ended."
        self.note = ""
        facts: dict[Fact, Any] = {}
        size: int | None = None
        if answer is not None:
            key = question.feature or MEMBERS_KEY
            try:
                value = parse(key, answer)
            except (FeatureValueError, ValueError):
                self.note = f"{answer} is no answer to the question. {ask(key, None).hint}"
                return
            if question != SIZE_QUESTION:
                facts[question.feature, question.member] = value
            elif 1 <= value <= MOST_MEMBERS:
                size = value
            else:
                self.note = f"{answer} is no answer to the question. {ask(key, None).hint}"
                return
        self._take(question, facts, size)
        self._given.append(answer)
        self._question = self._interview.next_question()

    def _take(self, question: Question, facts: Mapping[Fact, Any], size: int | None) -> None:
        was_possible = self._interview.is_constrained
        if size and size > LARGEST_HOUSEHOLD:
            larger = Interview(_planner(self.edition, self.programs, size))
            self._interview = larger.after(self._interview)
        self._interview.answer(question, facts, size)
        if was_possible and not self._interview.is_constrained:
            self.note = (
                "As far as the rules of this page know, your answers cannot all be true. If the "
                "last one was a slip, go back."
            )

    def back(self) -> "ResidentTalk":
        """Return the dialog before the last answer."""
        return ResidentTalk(self.edition, self.programs, self._given[:-1])

    @property
    def verdicts(self) -> list[ShownVerdict]:
        """The verdicts: those proven by the answers with their grounds, those left open without."""
        edition = load_edition(self.edition)
        usual, unusual = self._household(), self._household(unusual=True)
        shown = []
        for program, verdict in self._interview.verdicts().items():
            if verdict is None:
                shown.append(ShownVerdict(program, None, because=self._left_open(program)))
                continue
            first, second = (
                explain(edition.program(program), household) for household in (usual, unusual)
            )
            grounds: Grounds = ()
            if first.eligible == second.eligible == verdict:
                grounds = _in_both(first.grounds, second.grounds)
            because = tuple(self._state(self._deciding(program, verdict)))
            shown.append(ShownVerdict(program, verdict, None, grounds, because))
        return shown

    def _left_open(self, program: str) -> tuple[str, ...]:
        """Return the questions that a program asks and the resident could not answer."""
        read = features_read(load_edition(self.edition).program(program).checker)
        aside = [fact or (MEMBERS_KEY, None) for fact in self._interview.aside]
        return tuple(sorted(ask(*fact).text for fact in aside if fact[0] in {*read, MEMBERS_KEY}))

    def _deciding(self, program: str, verdict: bool) -> list[Fact | None]:
        """Return answers from which a verdict follows, none of which can be left out."""
        interview = self._interview
        reader = interview.knowledge.reader

        def decides(some: Sequence[Fact | None]) -> bool:
            facts = {fact: interview.answers[fact] for fact in some if fact is not None}
            known = reader.know_answers(interview.size if None in some else None, facts)
            return known.verdict(program) is verdict

        size: list[Fact | None] = [None] if interview.size else []
        return smallest_sufficient([*size, *interview.answers], decides)

    def _state(self, facts: Sequence[Fact | None]) -> list[str]:
        household, said = self._household(), []
        for fact in facts:
            if fact is None:
                n = self._interview.size
                said.append("You live alone." if n == 1 else f"Your household has {n} members.")
            elif fact != GIVEN:
                sentence = _sentence(household, *fact)
                said.append(sentence[0].upper() + sentence[1:])
        return said

    def _household(self, *, unusual: bool = False) -> Household:
        """Return a household with all answers, and usual or unusual values of all other facts."""
        size = self._interview.size or 1
        facts: dict[str, Any] = {}
        member: dict[str, Any] = {"relation": "other relative"}
        if unusual:
            facts, member = _unusual(HOUSEHOLD_FEATURES), _unusual(MEMBER_FEATURES)
        members = [member | {"relation": "self", "name": "the applicant"}]
        members += [member | {"name": f"person {number}"} for number in range(2, size + 1)]
        facts["members"] = members
        for (feature, position), value in self._interview.answers.items():
            (facts if FEATURES[feature].level != "member" else members[position or 0])[feature] = (
                value
            )
        return Household.from_facts(facts, constrained=False)


def _unusual(features: Mapping[str, Feature]) -> dict[str, Any]:
    """Return for each feature but names another value than the usual one."""
    values: dict[str, Any] = {}
    for name, feature in features.items():
        if feature.kind == "flag":
            values[name] = not feature.default
        elif feature.kind == "choice":
            values[name] = next(v for v in list(feature.choices)[::-1] if v != feature.default)
        elif feature.kind in ("number", "decimal"):
            middle = ((feature.minimum or 0) + (feature.maximum or 0)) / 2
            values[name] = middle if feature.kind == "decimal" else int(middle)
    return values


def _in_both(first: Grounds, second: Grounds) -> Grounds:
    """Return the clauses and facts of two grounds: what hangs on no fact that nobody gave."""
    facts = {clauses: said for clauses, _, said in second}
    return tuple(
        (clauses, text, tuple(fact for fact in said if fact in facts[clauses]))
        for clauses, text, said in first
        if clauses in facts
    )


def _sentence(household: Household, key: str, member: int | None) -> str:
    """Return a fact of a household or a member as a sentence to the resident."""
    owner: Household | Member = household if member is None else household.members[member]
    speaker = HOUSEHOLD if member is None else YOU
    if member:
        speaker = named_speaker(name_member(member), "their")
    if FEATURES[key].kind != "flag":
        return state_value(key, getattr(owner, key), speaker)
    return " ".join(sentence.text for sentence in state(owner, speaker, [FEATURES[key]]))
