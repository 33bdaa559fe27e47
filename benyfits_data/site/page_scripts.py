"""The scripts that pages with checkers load: compiled rules, declarations of facts, households."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benyfits_data.dataset.rows import Row
from benyfits_data.editions import Edition
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.constraints.derived import guard_of
from benyfits_data.household.features import FEATURES
from benyfits_data.household.schema import Feature
from benyfits_data.population.synthesis import synthesize
from benyfits_data.profiles.verb_forms import YOU, Speaker, amount, named_speaker
from benyfits_data.site.household_pages import plain_value, unusual_facts
from benyfits_data.site.javascript import compile_edition, compile_functions
from benyfits_data.site.site_writer import Site, spell_out, to_json
from benyfits_data.understanding.canonical import (
    ask_who,
    choice_words,
    household_speaker,
    state_fact,
)

TOOLS = {
    "change": ("Change a fact", "Change a household and see which verdicts flip, and why."),
    "play": ("Play the agent", "Ask a household as few questions as you can."),
    "screen": ("Screen a household", "Answer for your own: which programs may it claim?"),
}
"""Pages that run checkers: title, and what one does there."""
PRIOR, PRIOR_SEED = 150, 21
"""Households of the city that the order of questions is chosen by. With twice as many, numbers of
questions are the same within 1%, and the page loads 300 kB more."""
HOUSING = {
    "Rental": (
        *("unregulated rental", "rent stabilized apartment", "rent controlled apartment"),
        *("rent regulated hotel", "rent regulated single room occupancy (SRO)"),
    ),
    "Public or subsidized": (
        *("NYCHA development", "Section 8", "Mitchell-Lama development", "HDFC development"),
        *("limited dividend development", "redevelopment company development"),
        "Section 213 coop",
    ),
    "House or apartment": (
        *("one-family house", "two-family house", "three-family house", "condo"),
        *("cooperative apartment", "manufactured home", "farmhouse", "mixed use property"),
    ),
    "Shelter, or no home": ("DHS shelter", "HRA shelter", "temporary housing", "homeless"),
}
"""Types of homes in groups that a reader chooses from."""
_SIGNS = {
    "==": "is",
    "!=": "is not",
    ">=": "is at least",
    "<=": "is at most",
    ">": "is over",
    "<": "is under",
}
_STATIC = Path(__file__).parent / "static"


def write_scripts(
    site: Site, editions: Mapping[int, Edition], rows: Sequence[Row], floors: Mapping[str, int]
) -> None:
    """Write checkers, facts and households for the pages that run them, and those pages.

    Args:
        site: Where to write.
        editions: Whose checkers.
        rows: The households.
        floors: The fewest questions of each row, by its id; rows may lack it.
    """
    readers = {
        name: [
            (constraint.name, constraint.is_local)
            for constraint in CONSTRAINTS.values()
            if name in constraint.reads
        ]
        for name in FEATURES
    }
    for year, edition in editions.items():
        clauses = {name: edition.program(name).clauses for name in edition}
        titles = {name: program.title for name, program in edition.items()}
        about = {
            name: (first_sentence(program.plain()), program.agency)
            for name, program in edition.items()
        }
        says = {constraint.name: _in_words(constraint.says) for constraint in CONSTRAINTS.values()}
        rules = "\n".join(
            [
                f"(window.RULES = window.RULES || {{}})[{year}] = (function () {{",
                compile_edition(edition),
                compile_functions(
                    "GUARDS",
                    {
                        name: [guard_of(name, guard) for guard in feature.when + feature.needs]
                        for name, feature in FEATURES.items()
                        if feature.when + feature.needs
                    },
                ),
                f"const CLAUSES = {to_json(clauses)};",
                f"const TITLES = {to_json(titles)};",
                f"const ABOUT = {to_json(about)};",
                f"const SAYS = {to_json(says)};",
                f"const CONSTRAINTS_OF = {to_json(readers)};",
                "return { check, turned, violations, tried,",
                "  MISSING, PROGRAMS, GUARDS, CONSTRAINTS, CONSTRAINTS_OF,",
                "  CLAUSES, TITLES, ABOUT, SAYS };",
                "})();",
                "",
            ]
        )
        site.write(f"rules-{year}.js", rules)
    site.script(
        "facts.js", "FACTS", {name: _declared(name, feature) for name, feature in FEATURES.items()}
    )
    homes = [
        {
            "id": row.id,
            "edition": row.edition,
            "programs": row.programs,
            "floor": floors.get(row.id),
            "household": unusual_facts(row.household),
        }
        for row in rows
    ]
    site.script("homes.js", "HOMES", homes)
    city = synthesize(PRIOR, PRIOR_SEED, workers=1)
    likely = [unusual_facts(city.household(at)) for at in range(len(city))]
    for home in likely:
        for member in home["members"]:
            member.pop("name", None)
    site.script("prior.js", "PRIOR", likely)
    for name, (title, _) in TOOLS.items():
        site.page(f"{name}.html", name, title, editions=list(editions))
    for path in sorted(_STATIC.iterdir()):
        site.write(path.name, path.read_text(encoding="utf-8"))


def _in_words(says: str) -> str:
    """Return what a constraint demands, with the conditions of a declaration read out."""
    for sign, words in _SIGNS.items():
        says = says.replace(f" {sign} ", f" {words} ")
    says = spell_out(says.replace("'", "")) if "_" in says else says
    return says[0].upper() + says[1:]


def first_sentence(text: str) -> str:
    """Return the first sentence of a text."""
    line = " ".join(text.split())
    return (
        re.split(r"(?<=[a-z0-9)][.:])\s", line, maxsplit=1)[0].removesuffix(":").rstrip(".") + "."
    )


def _statements(name: str, feature: Feature, speaker: Speaker) -> dict[str, str]:
    """Return what is said of each value, by its JSON text; of other numbers, with `@` for them."""
    values: list[Any] = [True, False] if feature.kind == "flag" else [*feature.choices]
    if name == "current_grade":
        values = list(range(int(feature.minimum or 0), int(feature.maximum or 0) + 1))
    elif feature.kind in ("number", "decimal"):
        values = [0, 1]
    values += [None] if feature.optional else []
    said = {json.dumps(value).strip('"'): state_fact(name, value, speaker) for value in values}
    if feature.sentence and not feature.choices:
        number = amount(2, feature.unit).replace("2", "@") if feature.kind != "date" else "@"
        said["@"] = speaker.sentence(feature.sentence, value=number, count=number)
    return said


def _declared(name: str, feature: Feature) -> dict[str, Any]:
    """Return a declaration as scripts read it; a `{name}` in a question is the member's."""
    them = named_speaker("{name}", "their")
    choices = choice_words(name, YOU)[1] if feature.choices else {}
    you = YOU if feature.level == "member" else household_speaker(name)
    return {
        "label": spell_out(name),
        "level": feature.level,
        "topic": feature.topic,
        "kind": feature.kind,
        "optional": feature.optional,
        "choices": list(feature.choices),
        "words": {choice: words.removesuffix(".") for choice, words in choices.items()},
        "groups": HOUSING if name == "housing_type" else {},
        "minimum": feature.minimum,
        "maximum": feature.maximum,
        "unit": feature.unit,
        "default": plain_value(feature.default),
        "off": plain_value(feature.off),
        "you": YOU.sentence(feature.question) if feature.question else "",
        "who": ask_who(name) if feature.kind == "flag" and feature.level == "member" else "",
        "they": them.sentence(feature.question) if feature.question else "",
        "says": {
            "you": _statements(name, feature, you),
            "they": _statements(name, feature, them) if feature.level == "member" else {},
        },
    }
