"""Runs the tutorial and saves what it shows: `python -m tests.library.notebook`."""

import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.ipynb"


def execute(folder: Path) -> Any:
    """Return the tutorial, run in a folder from top to bottom."""
    notebook = nbformat.read(PAGE, as_version=4)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": folder}}).execute()
    for cell in notebook.cells:
        # When each cell ran would differ every time.
        cell.metadata.pop("execution", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        nbformat.write(execute(Path(place)), PAGE)
