"""The linter of clauses: every one is decided by a line, and every line decides one."""

import ast
import re
from collections.abc import Iterator
from functools import partial
from string import ascii_lowercase

from benyfits_data.editions import Program
from benyfits_data.language.findings import LintFinding
from benyfits_data.language.source import Source

_ONE_MEMBER = re.compile(
    r"((?:all but )?clauses?) (\d+[a-z]?(?:(?:, and |, | and | to )\d+[a-z]?)*) "
    r"for (?:one and the same|at least one of its) \w+"
)
"""Which clauses a text asks of one and the same member."""
_CLAUSE_NUMBER = re.compile(r"^(\d+)\.\s", re.MULTILINE)


def check_clauses(program: Program, source: Source) -> Iterator[LintFinding]:
    """Yield clauses that no line decides, and lines that decide none."""
    known, in_text = set(program.clauses), partial(LintFinding, program.requirements_path, 0)
    if not known and source.decisions:
        yield in_text("C01", "no numbered clause in the text")
    for line, clauses in source.decisions.items():
        for clause in sorted(set(clauses) - known):
            says = f"clause {clause}, which the text does not have"
            instead = f"The text has {', '.join(sorted(known, key=_clause_key))}."
            yield LintFinding(source.path, line, "C02", says, instead)
    named = {clause for clauses in source.decisions.values() for clause in clauses}
    wholes = {clause.rstrip(ascii_lowercase) for clause in known if not clause.isdigit()}
    for clause in sorted(known - wholes - named, key=_clause_key):
        says = f"no line decides clause {clause} ({program.clauses[clause][:60]})"
        instead = f"Add an `if` that ends in `# clause {clause}`, or make it a plain paragraph."
        yield LintFinding(source.path, source.first_line, "C03", says, instead)
    numbers = [int(number) for number in _CLAUSE_NUMBER.findall(program.requirements())]
    if numbers != list(range(1, len(numbers) + 1)):
        yield in_text("C04", f"clauses numbered {numbers}")


def check_same_member(program: Program, source: Source) -> Iterator[LintFinding]:
    """Yield the clauses that a text names for one member, unless one loop tests just those."""
    loops = [_tested_in(loop, source) for loop in source.node.body if isinstance(loop, ast.For)]
    for words, listed in _ONE_MEMBER.findall(" ".join(program.requirements().split())):
        clauses = set(_clauses_listed(listed))
        if words.startswith("all but"):
            clauses = {_clause_key(clause)[0] for clause in program.clauses} - clauses
        if not any(decisive <= clauses <= tested for tested, decisive in loops):
            tests = " or ".join(_numbered(tested) for tested, _ in loops)
            says = (
                f"clauses {_numbered(clauses)} are for one and the same member, but a loop of the "
                f"checker tests {tests or 'no member'}"
            )
            yield LintFinding(program.requirements_path, 0, "C05", says)


def _tested_in(loop: ast.For, source: Source) -> tuple[set[int], set[int]]:
    """Return the clauses that a loop tests of its member, and those of them that decide there."""
    tested, decisive = set[int](), set[int]()
    for node in ast.walk(loop):
        if not isinstance(node, ast.If):
            continue
        names = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
        if ast.unparse(loop.target) not in names:
            continue
        clauses = source.decisions.get(node.lineno, ())
        # Without lines that only a reading asks.
        numbers = {_clause_key(clause)[0] for clause in clauses if clause[0].isdigit()}
        tested |= numbers
        # What only notes a fact for later may be of another member.
        if not all(isinstance(inner, ast.Assign) for inner in node.body):
            decisive |= numbers
    return tested, decisive


def _numbered(clauses: set[int]) -> str:
    return ", ".join(map(str, sorted(clauses)))


def _clauses_listed(words: str) -> Iterator[int]:
    """Yield the clauses that a text lists: `1, 3 and 4`, `2 to 5`."""
    for part in re.split(r",\s*(?:and )?| and ", words):
        first, _, last = part.partition(" to ")
        yield from range(_clause_key(first)[0], _clause_key(last or first)[0] + 1)


def _clause_key(clause: str) -> tuple[int, str]:
    number = clause.rstrip(ascii_lowercase)
    return int(number), clause[len(number) :]
