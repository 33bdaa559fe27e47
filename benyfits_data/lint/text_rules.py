"""The linter of texts: numbers come from the thresholds; plain texts are short, to the reader."""

import re
from collections.abc import Iterator

import jinja2
from jinja2 import nodes

from benyfits_data.editions import Program
from benyfits_data.editions.toml_file import read_text
from benyfits_data.errors import BenyfitsError
from benyfits_data.language.grammar import LintFinding

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
    return re.sub(r"[^\n]", " ", match[0])


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
