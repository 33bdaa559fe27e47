"""The prompts: Jinja2 files in this folder, each replaceable by one of the same name.

Variables are those of the paper's appendix C; a variable that a template misspells is an error.
"""

from functools import cache
from pathlib import Path
from typing import Any

from benyfits_data.errors import EvaluationError

FOLDER = Path(__file__).parent
SUFFIX = ".jinja"


class Prompts:
    """The prompts in force.

    Args:
        folder: Templates that replace ours by name; any other file there is an error.

    Raises:
        EvaluationError: The folder does not exist or holds a file that replaces nothing.
    """

    def __init__(self, folder: Path | None = None) -> None:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        folders = [FOLDER]
        if folder is not None:
            _check_folder(folder)
            folders.insert(0, folder)
        self.folder = folder
        self._loader = FileSystemLoader(folders)
        self._environment = Environment(
            loader=self._loader,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,
        )

    def texts(self) -> dict[str, str]:
        """Return the prompts as they are written, by file."""
        files = self._environment.list_templates(extensions=[SUFFIX[1:]])
        return {name: self._loader.get_source(self._environment, name)[0] for name in files}

    def render(self, name: str, **variables: Any) -> str:
        """Return a prompt with its variables filled in.

        Raises:
            EvaluationError: The template is broken or asks for a variable it is not given.
        """
        from jinja2 import TemplateError

        try:
            return self._environment.get_template(name + SUFFIX).render(**variables).strip()
        except TemplateError as error:
            where = self.folder or FOLDER
            raise EvaluationError(
                f"Prompt {name}{SUFFIX} in {where}: {error}. It may use: {', '.join(variables)}.",
                prompt=name,
            ) from error


@cache
def names() -> tuple[str, ...]:
    """Return the names of all prompts, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*" + SUFFIX)))


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise EvaluationError(f"--prompts {folder}: no such folder.", path=str(folder))
    for path in sorted(folder.iterdir()):
        if path.suffix == SUFFIX and path.stem not in names():
            raise EvaluationError(
                f"{path} replaces no prompt; the names are: {', '.join(names())}.", path=str(path)
            )
