"""Blocks of documents, run one after the other as a reader would, and what they promise to print.

A fence says after its language what keeps a block from being run: `needs=` a model, a gpu, a
person, a file or a draft edition, `takes=` minutes or hours, `part=` a checker. Such blocks are
parsed only. `file=NAME` names the file that a block is saved as, or that a `diff` changes.

`python -m tests.docs.runner` runs the tutorial and saves what it shows.
"""

import ast
import re
import shlex
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests.commands import invoke
from tests.copies import ROOT, Copy

OPTIONS = {
    "needs": {"model", "gpu", "person", "file", "draft"},
    "takes": {"minutes", "hours"},
    "part": {"checker"},
    "file": None,
}
"""What a fence may say after its language, and the values that this may have."""
TUTORIAL = ROOT / "docs" / "tutorial.ipynb"
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


def read_steps(text: str, languages: tuple[str, ...] = ("sh", "python", "diff")) -> list[Step]:
    """Return the blocks of a page that run, each with the `text` block after it.

    One under another heading is no output. Examples with prompts are one step, as names stay.
    """
    steps: list[Step] = []
    lines = text.splitlines()
    for block in read_blocks(text):
        if block.language == "text" and steps:
            between = lines[steps[-1].line + steps[-1].code.count("\n") + 1 : block.line - 1]
            if not any(line.startswith("#") for line in between):
                steps[-1] = replace(steps[-1], expected=tuple(block.code.splitlines()))
        elif steps and has_prompts(block) and has_prompts(steps[-1]):
            steps[-1] = replace(steps[-1], code=f"{steps[-1].code}\n{block.code}")
        elif block.language in languages:
            steps.append(block)
    return steps


def has_prompts(step: Step) -> bool:
    """Return whether a block holds examples of Python with their values, for doctest."""
    return step.language == "python" and step.code.startswith(">>>")


def run_step(step: Step, house: Copy) -> str:
    """Return what is wrong with a block, run in a copy of the house; nothing if it does as said."""
    if step.language == "diff":
        changed = house.root / step.options["file"]
        changed.write_text(apply_diff(changed.read_text("utf-8"), step.code), "utf-8")
        return ""
    if "file" in step.options:
        (house.root / step.options["file"]).write_text(step.code, encoding="utf-8")
        return parse(step, house)
    if {"needs", "takes", "part"} & step.options.keys():
        return parse(step, house)
    command = f"set -e\n{step.code}"
    if step.language == "python":
        (house.root / "step.py").write_text(step.code, encoding="utf-8")
        (house.root / "step.txt").write_text(step.code, encoding="utf-8")
        command = "python -m doctest step.txt" if has_prompts(step) else "python step.py"
    done = house.shell(command)
    if done.returncode or "Traceback (most recent" in done.stdout:
        return f"exit code {done.returncode}\n{done.stdout[-2000:]}"
    missing = first_missing(step.expected, done.stdout)
    return "" if missing is None else f"not printed: {missing}\n{done.stdout}"


def command_lines(code: str) -> Iterator[str]:
    """Yield the commands of a block; one that ends in a backslash goes on in the next line."""
    for line in code.replace("\\\n", " ").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line


def parse(step: Step, house: Copy) -> str:
    """Return what is wrong with a block that cannot be run here: syntax, commands, options."""
    if step.language == "python":
        try:
            ast.parse(textwrap.dedent(step.code))
        except SyntaxError as error:
            return str(error)
        return ""
    for command in command_lines(step.code):
        words = shlex.split(command, comments=True)
        if words[0] == "benyfits-data":
            result = invoke(*words[1:], "--help")
            code, said = result.exit_code, result.output
        else:
            made = f"{shlex.join(words)} --dry-run"
            done = house.shell(made if words[0] == "make" else f"bash -n -c {shlex.quote(command)}")
            code, said = done.returncode, done.stdout
        if code:
            return f"$ {command}\n{said[-1000:]}"
    return ""


def run_notebook(folder: Path) -> Any:
    """Return the tutorial, run in a folder from top to bottom."""
    notebook = nbformat.read(TUTORIAL, as_version=4)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": folder}}).execute()
    for cell in notebook.cells:
        # When each cell ran would differ every time.
        cell.metadata.pop("execution", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


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


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        nbformat.write(run_notebook(Path(place)), TUTORIAL)
