"""The linter of plain texts: short, to the reader, and with no number but the program's."""

import re
from collections.abc import Iterator

import jinja2
from jinja2 import nodes

from benyfits_data.editions import Program
from benyfits_data.editions.toml_file import read_text
from benyfits_data.errors import BenyfitsError
from benyfits_data.language.grammar import LintFinding
from benyfits_data.lint.literal_numbers import literal_numbers

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
        yield LintFinding(path, 1, "a front matter", "Drop it: requirements.md has it.")
        return
    try:
        parsed = jinja2.Environment(autoescape=False).parse(template)
    except jinja2.TemplateSyntaxError as error:
        yield LintFinding(path, error.lineno, str(error).rstrip("."), "Correct the template.")
        return
    thresholds = program.thresholds
    known = {*thresholds.names(), *thresholds.of_readings(), "edition"}
    names = {node.name for node in parsed.find_all(nodes.Name)}
    for name in sorted(names - known - _of_other_editions(program)):
        found = f"{name}, which is no threshold of the program in any edition"
        yield LintFinding(path, 0, found, f"It has {', '.join(sorted(known))}.")
    try:
        text = program.plain()
    except BenyfitsError as error:
        yield LintFinding(path, 0, str(error).removeprefix(f"{path}: ").rstrip("."), "")
        return
    for line, number in literal_numbers(template):
        found = f"the number {number} stands in the text by hand"
        yield LintFinding(path, line, found, "Write {{ its_name }}, a threshold of the program.")
    for pattern, instead in _AVOIDED.items():
        if avoided := re.search(pattern, text, re.IGNORECASE):
            yield LintFinding(path, 0, f"`{avoided[0]}` in a plain text", instead)
    if not re.search(r"\byou(r|rs)?\b", text, re.IGNORECASE):
        yield LintFinding(path, 0, "nobody is spoken to", "Say `you`, as a public page does.")
    if (words := plain_words(text)) > LONGEST:
        found = f"{words} words in edition {program.edition}"
        yield LintFinding(path, 0, found, f"Say it in at most {LONGEST}; about 90 is right.")


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
