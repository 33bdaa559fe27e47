"""How pages, scripts and data of the site are written, and what the search finds."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from benyfits_data.templating import templates
from benyfits_data.version import __version__

MARK = '<meta name="generator" content="benyfits-data">'
"""Stands in every page of ours."""
_SHORT = (
    "ac|acs|aids|atin|covid|cuny|fpha|gpa|heap|hiv|hra|hse|itin|nyc|nys|sche|snap|ssdi|ssi|ssn|us|va|"
    "vpsb|wep"
)
"""Words of facts' names that are written in capitals."""


@dataclass
class Site:
    """The pages of a site, written one by one.

    Attributes:
        write: Called with each file's path below the site's root and its text.
        entries: What the search finds, as `list_entry` writes it.
        parts: The pages that all others lead to: title, and what is there, by address.
    """

    write: Callable[[str, str], None]
    entries: list[tuple[str, str, str, str]] = field(default_factory=list)
    parts: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._templates = templates(Path(__file__).parent / "templates")
        self._templates.filters |= {"code": spell_out, "prose": prose}

    def page(self, address: str, template: str, title: str, **values: Any) -> None:
        """Write one page."""
        shown = self._templates.get_template(f"{template}.jinja").render(
            title=title,
            address=address,
            root="../" * address.count("/"),
            parts=self.parts,
            version=__version__,
            mark=Markup(MARK),
            **values,
        )
        self.write(address, shown)

    def list_entry(self, kind: str, title: str, address: str, words: str = "") -> None:
        """Let the search find a page: what it is, by which title, where, and by which words."""
        self.entries.append((kind, title, address, words))

    def script(self, address: str, name: str, value: Any) -> None:
        """Write data as a script that keeps it under a name of `window`: files may not fetch."""
        # No text of it may end the script.
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        self.write(address, f"window.{name} = {text};\n")


def spell_out(name: str) -> str:
    """Return a fact's name, or a text with such names, in words: `had_previous_sche` has SCHE."""
    words = name.replace("_", " ")
    return re.sub(rf"\b({_SHORT})\b", lambda match: match[0].upper(), words)


def prose(text: str) -> Markup:
    """Return Markdown as HTML; HTML inside it is shown, not run, and what is wide can be scrolled.

    Parts of a clause, which begin with a letter and a point, are a list within it.
    """
    listed = re.sub(r"^( +)([a-z]+\. )", r"\1- \2", text, flags=re.MULTILINE)
    shown = MarkdownIt("commonmark", {"html": False}).enable("table").render(listed)
    region = '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'
    shown = shown.replace("<table>", region).replace("</table>", "</table></div>")
    return Markup(shown.replace("<pre>", '<pre tabindex="0">'))
