"""Guides that run: their commands, and the outputs they promise."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

_BLOCK = re.compile(r"^```(\w*)([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    """A block, and the lines it must print; `...` stands for anything.

    Attributes:
        options: What the fence says of the block, such as `needs=model`.
        line: Where it begins.
    """

    language: str
    code: str
    expected: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    line: int = 0


def read_blocks(text: str) -> list[Step]:
    """Return all blocks of a page."""
    return [
        Step(
            match[1],
            match[3],
            options=dict(item.split("=", 1) for item in match[2].split()),
            line=text.count("\n", 0, match.start()) + 1,
        )
        for match in _BLOCK.finditer(text)
    ]


def read_steps(text: str, languages: tuple[str, ...] = ("sh", "python")) -> list[Step]:
    """Return the `sh` and `python` blocks of a guide, each with the `text` block after it.

    One under another heading is no output.
    """
    steps: list[Step] = []
    lines = text.splitlines()
    for block in read_blocks(text):
        if block.language == "text" and steps:
            between = lines[steps[-1].line + steps[-1].code.count("\n") + 1 : block.line - 1]
            if not any(line.startswith("#") for line in between):
                steps[-1] = replace(steps[-1], expected=tuple(block.code.splitlines()))
        elif block.language in languages:
            steps.append(block)
    return steps


def apply_diff(text: str, diff: str) -> str:
    """Return a text after the changes of a diff, whose places are parted by empty lines."""
    for change in diff.strip("\n").split("\n\n"):
        lines = change.splitlines()
        before, after = (
            "".join(f"{line[1:]}\n" for line in lines if line[0] in signs) for signs in (" -", " +")
        )
        assert text.count(before) == 1, f"stands there {text.count(before)} times:\n{before}"
        text = text.replace(before, after)
    return text


def first_missing(expected: tuple[str, ...], output: str) -> str | None:
    """Return the first promised line that is not printed where it should be; `None` if all are.

    A line `...` allows any lines before the next one; otherwise lines must follow one another.
    """
    lines = output.splitlines()
    position, is_free = 0, False
    for promised in expected:
        if promised.strip() == "...":
            is_free = True
            continue
        pattern = re.compile(".*".join(re.escape(it) for it in re.split(r"\s*\.\.\.\s*", promised)))
        span = range(position, len(lines)) if is_free else range(position, position + 1)
        found = [it for it in span if it < len(lines) and pattern.fullmatch(lines[it].rstrip())]
        if not found:
            return promised
        position, is_free = found[0] + 1, False
    return None
