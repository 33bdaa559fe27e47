"""Why a household is eligible or not: the clauses that decided, with the facts they met."""

import ast
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from string import ascii_lowercase

from benyfits_data.editions import Program
from benyfits_data.editions.readings import CONTESTED
from benyfits_data.household.model import Household
from benyfits_data.language.condition_text import ConditionWriter, Said
from benyfits_data.language.decisions import CheckerRun, HouseholdReader, Place
from benyfits_data.language.reading_labels import options_of
from benyfits_data.language.source import Source

_MOST_NAMES = 3
"""Members who are named where several met a condition alike; the others are counted."""


@dataclass(frozen=True)
class Step:
    """One condition that was asked.

    Attributes:
        line: Line of the checker's file.
        clauses: The clauses it decides.
        member: Whom it was asked of; empty when it was asked of the household.
        said: The condition in words, true for this household.
        is_decisive: Whether the answer hangs on it.
    """

    line: int
    clauses: tuple[str, ...]
    member: str
    said: Said
    is_decisive: bool

    @property
    def says(self) -> str:
        """The condition as one sentence, without full stop."""
        says = str(self.said)
        return says[0].upper() + says[1:]


@dataclass(frozen=True, repr=False)
class Explanation:
    """A program's answer for one household and how it came about.

    Attributes:
        program: Name of the program.
        title: What people call it.
        edition: The year.
        eligible: The answer.
        clauses: The clauses that decided: of an eligible household those that hold, of another
            those that do not; `reading ID` for what only another reading asks.
        steps: Every condition that was asked, in order.
        texts: The text of the clauses that decided.
        contested: Readings that would change the label, which is contested if there are any: the
            open question, its answer in force, and the other answer.
    """

    program: str
    title: str
    edition: int
    eligible: bool
    clauses: tuple[str, ...]
    steps: tuple[Step, ...]
    texts: dict[str, str]
    contested: tuple[tuple[str, str, str], ...] = ()

    @property
    def summary(self) -> str:
        """One sentence: the answer and the clauses that decided."""
        answer = "eligible" if self.eligible else "not eligible"
        if not self.clauses:
            return f"{answer}, without any condition"
        return f"{answer}, decided by {_named(self.clauses)}"

    @property
    def facts(self) -> tuple[tuple[tuple[str, ...], str], ...]:
        """What the answer hangs on: clauses, and a condition they met, in words.

        Members who met a condition with the same values share one sentence, and so do values of
        one fact that were asked for one after the other.
        """
        alike: dict[tuple[int, str], list[Step]] = {}
        for step in _joined([step for step in self.steps if step.is_decisive]):
            without_name = step.says.replace(step.member, "") if step.member else step.says
            alike.setdefault((step.line, without_name), []).append(step)
        return tuple((first.clauses, _shared(first, others)) for first, *others in alike.values())

    @property
    def grounds(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """The clauses that decided: number, text, and the facts they met, in words.

        Facts that several clauses met come last, under all their numbers and without a text.
        """
        met: dict[tuple[str, ...], list[str]] = {(clause,): [] for clause in self.clauses}
        for clauses, says in self.facts:
            met.setdefault(clauses, []).append(says)
        ordered = sorted(
            met.items(), key=lambda item: (len(item[0]), list(map(_position, item[0])))
        )
        return tuple(
            (", ".join(ids), self.texts.get(ids[0], "") if len(ids) == 1 else "", tuple(facts))
            for ids, facts in ordered
        )

    @property
    def why_contested(self) -> str:
        """What it means that the label is contested, and why it is scored; empty if it is not."""
        other = "not eligible" if self.eligible else "eligible"
        says = f"Contested: with another reading of the rules the answer is {other}. {CONTESTED}"
        return says if self.contested else ""

    @property
    def _answers(self) -> dict[tuple[str, str], list[str]]:
        """The other answers that change the label, by question and answer in force."""
        answers: dict[tuple[str, str], list[str]] = {}
        for question, in_force, other in self.contested:
            answers.setdefault((question, in_force), []).append(other)
        return answers

    def __str__(self) -> str:
        """The answer, the clauses that decided, and under each the facts that it met."""
        lines = [f"{self.title} ({self.edition}): {self.summary}.", ""]
        for clauses, text, facts in self.grounds:
            name = _named(clauses.split(", "))
            lines.append(f"{name[0].upper()}{name[1:]}: {text}".rstrip())
            lines += [f"  {says}" for says in facts]
        if self.contested:
            lines += ["", self.why_contested]
            for (question, in_force), others in self._answers.items():
                lines += [f"  {question}", f"    in force: {in_force}"]
                lines += [f"    other: {other}" for other in others]
        return "\n".join(lines).rstrip()

    __repr__ = __str__

    def in_full(self) -> str:
        """Return the same, after it every condition under whom it was asked of.

        A star marks the conditions on which the answer hangs.
        """
        lines = [str(self), "", "All that was asked (* the answer hangs on it):"]
        named = [_named(step.clauses) for step in self.steps]
        width = max(map(len, named), default=0)
        member: str | None = None
        for step, clauses in zip(self.steps, named, strict=True):
            if step.member != member:
                member = step.member
                lines.append(f"{member}:" if member else "The household:")
            star = "*" if step.is_decisive else " "
            lines.append(f"  {star} {clauses:<{width}}  {step.says}.")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The same for notebooks: a table of the facts on which the answer hangs."""
        rows = [
            f"<tr><td>{escape(', '.join(clauses))}</td><td>{escape(says)}</td>"
            f"<td>{escape(' '.join(self.texts.get(clause, '') for clause in clauses))}</td></tr>"
            for clauses, says in self.facts
        ]
        contested = f"<p>{escape(self.why_contested)}</p>" if self.contested else ""
        return (
            f"<p><b>{escape(self.title)}</b> ({self.edition}): {escape(self.summary)}.</p>"
            "<table><thead><tr><th>clause</th><th>fact</th><th>text</th></tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table>{contested}"
        )


def explain(program: Program, household: Household) -> Explanation:
    """Return what the program's checker asked of a household, and what decided."""
    source, reader = Source.of(program.checker), HouseholdReader(household)
    answer = reader.run(program)
    decisive = _decisive(reader, program, answer)
    called = _names(household)
    loops = [
        ast.unparse(loop.target) for loop in ast.walk(source.node) if isinstance(loop, ast.For)
    ]
    steps = []
    for decision in answer.decisions:
        name = "" if decision.member is None else called[decision.member]
        names = {"applicant": called[0]} | dict.fromkeys(loops, name)
        writer = ConditionWriter(source, program.thresholds, household, names)
        steps.append(
            Step(
                decision.line,
                decisive.get(decision.place, source.decisions[decision.line]),
                name,
                writer.say(decision),
                decision.place in decisive,
            )
        )
    decided = sorted(
        {clause for step in steps if step.is_decisive for clause in step.clauses}, key=_position
    )
    return Explanation(
        program.name,
        program.title,
        program.edition,
        bool(answer.eligible),
        tuple(decided),
        tuple(steps),
        _texts(program, decided),
        tuple(_contested(program, household, is_eligible=bool(answer.eligible))),
    )


def _decisive(
    reader: HouseholdReader, program: Program, answer: CheckerRun
) -> dict[Place, tuple[str, ...]]:
    """Return the conditions on which an answer hangs, with the clauses that they decided.

    Left out are flags of the checker for which what set them stands; of an approval, what only led
    to another alternative; of a refusal, what somebody passed to fail the same clauses behind it,
    and what only counts for other clauses.
    Of several clauses of a condition count those that others decided too; of a refusal, all of a
    condition that decides alone.
    """
    clauses = Source.of(program.checker).decisions
    reason = reader.reason(program, answer)
    decided = {
        decision.place: clauses[decision.line]
        for decision in answer.decisions
        if decision.place in reason
    }
    alone = {decision.place for decision in reader.alone(program, answer)}
    if answer.eligible:
        met = _single(ids for place, ids in decided.items() if place in alone)
        numbers = {_number(clause) for clause in met}
        decided = {
            place: ids
            for place, ids in decided.items()
            if place in alone or met & {*ids} or not numbers & set(map(_number, ids))
        }
    else:
        passed = {*_passed(program, answer, decided), *(_counted(answer, decided, clauses) - alone)}
        decided = {place: ids for place, ids in decided.items() if place not in passed}
    flags = {
        decision.place
        for decision in answer.decisions
        if decision.asks_local and not isinstance(decision.test, ast.Compare)
    }
    singled = _single(ids for place, ids in decided.items() if place not in flags)
    decided = {
        place: ids for place, ids in decided.items() if place not in flags or not singled & {*ids}
    }
    singled = _single(decided.values())
    return {
        place: ids
        if place in alone and not answer.eligible
        else tuple(clause for clause in ids if clause in singled) or ids
        for place, ids in decided.items()
    }


def _passed(
    program: Program, answer: CheckerRun, decided: Mapping[Place, tuple[str, ...]]
) -> Iterator[Place]:
    """Yield the conditions on whose way others stand that decide all of their clauses."""
    nodes = ast.walk(Source.of(program.checker).node)
    statements = {node.lineno: node for node in nodes if isinstance(node, ast.If)}
    for decision in answer.decisions:
        statement = statements[decision.line]
        taken = statement.body if decision.holds else statement.orelse
        inside = {
            node.lineno for part in taken for node in ast.walk(part) if isinstance(node, ast.If)
        }
        behind = {
            clause
            for (line, member), ids in decided.items()
            if line in inside and decision.member in (None, member)
            for clause in ids
        }
        if behind.issuperset(decided.get(decision.place, ("",))):
            yield decision.place


def _counted(
    answer: CheckerRun, decided: Collection[Place], clauses: Mapping[int, tuple[str, ...]]
) -> set[Place]:
    """Return conditions on members whose clauses the household has settled, which is no reason.

    Their outcome, a flag or a number of the checker, was asked for these clauses, and did not
    decide; if they are reasons, then because other clauses ask for it too.
    """
    settled = {
        clause
        for decision in answer.decisions
        if decision.member is None and decision.asks_local and decision.place not in decided
        for clause in clauses[decision.line]
    }
    return {
        (line, member)
        for line, member in decided
        if member is not None and settled.issuperset(clauses[line])
    }


def _single(decided: Iterable[tuple[str, ...]]) -> set[str]:
    """Return the clauses that some condition decides by itself."""
    return {ids[0] for ids in decided if len(ids) == 1}


def _number(clause: str) -> str:
    """Return the number of a clause, without the letter of an alternative or part."""
    return clause.rstrip(ascii_lowercase)


def _contested(
    program: Program, household: Household, *, is_eligible: bool
) -> Iterator[tuple[str, str, str]]:
    """Yield question, answer in force and other answer where the other changes the label."""
    for reading, option in options_of(program, scored=False):
        if program.under(reading.id, option.id)(household) is not is_eligible:
            yield reading.question, reading.option(reading.in_force).says, option.says


def _joined(steps: Sequence[Step]) -> list[Step]:
    """Return conditions with those of one fact that follow one another as one."""
    joined: list[Step] = []
    for step in steps:
        last = joined[-1] if joined else None
        said = last.said.joined(step.said) if last and last.clauses == step.clauses else None
        if last and said:
            joined[-1] = replace(last, said=said)
        else:
            joined.append(step)
    return joined


def _shared(step: Step, others: Sequence[Step]) -> str:
    """Return a condition in words, and which other members met it in the same way."""
    if not others:
        return f"{step.says}."
    names = [other.member for other in others][:_MOST_NAMES]
    names += [f"{len(others) - _MOST_NAMES} more"] if len(others) > _MOST_NAMES else []
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return f"{step.says}; the same for {listed}."


def _position(clause: str) -> tuple[int, str]:
    """Return where a clause stands in the text; readings come last."""
    number = _number(clause)
    return (int(number), clause) if number.isdigit() else (sys.maxsize, clause)


def _named(clauses: Sequence[str]) -> str:
    """Return what a line decides in words: clauses of the text, or a reading."""
    numbers = [clause for clause in clauses if clause[0].isdigit()]
    word = "clause" if len(numbers) == 1 else "clauses"
    parts = [f"{word} {', '.join(numbers)}"] if numbers else []
    return ", ".join([*parts, *(clause for clause in clauses if not clause[0].isdigit())])


def _texts(program: Program, decided: Iterable[str]) -> dict[str, str]:
    """Return the text of each clause, and the question of each reading."""
    asked = {f"reading {reading.id}": reading.question for reading in program.readings}
    texts = program.clauses | asked
    return {clause: texts[clause] for clause in decided if clause in texts}


def _names(household: Household) -> list[str]:
    """Return what each member is called: by name where names differ, else by relation."""
    names = [member.name for member in household.members]
    if len(set(names)) == len(names):
        return names
    relations = [member.relation for member in household.members]
    return [
        "the applicant"
        if position == 0
        else f"the {relation}"
        if relations.count(relation) == 1
        else f"the {relation} (member {position + 1})"
        for position, relation in enumerate(relations)
    ]
