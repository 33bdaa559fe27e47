"""Numbers that stand in a requirement text by hand instead of coming from the thresholds."""

import re
from collections.abc import Iterator

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
