"""The texts that agents read: decided, plain, or those of a file in the published layout."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benyfits_data.dataset import read_lines
from benyfits_data.editions import load_edition
from benyfits_data.errors import EvaluationError

DECIDED = "decided"
PLAIN = "plain"


@dataclass(frozen=True)
class Texts:
    """Texts of programs.

    Attributes:
        name: What tables call them: `decided`, `plain`, or the file's name without its ending.
        of: Returns the text of a program in an edition.
    """

    name: str
    of: Callable[[int, str], str]


def find_texts(told: str) -> Texts:
    """Return the texts that `--texts` names.

    Args:
        told: `decided`: the requirement texts, complete and unambiguous; `plain`: what a public
            page would say; else a file of JSON Lines with `program_name` and
            `plain_language_eligibility`.

    Raises:
        EvaluationError: There is no such file; or, once a text is asked for, it lacks a program.
        ProgramFolderError: Once a text is asked for, the program has no plain text.
    """
    if told == DECIDED:
        return Texts(told, lambda year, name: load_edition(year).program(name).requirements())
    if told == PLAIN:
        return Texts(told, lambda year, name: load_edition(year).program(name).plain())
    path = Path(told)
    if not path.exists():
        raise EvaluationError(
            f"--texts {told} is neither {DECIDED} nor {PLAIN}, nor is there such a file. Name a "
            "file of JSON Lines with program_name and plain_language_eligibility.",
            path=told,
        )
    texts = {
        str(content.get("program_name")): str(content.get("plain_language_eligibility"))
        for _, content in read_lines(path)
    }

    def of(year: int, name: str) -> str:
        if name not in texts:
            raise EvaluationError(
                f"{path} has no text of {name}, which the dataset asks about. "
                "Give the file that belongs to the dataset.",
                program=name,
            )
        return texts[name]

    return Texts(path.stem, of)
