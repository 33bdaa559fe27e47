"""The linter of texts: numbers and terms come from one place each; plain texts are short."""

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
from benyfits_data.lint.source_rules import LONGEST_QUOTE

_FRONT_MATTER = re.compile(r"\A\+\+\+\n.*?\n\+\+\+\n", re.DOTALL)
_JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_ALLOWED = (
    re.compile(r"^\s*\d+\.\s", re.MULTILINE),
    # References to other parts of the text: clause 3, clauses 3a, 3b and 4.
    re.compile(
        r"\b(?:clause|condition|part)s?\s+\d+[a-z]?\b"
        r"(?:(?:,\s*(?:and\s+|or\s+)?|\s+(?:and|or|to|through)\s+)\d+[a-z]?\b)*",
        re.IGNORECASE,
    ),
    # Names: Section 8, Form W-2, Title XIX, Local Law 11, COVID-19, DD-214, 3-K, 9/11, 401(k).
    re.compile(
        r"\b(?:Section|Title|Form|Law|Schedule|Article|Chapter|Part|Type|Act|Rule|Phase|Level|"
        r"Class|Tier|Medicare|Pub\.|Publication|Chapter)\s+\d+[\w()-]*"
    ),
    re.compile(r"\b[A-Za-z]+-\d+[A-Za-z]?\b|\b\d+-[A-Z]+\b|\b9/11\b|\b\d+\([a-z]\)|\b[A-Z]+\d+\b"),
    # School and program years that are a name of their own: 2015-16.
    re.compile(r"\b20\d\d-\d\d\b"),
)
_NUMBER = re.compile(
    r"\$?\d[\d,.]*(?:st|nd|rd|th|%)?"
    r"|\b(?:thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|"
    r"fifty|sixty|seventy|eighty|ninety|hundred|thousand)\b",
    re.IGNORECASE,
)


def literal_numbers(template: str) -> Iterator[tuple[int, str]]:
    """Yield each number outside Jinja that is no list marker, reference or name, with its line."""
    bare = template
    for pattern in (_JINJA, *_ALLOWED):
        bare = pattern.sub(_blank, bare)
    for found in _NUMBER.finditer(bare):
        yield bare.count("\n", 0, found.start()) + 1, found[0].rstrip(".,")


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "\0", match[0])


LONGEST = 150
"""Words besides tables; half of all plain texts have at most 90."""
_AVOIDED = {
    r"\bclauses?\b": "Plain texts have no clauses: say it.",
    r"\bthe applicant\b": "Say `you`.",
}


def check_plain_text(program: Program) -> Iterator[LintFinding]:
    """Yield what is wrong with a program's plain text in its edition."""
    path = program.plain_path
    if path is None:
        return
    template = read_text(path)
    if template.startswith("+++"):
        yield LintFinding(path, 1, "P01", "a front matter", "Drop it: requirements.md has it.")
        return
    try:
        parsed = jinja2.Environment(autoescape=False).parse(template)
    except jinja2.TemplateSyntaxError as error:
        yield LintFinding(
            path, error.lineno, "P02", str(error).rstrip("."), "Correct the template."
        )
        return
    thresholds = program.thresholds
    known = {*thresholds.names(), *thresholds.of_readings(), "edition"}
    names = {node.name for node in parsed.find_all(nodes.Name)}
    for name in sorted(names - known - _of_other_editions(program)):
        found = f"{name}, which is no threshold of the program in any edition"
        yield LintFinding(path, 0, "P03", found, f"It has {', '.join(sorted(known))}.")
    try:
        text = program.plain()
    except BenyfitsError as error:
        yield LintFinding(path, 0, "P02", str(error).removeprefix(f"{path}: ").rstrip("."), "")
        return
    for line, number in literal_numbers(template):
        found = f"the number {number} stands in the text by hand"
        yield LintFinding(
            path, line, "P04", found, "Write {{ its_name }}, a threshold of the program."
        )
    for pattern, instead in _AVOIDED.items():
        if avoided := re.search(pattern, text, re.IGNORECASE):
            yield LintFinding(path, 0, "P05", f"`{avoided[0]}` in a plain text", instead)
    if not re.search(r"\byou(r|rs)?\b", text, re.IGNORECASE):
        yield LintFinding(
            path, 0, "P06", "nobody is spoken to", "Say `you`, as a public page does."
        )
    if (words := plain_words(text)) > LONGEST:
        found = f"{words} words in edition {program.edition}"
        yield LintFinding(path, 0, "P07", found, f"Say it in at most {LONGEST}; about 90 is right.")


def plain_words(text: str) -> int:
    """Return how many words a text has outside its tables."""
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("|"))
    return sum(any(letter.isalnum() for letter in word) for line in lines for word in line.split())


def _of_other_editions(program: Program) -> set[str]:
    """Return the thresholds of the program's folder in other editions, tested by `{% if %}`."""
    names = re.findall(
        r"^\[(\w+)\]",
        read_text(program.folder / "thresholds.toml"),
        re.MULTILINE,
    )
    return set(names)


def check_requirements(program: Program) -> Iterator[LintFinding]:
    """Yield the numbers that stand in a requirement text by hand."""
    path = program.requirements_path
    text = read_text(path)
    head = _FRONT_MATTER.match(text)
    skipped = head[0].count("\n") if head else 0
    for line, number in literal_numbers(text[head.end() if head else 0 :]):
        yield LintFinding(
            path,
            line + skipped,
            "T06",
            f"the number {number} stands in the text by hand",
            "Put it into thresholds.toml and write {{ its_name }}; name other parts as `clause N`.",
        )


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
