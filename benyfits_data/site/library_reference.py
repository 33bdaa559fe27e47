"""The reference of the library: signatures and docstrings of what is public."""

import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from benyfits_data.evaluation.agents import find_agent
from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.fact_answers import FactAnswer
from benyfits_data.evaluation.models import AGENTS

MARK = "<!-- written by `python -m benyfits_data.cli.reference docs`; do not edit below -->\n"
FOR_AGENTS = (
    *("ask", "ask_fact"),
    *("complete", "complete_object", "judge", "predict"),
)
"""What agents ask of a conversation."""


def library_page(page: str, package: ModuleType) -> str:
    """Return the page of the library with its reference written anew below the mark.

    Args:
        page: The page as it is.
        package: `benyfits_data`, whose public names are described.
    """
    parts = [page[: page.index(MARK)] + MARK + "\n"]
    for name in package.__all__:
        public = getattr(package, name)
        parts.append(f"### {name}\n\n{_described(public, f'bd.{name}')}")
        for method, attribute in _methods(public):
            owner = name if isinstance(attribute, classmethod) else name.lower()
            parts.append(_described(getattr(public, method), f"{owner}.{method}"))
    firsts = {name: (inspect.getdoc(find_agent(name)) or "").split("\n\n")[0] for name in AGENTS}
    rows = [f"| `{name}` | {' '.join(says.split())} |\n" for name, says in firsts.items()]
    parts.append(f"### Bundled agents\n\n| agent | what it does |\n|---|---|\n{''.join(rows)}")
    parts.append("### Conversation\n")
    for method in FOR_AGENTS:
        parts.append(_described(getattr(Conversation, method), f"await conversation.{method}"))
    parts.append(_described(FactAnswer, "FactAnswer"))
    return "\n".join(parts)


def _methods(public: Any) -> Iterator[tuple[str, Any]]:
    """Yield public methods of a class: its own, then what it has from other classes of ours."""
    for owner in public.__mro__ if inspect.isclass(public) else ():
        for name, attribute in vars(owner).items():
            is_method = inspect.isfunction(attribute) or isinstance(attribute, classmethod)
            if is_method and owner.__module__.startswith("benyfits_data.") and name[0] != "_":
                yield name, attribute


def _described(public: Any, called: str) -> str:
    """Return signature (functions only) and docstring of something public, as a block of text."""
    signature = "" if inspect.isclass(public) else str(inspect.signature(public))
    # An annotation that stands in quotes is shown without them.
    signature = re.sub(r"(: |-> )(['\"])(.*?)\2", r"\1\3", signature)
    words = f"{called}{signature}".replace("benyfits_data.", "")
    return f"```text\n{words}\n\n{inspect.getdoc(public)}\n```\n"
