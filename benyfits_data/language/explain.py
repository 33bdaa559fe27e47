"""Why a household is eligible or not: what was asked of it, in words, and what decided."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from benyfits_data.editions import Program
from benyfits_data.household.model import Household
from benyfits_data.language.condition_text import ConditionWriter
from benyfits_data.language.source import Source
from benyfits_data.language.step_tracer import CheckerRun, Decision, run_steps


@dataclass(frozen=True)
class Step:
    """One condition that was asked.

    Attributes:
        line: Line of the checker's file.
        clauses: The clauses it decides.
        member: Whom it was asked of; empty when it was asked of the household.
        says: The condition in words, true for this household.
        is_decisive: Whether the answer hangs on it.
    """

    line: int
    clauses: tuple[str, ...]
    member: str
    says: str
    is_decisive: bool


@dataclass(frozen=True, repr=False)
class Explanation:
    """A program's answer for one household and how it came about.

    Attributes:
        program: Name of the program.
        title: What people call it.
        edition: The year.
        eligible: The answer.
        clauses: The clauses that decided, in order of asking; `reading ID` for what only another
            reading asks.
        steps: Every condition that was asked, in order.
        texts: The text of the clauses that decided.
    """

    program: str
    title: str
    edition: int
    eligible: bool
    clauses: tuple[str, ...]
    steps: tuple[Step, ...]
    texts: dict[str, str]

    @property
    def summary(self) -> str:
        """One sentence: the answer and the clauses that decided."""
        answer = "eligible" if self.eligible else "not eligible"
        if not self.clauses:
            return f"{answer}, without any condition"
        return f"{answer}, decided by {_named(self.clauses)}"

    def __str__(self) -> str:
        """The summary, every condition under whom it was asked of, and the clauses that decided.

        A star marks the conditions on which the answer hangs.
        """
        lines = [f"{self.title} ({self.edition}): {self.summary}.", ""]
        told = [_named(step.clauses) for step in self.steps]
        width = max(map(len, told), default=0)
        member: str | None = None
        for step, clauses in zip(self.steps, told, strict=True):
            if step.member != member:
                member = step.member
                lines.append(f"{member}:" if member else "The household:")
            star = "*" if step.is_decisive else " "
            lines.append(f"  {star} {clauses:<{width}}  {step.says}.")
        lines.append("")
        for clause, text in self.texts.items():
            name = _named((clause,))
            lines.append(f"{name[0].upper()}{name[1:]}: {text}")
        return "\n".join(lines).rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """The same for notebooks: a table of the conditions, decisive ones in bold."""
        rows = []
        for step in self.steps:
            cells = (step.member or "the household", ", ".join(step.clauses), f"{step.says}.")
            tag = "b" if step.is_decisive else "span"
            rows.append("".join(f"<td><{tag}>{escape(cell)}</{tag}></td>" for cell in cells))
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return (
            f"<p><b>{escape(self.title)}</b> ({self.edition}): {escape(self.summary)}.</p>"
            "<table><thead><tr><th>asked of</th><th>clause</th><th>condition</th></tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )


def explain(program: Program, household: Household) -> Explanation:
    """Return what the program's checker asked of a household, and what decided."""
    source = Source.of(program.checker)
    run = run_steps(program.checker, household, program.thresholds)
    called = _names(household)
    ifs = {node.lineno: node for node in ast.walk(source.node) if isinstance(node, ast.If)}
    decisive = _decisive(source, ifs, run)
    steps = []
    loops = _loop_names(source)
    for position, decision in enumerate(run.decisions):
        name = "" if decision.member is None else called[decision.member]
        names = {"applicant": called[0]} | dict.fromkeys(loops, name)
        says = ConditionWriter(source, program.thresholds, household, names).say(
            ifs[decision.line].test, decision
        )
        steps.append(
            Step(
                decision.line,
                source.decisions[decision.line],
                name,
                says[0].upper() + says[1:],
                position in decisive,
            )
        )
    decided = dict.fromkeys(clause for step in steps if step.is_decisive for clause in step.clauses)
    return Explanation(
        program.name,
        program.title,
        program.edition,
        run.eligible,
        tuple(decided),
        tuple(steps),
        _texts(program, decided),
    )


def _named(clauses: Sequence[str]) -> str:
    """Return what a line decides in words: clauses of the text, or a reading."""
    numbers = [clause for clause in clauses if clause[0].isdigit()]
    word = "clause" if len(numbers) == 1 else "clauses"
    told = [f"{word} {', '.join(numbers)}"] if numbers else []
    return ", ".join([*told, *(clause for clause in clauses if not clause[0].isdigit())])


def _texts(program: Program, decided: Iterable[str]) -> dict[str, str]:
    """Return the text of each clause, and the question of each reading."""
    asked = {f"reading {reading.id}": reading.question for reading in program.readings}
    texts = program.clauses | asked
    return {clause: texts[clause] for clause in decided if clause in texts}


def _decisive(source: Source, ifs: dict[int, ast.If], run: CheckerRun) -> set[int]:
    """Return the positions of the decisions without which the answer could differ.

    A refusal hangs on every alternative that was not met; inside an `if` also on that `if` and on
    those around it that decide parts of the same clause; at the end also on every condition that
    sent a member away. An approval hangs on the conditions around it, and on every one before it
    that would have refused the household or sent the same member away.
    """
    last = len(run.decisions) - 1
    if last < 0:
        return set()
    if run.eligible:
        is_in_loop = any(
            isinstance(node, ast.For) and run.returned_at in _lines(node.body)
            for node in ast.walk(source.node)
        )
        owners = {None, run.decisions[last].member}
        return {
            position
            for position, decision in enumerate(run.decisions)
            if (decision.member in owners or not is_in_loop)
            and (
                run.returned_at in _lines(_taken(ifs, decision))
                or _ending(_untaken(ifs, decision)) in ("continue", "return False")
            )
        }
    missed = {
        position
        for position, decision in enumerate(run.decisions)
        if any(ast.unparse(node) == "return True" for node in _inside(_untaken(ifs, decision)))
    }
    if run.returned_at in _lines(_taken(ifs, run.decisions[last])):
        number = _numbers(source, run.decisions[last])
        around = {
            position
            for position, decision in enumerate(run.decisions)
            if decision.member == run.decisions[last].member
            and run.returned_at in _lines(_taken(ifs, decision))
            and _numbers(source, decision) & number
        }
        return missed | around | {last}
    sent_away = {
        position
        for position, decision in enumerate(run.decisions)
        if _ending(_taken(ifs, decision)) == "continue"
    }
    return missed | sent_away or {last}


def _numbers(source: Source, decision: Decision) -> set[int]:
    """Return the numbers of the clauses a decision is about: 3 for `3a`."""
    ids = source.decisions[decision.line]
    digits = ["".join(filter(str.isdigit, clause)) for clause in ids if clause[0].isdigit()]
    return {int(number) for number in digits}


def _taken(ifs: dict[int, ast.If], decision: Decision) -> list[ast.stmt]:
    node = ifs[decision.line]
    return node.body if decision.holds else node.orelse


def _untaken(ifs: dict[int, ast.If], decision: Decision) -> list[ast.stmt]:
    node = ifs[decision.line]
    return node.orelse if decision.holds else node.body


def _ending(block: list[ast.stmt]) -> str:
    return ast.unparse(block[-1]) if block else ""


def _inside(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in block:
        for node in ast.walk(statement):
            if isinstance(node, ast.stmt):
                yield node


def _lines(block: list[ast.stmt]) -> set[int]:
    """Return the lines of a block and of everything inside it."""
    return {statement.lineno for statement in _inside(block)}


def _loop_names(source: Source) -> list[str]:
    return [
        node.target.id
        for node in ast.walk(source.node)
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name)
    ]


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
