"""The linter of words: a term of the texts means the same measures and facts in every program."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from benyfits_data.editions import Program
from benyfits_data.errors import BenyfitsError
from benyfits_data.language.grammar import LintFinding

LONGEST_QUOTE = 5
TERMS: Mapping[str, tuple[str, frozenset[str]]] = {
    "child in somebody's care": (
        r"\bchild(?:ren)? in (?:the applicant's|somebody's|that member's|its|their) care\b",
        frozenset({"is_child_in_care", "responsible_for_day_to_day"}),
    ),
    "own child": (r"\bown child(?:ren)?\b", frozenset({"is_own_child"})),
    "both parents": (
        r"\bboth parents\b",
        frozenset({"has_spouse_or_partner", "is_spouse_or_partner", "has_spouse", "relation"}),
    ),
    "single": (
        r"\b(?:is single|single parent)\b",
        frozenset({"has_spouse", "has_spouse_or_partner", "relation"}),
    ),
    # The own child of an applicant is one of the applicant or of the spouse or partner.
    "spouse or partner": (
        r"\bspouse or (?:domestic )?partner\b(?! in the household does not matter)",
        frozenset({"is_spouse_or_partner", "has_spouse_or_partner", "is_own_child"}),
    ),
    "guardian": (r"\bguardians?\b", frozenset({"legal_guardian", "is_child_in_care"})),
    "resident": (r"\bresidents?\b", frozenset({"place_of_residence", "housing_type"})),
    "unemployed": (
        r"\bunemployed\b",
        frozenset({"unemployed", "works", "work_hours_per_week", "days_looking_for_work"}),
    ),
    "student": (
        r"\bstudents?\b",
        frozenset({"attends_school_or_college", "current_school_level", "current_grade"}),
    ),
}
"""Words of the clauses, and the measures and facts of which the checker reads one."""


def check_vocabulary(program: Program) -> Iterator[LintFinding]:
    """Yield the terms that a program uses in another meaning without saying why."""
    path = program.folder / "sources.toml"
    try:
        text = " ".join(program.clauses.values())
        read = names_read(program.checker)
        declared = {it.term: it for it in program.sources.terms} if program.sources else {}
    except (BenyfitsError, SyntaxError, ImportError):
        return  # Text, checker and sources report it.
    where = f"edition {program.edition}"
    for term, deviation in declared.items():
        if term not in TERMS:
            found = f"{where}: {term!r} is no term"
            yield LintFinding(path, 0, found, f"Terms are {', '.join(TERMS)}.")
        if not 0 < len(deviation.phrase.split()) <= LONGEST_QUOTE:
            found = f"{where}: the term {term!r} has the phrase {deviation.phrase!r}"
            yield LintFinding(path, 0, found, f"Quote one to {LONGEST_QUOTE} words of the source.")
    for term, (words, names) in TERMS.items():
        used = re.search(words, text, re.IGNORECASE)
        if used and not names & read and term not in declared:
            yield LintFinding(
                program.requirements_path,
                0,
                f"{where}: {used[0]!r}, but the checker reads none of {', '.join(sorted(names))}",
                f"Use another word, or declare it in sources.toml: [[{program.edition}.term]] with "
                f'term = "{term}", means and phrase.',
            )


def names_read(function: Callable[..., Any]) -> set[str]:
    """Return the facts that a checker reads and the measures it calls, through measures too."""
    found: set[str] = set()
    waiting = [function]
    while waiting:
        one: Any = waiting.pop()
        for name in set(one.__code__.co_names) - found:
            found.add(name)
            called = one.__globals__.get(name)
            if hasattr(called, "__code__"):
                waiting.append(called)
    return found
