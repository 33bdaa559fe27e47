"""How pages and files of a release are made of templates: one strict way for all."""

from pathlib import Path

import jinja2


def templates(*folders: Path, autoescape: bool = True) -> jinja2.Environment:
    """Return the templates of some folders, of one name those of the first; no gap stays empty.

    Args:
        folders: Where they are.
        autoescape: Whether values are text that HTML must not run.
    """
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        undefined=jinja2.StrictUndefined,
        autoescape=autoescape,
        trim_blocks=True,
        lstrip_blocks=True,
    )
