"""On which conditions the answer of a checker depends, of those that it asked."""

import ast
from dataclasses import dataclass
from functools import cache

from benyfits_data.language.source import Source
from benyfits_data.language.step_tracer import CheckerRun


@dataclass(frozen=True)
class _Way:
    """What runs where a condition goes one way.

    Attributes:
        lines: All lines inside.
        ending: The last statement.
        approves: Whether the household may be approved there.
        refuses: Whether the household or the member may be refused there.
        goes_on: Whether the next member may be asked from there.
    """

    lines: frozenset[int]
    ending: str
    approves: bool
    refuses: bool
    goes_on: bool

    @classmethod
    def of(cls, block: list[ast.stmt]) -> "_Way":
        """Return what can happen in a block of statements."""
        inside = [
            node
            for statement in block
            for node in ast.walk(statement)
            if isinstance(node, ast.stmt)
        ]
        ends = {
            ast.unparse(statement)
            for statement in inside
            if isinstance(statement, ast.Return | ast.Continue)
        }
        return cls(
            frozenset(statement.lineno for statement in inside),
            ast.unparse(block[-1]) if block else "",
            "return True" in ends,
            bool(ends & {"return False", "continue"}),
            "continue" in ends,
        )


@dataclass(frozen=True)
class _Condition:
    """A condition of a checker: both its ways, its clauses and their numbers."""

    test: ast.expr
    then: _Way
    otherwise: _Way
    clauses: frozenset[str]
    numbers: frozenset[str]


@dataclass(frozen=True)
class _Flag:
    """A local that is assigned to inside conditions or loops.

    Attributes:
        stores: The lines that assign to it there.
        around: All lines of these conditions and loops.
    """

    stores: frozenset[int]
    around: frozenset[int]


@cache
def _conditions(source: Source) -> dict[int, _Condition]:
    """Return the conditions of a checker by line."""
    conditions = {}
    for node in ast.walk(source.node):
        if isinstance(node, ast.If):
            clauses = frozenset(source.decisions[node.lineno])
            numbers = {
                "".join(filter(str.isdigit, clause)) for clause in clauses if clause[0].isdigit()
            }
            ways = _Way.of(node.body), _Way.of(node.orelse)
            conditions[node.lineno] = _Condition(node.test, *ways, clauses, frozenset(numbers))
    return conditions


@cache
def _flags(source: Source) -> dict[str, _Flag]:
    """Return the locals that are assigned to inside conditions or loops, by name."""
    stores: dict[str, set[int]] = {}
    around: dict[str, set[int]] = {}
    for outer in source.statements:
        if not isinstance(outer, ast.If | ast.For):
            continue
        inside = [node for node in ast.walk(outer) if isinstance(node, ast.stmt)]
        for node in inside:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                stores.setdefault(node.targets[0].id, set()).add(node.lineno)
                around.setdefault(node.targets[0].id, set()).update(
                    statement.lineno for statement in inside
                )
    return {name: _Flag(frozenset(stores[name]), frozenset(around[name])) for name in stores}


@cache
def loop_names(source: Source) -> dict[str, frozenset[int]]:
    """Return the lines of each loop by what it calls a member; loops of one name share theirs."""
    lines: dict[str, frozenset[int]] = {}
    for node in ast.walk(source.node):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            inside = _Way.of(node.body).lines
            lines[node.target.id] = lines.get(node.target.id, frozenset()) | inside
    return lines


@cache
def _loops(source: Source) -> dict[frozenset[int], bool]:
    """Return the lines of each loop, and whether it looks for whom to approve or to count.

    In other loops a member who is left by `continue` has passed, or set no flag.
    """
    loops = {}
    for node in ast.walk(source.node):
        if isinstance(node, ast.For):
            body = _Way.of(node.body)
            counts = any(isinstance(inside, ast.AugAssign) for inside in ast.walk(node))
            loops[body.lines] = body.approves or counts
    return loops


class DecidingConditions:
    """Which conditions of a run its answer hangs on."""

    def __init__(self, source: Source, run: CheckerRun) -> None:
        self.run = run
        self.conditions, self.flags = _conditions(source), _flags(source)
        self.loop_lines = _loops(source)
        self.loops = frozenset[int]().union(*self.loop_lines)
        self.searches = frozenset[int]().union(
            *(lines for lines, searches in self.loop_lines.items() if searches)
        )

    def decisive(self) -> set[int]:
        """Return the positions of the decisions without which the answer could differ.

        A flag that the checker sets stands for the conditions that set it.
        """
        if not self.run.decisions:
            return set()
        hanging = self._approving() if self.run.eligible else self._refusing()
        return {behind for position in hanging for behind in self._behind(position)}

    def _taken(self, at: int) -> _Way:
        condition, decision = self._condition(at), self.run.decisions[at]
        return condition.then if decision.holds else condition.otherwise

    def _untaken(self, at: int) -> _Way:
        condition, decision = self._condition(at), self.run.decisions[at]
        return condition.otherwise if decision.holds else condition.then

    def _condition(self, at: int) -> _Condition:
        return self.conditions[self.run.decisions[at].line]

    def _approving(self) -> set[int]:
        """Return what an approval hangs on: conditions around it, and all before it that refuse.

        Left out is an alternative that does not hold, beside one that does.
        """
        end, last = self.run.returned_at, self.run.decisions[-1]
        members = {None, last.member}
        is_in_loop = end in self.loops
        return {
            at
            for at, decision in enumerate(self.run.decisions)
            if (not is_in_loop or decision.member in members)
            and (
                end in self._taken(at).lines
                or self._untaken(at).ending in ("continue", "return False")
            )
            and (self._untaken(at).refuses or not self._taken(at).refuses)
            and not (self._untaken(at).approves and self._is_of_another_clause(at))
        }

    def _refusing(self) -> set[int]:
        """Return what a refusal hangs on: every way to an approval that was not open.

        Inside an `if` it hangs also on that `if` and on those around it that decide parts of the
        same clause; at the end also on every condition that sent a member away, and at the end of
        a loop on every way by which its last member could have passed.
        """
        end, last = self.run.returned_at, len(self.run.decisions) - 1
        positions = range(last + 1)
        missed = {at for at in positions if self._untaken(at).approves}
        if end not in self._taken(last).lines:
            sent_away = {
                at
                for at in positions
                if self._taken(at).ending == "continue"
                and self.run.decisions[at].line in self.searches
            }
            refused_in = next((loop for loop in self.loop_lines if end in loop), frozenset())
            sent_away |= {
                at
                for at in positions
                if self.run.decisions[at].member == self.run.decisions[last].member
                and self.run.decisions[at].line in refused_in - self.searches
                and self._untaken(at).goes_on
                and not self._taken(at).goes_on
            }
            return self._without_passed(missed | sent_away) or {last}
        around = {
            at
            for at in positions
            if self.run.decisions[at].member == self.run.decisions[last].member
            and end in self._taken(at).lines
            and self._condition(at).numbers & self._condition(last).numbers
        }
        return self._without_passed(missed) | around | {last}

    def _behind(self, position: int) -> set[int]:
        """Return the conditions that set the flag of one; itself, where it asks of no flag."""
        decision, test = self.run.decisions[position], self._condition(position).test
        name = test.operand if isinstance(test, ast.UnaryOp) else test
        flag = self.flags.get(name.id) if isinstance(name, ast.Name) else None
        if flag is None:
            return {position}
        made = [
            assignment
            for assignment in self.run.assignments
            if assignment.line in flag.stores and assignment.n_decisions <= position
        ]
        stored = next(
            (assignment for assignment in made if assignment.value == decision.left), None
        )
        if stored is None:
            evidence = self._without_passed(
                {
                    at
                    for at in range(position)
                    if self.run.decisions[at].line in flag.around
                    and (
                        flag.stores & self._untaken(at).lines
                        or (
                            self._taken(at).ending == "continue"
                            and self.run.decisions[at].line < max(flag.stores)
                        )
                    )
                }
            )
        else:
            evidence = {
                at
                for at in range(stored.n_decisions)
                if self.run.decisions[at].line in flag.around
                and self.run.decisions[at].member == stored.member
                and (stored.line in self._taken(at).lines or self._untaken(at).ending == "continue")
                and not (flag.stores & self._untaken(at).lines and self._is_of_another_clause(at))
            }
        return {behind for at in evidence for behind in self._behind(at)} or {position}

    def _inside(self, at: int) -> list[int]:
        """Return the later decisions on the way that one took."""
        lines, member = self._taken(at).lines, self.run.decisions[at].member
        return [
            later
            for later in range(at + 1, len(self.run.decisions))
            if self.run.decisions[later].line in lines
            and member in (None, self.run.decisions[later].member)
        ]

    def _is_of_another_clause(self, at: int) -> bool:
        """Return whether what was asked on the way that a decision took is of other clauses."""
        inside = self._inside(at)
        clauses = self._condition(at).clauses
        return bool(inside) and not any(self._condition(line).clauses & clauses for line in inside)

    def _without_passed(self, positions: set[int]) -> set[int]:
        """Return decisions without those that a member passed, to fail the same clauses later."""

        def failed_later(at: int) -> set[str]:
            failing = (line for line in self._inside(at) if line in positions)
            return {clause for line in failing for clause in self._condition(line).clauses}

        return {at for at in positions if not self._condition(at).clauses <= failed_later(at)}
