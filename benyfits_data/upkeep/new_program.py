"""A new program folder: commented files whose gaps `programs lint` names one by one."""

import re
from datetime import date
from pathlib import Path

from benyfits_data.editions import load_edition, load_register
from benyfits_data.editions.edition import forget_editions
from benyfits_data.editions.workspace import base, writable_root
from benyfits_data.errors import PublishedEditionError, UnknownEditionError, UnknownProgramError
from benyfits_data.staged_writes import staged, write_atomically

_TEMPLATES = Path(__file__).parent / "templates" / "program"


def folder_name(name: str) -> str:
    """Return the folder of a program: `FairFaresNYC` lives in `fair_fares_nyc`."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|\d+", name)
    return "_".join(word.lower() for word in words)


def new_program(name: str, since: int, today: date) -> Path:
    """Write the folder of a new program and return its path.

    Args:
        name: The program's name, such as `FairFaresNYC`.
        since: The first edition it is part of, a draft.
        today: The day that the template notes as day of verification.

    Raises:
        UnknownProgramError: The name is not one of a program, or is taken.
        UnknownEditionError: There is no such edition.
        PublishedEditionError: The edition is published and gets no new programs.
        WorkspaceError: The package is an installed one and there is no workspace.
    """
    if not re.fullmatch(r"([A-Z][A-Za-z]*)", name):
        raise UnknownProgramError(
            f"{name!r} is no name of a program. Write letters only, each word with a capital: "
            "FairFaresNYC.",
            program=name,
        )
    register = load_register()
    if since not in register:
        raise UnknownEditionError(
            f"There is no edition {since}; editions are {', '.join(map(str, register))}. "
            f"`benyfits-data editions new {since} --from {max(register)}` prepares one.",
            edition=since,
        )
    if register[since].status == "published":
        raise PublishedEditionError(
            f"Edition {since} is published and gets no new programs. Begin {name} with a draft.",
            edition=since,
        )
    folder = writable_root() / folder_name(name)
    taken = {known.lower() for year in register for known in load_edition(year)}
    if name.lower() in taken or folder.exists():
        raise UnknownProgramError(
            f"There is a program {name} already. Names are unique: choose another.", program=name
        )
    with staged(base()) as stage:
        for path in sorted(_TEMPLATES.iterdir()):
            text = path.read_text(encoding="utf-8")
            if path.stem != "checker.py":
                text = text.format(name=name, year=since, today=today)
            write_atomically(stage / folder.relative_to(base()) / path.stem, text)
    forget_editions()
    return folder
