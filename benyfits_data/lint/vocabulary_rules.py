"""The linter of terms: each is defined in one place, and means the same facts everywhere."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benyfits_data.editions import Program
from benyfits_data.editions.terms import TextTerm, define, load_terms
from benyfits_data.editions.toml_file import read_text
from benyfits_data.errors import BenyfitsError
from benyfits_data.household.registry import names_in
from benyfits_data.language.findings import LintFinding
from benyfits_data.lint.template_names import calls_of, template_of
from benyfits_data.lint.text_rules import JINJA, blank


def check_vocabulary(program: Program) -> Iterator[LintFinding]:
    """Yield the terms that a program uses in another meaning without saying why.

    Also those that its texts define by hand, and calls of `define` without a term.
    """
    for text_path in (program.requirements_path, program.plain_path):
        if text_path is not None:
            yield from _check_definitions(text_path)
    terms, path = load_terms(), program.folder / "sources.toml"
    try:
        clauses = " ".join(program.clauses.values())
        text = " ".join(program.requirements().split())
        read = names_in(program.checker)
        declared = (
            {deviation.term: deviation for deviation in program.sources.terms}
            if program.sources
            else {}
        )
    except (BenyfitsError, SyntaxError, ImportError):
        return  # Text, checker and sources report it.
    where = f"edition {program.edition}"
    for name, deviation in declared.items():
        if name not in terms:
            says = f"{where}: {name!r} is no term"
            yield LintFinding(path, 0, "D01", says, f"Terms are {', '.join(terms)}.")
        if not deviation.phrase.strip():
            yield LintFinding(path, 0, "D02", f"{where}: the term {name!r} has an empty phrase")
    for term in terms.values():
        words = _used(term, clauses, text)
        if words and not term.reads & read and term.name not in declared:
            facts = ", ".join(sorted(term.reads))
            says = f"{where}: {words!r}, but the checker reads none of {facts}"
            instead = (
                f"Use another word, or declare it in sources.toml: [[{program.edition}.term]] with "
                f'term = "{term.name}", means and phrase.'
            )
            yield LintFinding(program.requirements_path, 0, "D03", says, instead)


def _used(term: TextTerm, clauses: str, text: str) -> str:
    """Return the words by which clauses use a term, or by which the text defines it."""
    match = term.words.search(clauses) if term.words else None
    return match[0] if match else next((form for form in term.forms.values() if form in text), "")


def _check_definitions(path: Path) -> Iterator[LintFinding]:
    """Yield the calls of `define` that name no term, and what a text defines by hand."""
    template = template_of(path)
    for call in calls_of(template, "define") if template else ():
        arguments: list[Any] = [getattr(argument, "value", None) for argument in call.args]
        try:
            define(*arguments)
        except (BenyfitsError, TypeError) as error:
            says = f"define has no such term: {str(error).partition('. ')[0].rstrip('.')}"
            yield LintFinding(path, call.lineno, "D04", says)
    bare = JINJA.sub(blank, read_text(path))
    forms = [
        (said, term.name, form)
        for term in load_terms().values()
        for form, said in term.forms.items()
    ]
    # A longer definition hides those in it.
    for said, name, form in sorted(forms, key=lambda term: (-len(term[0]), term)):
        words = re.compile(r"\b" + r"\s+".join(map(re.escape, said.split())) + r"\b", re.IGNORECASE)
        arguments_of_form = f'"{name}", "{form}"' if form else f'"{name}"'
        for match in words.finditer(bare):
            line = bare.count("\n", 0, match.start()) + 1
            says = f"the term {name!r} is defined by hand: {said!r}"
            instead = f"Write {{{{ define({arguments_of_form}) }}}}."
            yield LintFinding(path, line, "D05", says, instead)
        bare = words.sub(blank, bare)
