"""Rendered texts laid out again: amounts put in by a template leave lines too short or too long."""

import re
import textwrap
from collections.abc import Iterator

WIDTH = 100
_ITEM = re.compile(r" *(?:\d+\.|[a-z]\.|-) ")
_GLUE = "\0"


def rewrap(text: str) -> str:
    """Return a Markdown text with its paragraphs and list items wrapped evenly.

    Tables and headings stay as they are, blank lines are never doubled, and no line begins with a
    number and a full stop unless a list item began there before.
    """
    blocks = [_wrap(block) for block in _blocks(text)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(blocks)).strip() + "\n"


def _blocks(text: str) -> Iterator[list[str]]:
    """Give the lines of each paragraph, list item, and line that stands for itself."""
    block: list[str] = []
    for line in text.splitlines():
        stands_alone = not line.strip() or line.startswith(("|", "#"))
        if block and (stands_alone or _ITEM.match(line)):
            yield block
            block = []
        if stands_alone:
            yield [line]
        else:
            block.append(line)
    if block:
        yield block


def _wrap(block: list[str]) -> str:
    first = block[0]
    if not first.strip() or first.startswith(("|", "#")):
        return first.rstrip()
    item = _ITEM.match(first)
    lead = item[0] if item else ""
    words = " ".join(line.strip() for line in [first[len(lead) :], *block[1:]])
    # A line that began with "65." or "a." would be read as a list item.
    glued = re.sub(r" (?=(?:\d+|[a-z])\.(?:\s|$)|- )", _GLUE, words)
    lines = textwrap.wrap(
        glued,
        WIDTH,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace(_GLUE, " ")
