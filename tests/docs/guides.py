"""Guides that run: their commands, and the outputs they promise."""

import re
from dataclasses import dataclass

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    """A block to run and the lines it must print; `...` stands for anything."""

    language: str
    code: str
    expected: tuple[str, ...]


def read_steps(text: str) -> list[Step]:
    """Return the `sh` and `python` blocks of a guide, each with the `text` block after it."""
    steps: list[Step] = []
    for language, code in _BLOCK.findall(text):
        if language == "text":
            last = steps[-1]
            steps[-1] = Step(last.language, last.code, tuple(code.splitlines()))
        elif language in ("sh", "python"):
            steps.append(Step(language, code, ()))
    return steps


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
