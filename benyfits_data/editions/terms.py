"""The terms that requirement texts share: each is said once, and means named measures and facts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benyfits_data.editions.toml_file import check_table, malformed, read_toml
from benyfits_data.errors import ProgramFolderError
from benyfits_data.household import measures
from benyfits_data.household.features import FEATURES
from benyfits_data.spelling import suggest

TERMS_PATH = Path(__file__).with_name("terms.toml")
_KEYS = {"words": str, "reads": list, "says": str, "forms": dict}


@dataclass(frozen=True)
class TextTerm:
    """A term of the requirement texts.

    Attributes:
        name: The term.
        reads: The measures and facts of which the checker of a text that uses it reads one.
        words: How clauses use it; `None` where the words alone tell nothing.
        forms: What `define` prints, by form; `""` is the usual one. Empty where texts never
            say what the term means.
    """

    name: str
    reads: frozenset[str]
    words: re.Pattern[str] | None
    forms: Mapping[str, str]


@cache
def load_terms(path: Path = TERMS_PATH) -> Mapping[str, TextTerm]:
    """Return all terms by name.

    Raises:
        ProgramFolderError: A key is unknown, or a term reads what is no measure and no fact.
    """
    terms = {}
    known = {name for name, entry in vars(measures).items() if callable(entry)} | set(FEATURES)
    for name, table in read_toml(path).items():
        check_table(path, name, table, _KEYS, ("reads",))
        if strange := [entry for entry in table["reads"] if entry not in known]:
            raise malformed(
                path,
                f"{name} reads {strange[0]!r}, which is no measure and no fact. Name one of "
                "household/measures.py or household/features/.",
            )
        others = table.get("forms", {})
        check_table(path, f"{name}.forms", others, dict.fromkeys(others, str))
        forms = {"": table["says"]} if "says" in table else {}
        words = re.compile(table["words"], re.IGNORECASE) if "words" in table else None
        terms[name] = TextTerm(name, frozenset(table["reads"]), words, forms | others)
    return terms


def define(name: str, form: str = "") -> str:
    """Return what a term means, in words; requirement texts call it.

    Raises:
        ProgramFolderError: There is no such term, or it has no such form.
    """
    terms = load_terms()
    if name not in terms:
        hint = suggest(str(name), terms.keys(), f"Terms are {', '.join(terms)}.")
        raise ProgramFolderError(f"{name!r} is no term of editions/terms.toml. {hint}", term=name)
    forms = terms[name].forms
    if form not in forms:
        known = ", ".join(repr(known_form) for known_form in forms if known_form) or "none"
        raise ProgramFolderError(
            f"The term {name!r} has no form {form!r}; it has {known}. Name one of them, or add it "
            "to editions/terms.toml.",
            term=name,
        )
    return forms[form]
