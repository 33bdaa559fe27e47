"""The linter of texts: numbers and terms come from one place each, and clauses from a source."""

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import nodes

from benyfits_data.editions import EDITIONS, Program
from benyfits_data.editions.terms import TextTerm, define, load_terms
from benyfits_data.editions.toml_file import read_text
from benyfits_data.errors import BenyfitsError
from benyfits_data.language.grammar import LintFinding

LONGEST_QUOTE = 5
"""Words of a source that one place may quote: sources are formalised, not copied."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
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
    for match in _NUMBER.finditer(bare):
        yield bare.count("\n", 0, match.start()) + 1, match[0].rstrip(".,")


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
        says = f"{name}, which is no threshold of the program in any edition"
        yield LintFinding(path, 0, "P03", says, f"It has {', '.join(sorted(known))}.")
    try:
        text = program.plain()
    except BenyfitsError as error:
        yield LintFinding(path, 0, "P02", str(error).removeprefix(f"{path}: ").rstrip("."), "")
        return
    for line, number in literal_numbers(template):
        says = f"the number {number} stands in the text by hand"
        yield LintFinding(
            path, line, "P04", says, "Write {{ its_name }}, a threshold of the program."
        )
    for pattern, instead in _AVOIDED.items():
        if avoided := re.search(pattern, text, re.IGNORECASE):
            yield LintFinding(path, 0, "P05", f"`{avoided[0]}` in a plain text", instead)
    if not re.search(r"\byou(r|rs)?\b", text, re.IGNORECASE):
        yield LintFinding(
            path, 0, "P06", "nobody is spoken to", "Say `you`, as a public page does."
        )
    if (words := plain_words(text)) > LONGEST:
        says = f"{words} words in edition {program.edition}"
        yield LintFinding(path, 0, "P07", says, f"Say it in at most {LONGEST}; about 90 is right.")


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
        if not 0 < len(deviation.phrase.split()) <= LONGEST_QUOTE:
            says = f"{where}: the term {name!r} has the phrase {deviation.phrase!r}"
            yield LintFinding(
                path, 0, "D02", says, f"Quote one to {LONGEST_QUOTE} words of the source."
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
    match = term.words.search(clauses) if term.words else None
    return match[0] if match else next((form for form in term.forms.values() if form in text), "")


def _check_definitions(path: Path) -> Iterator[LintFinding]:
    """Yield the calls of `define` that name no term, and what a text defines by hand."""
    template = read_text(path)
    try:
        parsed = jinja2.Environment(autoescape=False).parse(template)
    except jinja2.TemplateSyntaxError:
        return  # Rendering reports it.
    for call in parsed.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "define":
            arguments: list[Any] = [
                argument.value if isinstance(argument, nodes.Const) else None
                for argument in call.args
            ]
            try:
                define(*arguments)
            except (BenyfitsError, TypeError) as error:
                says = f"define has no such term: {str(error).partition('. ')[0].rstrip('.')}"
                instead = 'Write {{ define("TERM") }} or {{ define("TERM", "FORM") }}.'
                yield LintFinding(path, call.lineno, "D04", says, instead)
    yield from _defined_by_hand(path, template)


def _defined_by_hand(path: Path, template: str) -> Iterator[LintFinding]:
    """Yield the definitions that stand in a template in words; a longer one hides those in it."""
    bare = _JINJA.sub(_blank, template)
    forms = [
        (said, term.name, form)
        for term in load_terms().values()
        for form, said in term.forms.items()
    ]
    for said, name, form in sorted(forms, key=lambda term: (-len(term[0]), term)):
        words = re.compile(r"\b" + r"\s+".join(map(re.escape, said.split())) + r"\b", re.IGNORECASE)
        arguments = f'"{name}", "{form}"' if form else f'"{name}"'
        for match in words.finditer(bare):
            yield LintFinding(
                path,
                bare.count("\n", 0, match.start()) + 1,
                "D05",
                f"the term {name!r} is defined by hand: {said!r}",
                f"Write {{{{ define({arguments}) }}}}.",
            )
        bare = words.sub(_blank, bare)


def names_read(function: Callable[..., Any]) -> set[str]:
    """Return the facts that a checker reads and the measures it calls, through measures too."""
    names: set[str] = set()
    waiting = [function]
    while waiting:
        one: Any = waiting.pop()
        for name in set(one.__code__.co_names) - names:
            names.add(name)
            called = one.__globals__.get(name)
            if hasattr(called, "__code__"):
                waiting.append(called)
    return names


def check_sources(program: Program) -> Iterator[LintFinding]:
    """Yield what is wrong with the sources of a program's text in its edition."""
    path = program.folder / "sources.toml"
    try:
        sources = program.sources
    except BenyfitsError as error:
        yield LintFinding(path, 0, "S01", str(error).removeprefix(f"{path}: ").rstrip("."), "")
        return
    if sources is None:
        if path.exists():
            says = f"no source of edition {program.edition}"
            yield LintFinding(path, 0, "S02", says, f"Add [{program.edition}].")
        return
    where = f"edition {program.edition}"
    if sources.year == program.edition and sources.is_unchanged and sources.read is None:
        says = f"[{sources.year}] says that the text is unchanged, and nobody says when it was read"
        instead = f"Add read there, or below [{sources.year}] of shared/editions.toml."
        yield LintFinding(path, 0, "S07", says, instead)
    if sources.year != program.edition and program.edition in EDITIONS:
        yield LintFinding(
            path,
            0,
            "S02",
            f"no source of {where}",
            f"Add [{program.edition}], with same_as = {sources.year} where it says the same.",
        )
    try:
        known = set(program.clauses)
    except BenyfitsError:
        return  # The template reports it.
    claimed = {clause for claim in sources.claims for clause in claim.clauses}
    for clause in sorted(claimed - known):
        says = f"{where} claims clause {clause}, which the text does not have"
        yield LintFinding(path, 0, "S03", says, f"The text has {', '.join(sorted(known))}.")
    parts = {clause: clause.rstrip(_LETTERS) for clause in known | claimed}
    for clause in sorted(known - claimed):
        of_parts = {part for part, number in parts.items() if number == clause}
        if parts[clause] in claimed or of_parts & claimed:
            continue
        says = f"{where}: nothing says where clause {clause} comes from"
        yield LintFinding(path, 0, "S04", says, "Add its place in the source.")
    for claim in sources.claims:
        if len(claim.phrase.split()) > LONGEST_QUOTE:
            yield LintFinding(
                path,
                0,
                "S05",
                f"{where}: the phrase {claim.phrase!r} has more than {LONGEST_QUOTE} words",
                "Quote fewer; the place says where the rest stands.",
            )
    places = [claim.place for claim in sources.claims]
    for place in (*places, *(omission.place for omission in sources.omissions)):
        if not place.strip():
            yield LintFinding(path, 0, "S06", f"{where}: a place is empty", "Say where it stands.")
    for omission in sources.omissions:
        if not omission.says.strip():
            yield LintFinding(
                path, 0, "S06", f"{where}: an omission says nothing", "Say what is left out."
            )


def latest_day() -> date:
    """Return the day that it is now where days begin first."""
    return datetime.now(timezone(timedelta(hours=14))).date()


def check_days(program: Program, today: date) -> Iterator[LintFinding]:
    """Yield the days on which texts were read and values verified that are still to come."""
    text = program.sources
    if text and text.read and text.read > today:
        says = f"the text of {text.year} was read on {text.read}, after today, {today}"
        yield LintFinding(program.folder / "sources.toml", 0, "S08", says, "Correct the day.")
    for entry in map(program.thresholds.entry, program.thresholds.names()):
        if isinstance(entry.verified, date) and entry.verified > today:
            says = f"{entry.name}.{entry.since} was verified on {entry.verified}, after {today}"
            path = program.folder / "thresholds.toml"
            yield LintFinding(path, 0, "S08", says, "Correct the day.")
