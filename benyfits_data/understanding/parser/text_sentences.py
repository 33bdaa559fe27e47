"""The sentences of a text, each with whether it asks for something."""

import re

_PICTURES = re.compile(r"(?P<before>\S)?\s*[\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]+")
"""Signs that stand between sentences of messages."""


def _as_stop(match: re.Match[str]) -> str:
    """Return the end of a sentence before a picture, with a stop where it has none."""
    before = match["before"] or ""
    return f"{before} " if before in ".?!,:" else f"{before}. "


def sentences(question: str) -> list[tuple[str, bool]]:
    """Return the sentences of a text, each with whether it asks for something."""
    text = " ".join(_PICTURES.sub(_as_stop, question).split())
    text = re.sub(
        r"\b(e\.g|i\.e|u\.s|U\.S|Mr|Ms|Mrs|Dr|St)\.",
        lambda m: m.group(0).replace(".", "\u2024"),
        text,
    )
    parts = [
        part.replace("\u2024", ".")
        for part in re.split(r"(?<=[?!])\s+|(?<=\.)\s+(?=[A-Z])|\n|;\s+", text)
    ]
    has_mark = any("?" in part for part in parts)
    told = []
    for part in parts:
        if not part.strip():
            continue
        asks = part.rstrip().endswith("?") or (not has_mark)
        told.append((part.strip(), asks))
    return told
