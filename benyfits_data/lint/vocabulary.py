"""The linter of words: a term of the texts means the same measures and facts in every program."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import nodes

from benyfits_data.editions import Program
from benyfits_data.editions.terms import TextTerm, define, load_terms
from benyfits_data.editions.toml_file import read_text
from benyfits_data.errors import BenyfitsError
from benyfits_data.language.grammar import LintFinding

LONGEST_QUOTE = 5
_JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)


def check_vocabulary(program: Program) -> Iterator[LintFinding]:
    """Yield the terms that a program uses in another meaning without saying why.

    Also those that its texts define by hand, and calls of `define` without a term.
    """
    for text_path in (program.requirements_path, program.plain_path):
        if text_path is not None:
            yield from _check_definitions(text_path)
    terms = load_terms()
    path = program.folder / "sources.toml"
    try:
        clauses = " ".join(program.clauses.values())
        text = " ".join(program.requirements().split())
        read = names_read(program.checker)
        declared = {it.term: it for it in program.sources.terms} if program.sources else {}
    except (BenyfitsError, SyntaxError, ImportError):
        return  # Text, checker and sources report it.
    where = f"edition {program.edition}"
    for name, deviation in declared.items():
        if name not in terms:
            found = f"{where}: {name!r} is no term"
            yield LintFinding(path, 0, "D01", found, f"Terms are {', '.join(terms)}.")
        if not 0 < len(deviation.phrase.split()) <= LONGEST_QUOTE:
            found = f"{where}: the term {name!r} has the phrase {deviation.phrase!r}"
            yield LintFinding(
                path, 0, "D02", found, f"Quote one to {LONGEST_QUOTE} words of the source."
            )
    for term in terms.values():
        used = _used(term, clauses, text)
        if used and not term.reads & read and term.name not in declared:
            yield LintFinding(
                program.requirements_path,
                0,
                "D03",
                f"{where}: {used!r}, but the checker reads none of {', '.join(sorted(term.reads))}",
                f"Use another word, or declare it in sources.toml: [[{program.edition}.term]] with "
                f'term = "{term.name}", means and phrase.',
            )


def _used(term: TextTerm, clauses: str, text: str) -> str:
    """Return the words by which clauses use a term, or by which the text defines it."""
    found = term.words.search(clauses) if term.words else None
    return found[0] if found else next((it for it in term.forms.values() if it in text), "")


def _check_definitions(path: Path) -> Iterator[LintFinding]:
    """Yield the calls of `define` that name no term, and what a text defines by hand."""
    template = read_text(path)
    try:
        parsed = jinja2.Environment(autoescape=False).parse(template)
    except jinja2.TemplateSyntaxError:
        return  # Rendering reports it.
    for call in parsed.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "define":
            told: list[Any] = [
                it.value if isinstance(it, nodes.Const) else None for it in call.args
            ]
            try:
                define(*told)
            except (BenyfitsError, TypeError) as error:
                found = f"define has no such term: {str(error).partition('. ')[0].rstrip('.')}"
                instead = 'Write {{ define("TERM") }} or {{ define("TERM", "FORM") }}.'
                yield LintFinding(path, call.lineno, "D04", found, instead)
    yield from _defined_by_hand(path, template)


def _defined_by_hand(path: Path, template: str) -> Iterator[LintFinding]:
    """Yield the definitions that stand in a template in words; a longer one hides those in it."""
    bare = _JINJA.sub(_blank, template)
    forms = [
        (said, it.name, form) for it in load_terms().values() for form, said in it.forms.items()
    ]
    for said, name, form in sorted(forms, key=lambda it: (-len(it[0]), it)):
        words = re.compile(r"\b" + r"\s+".join(map(re.escape, said.split())) + r"\b", re.IGNORECASE)
        told = f'"{name}", "{form}"' if form else f'"{name}"'
        for match in words.finditer(bare):
            yield LintFinding(
                path,
                bare.count("\n", 0, match.start()) + 1,
                "D05",
                f"the term {name!r} is defined by hand: {said!r}",
                f"Write {{{{ define({told}) }}}}.",
            )
        bare = words.sub(_blank, bare)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "\0", match[0])


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
