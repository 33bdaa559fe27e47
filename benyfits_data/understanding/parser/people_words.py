"""The words that name people, as patterns: nouns, quantifiers, homes; from `people.toml`."""

import re
import tomllib
from importlib.resources import files
from typing import Any

_GROUPS = (
    "person",
    "people",
    "persons",
    "member",
    "members",
    "individual",
    "individuals",
    "residents",
    "occupants",
    "those",
)
_TOLD = tomllib.loads(
    (files("benyfits_data.understanding.parser") / "people.toml").read_text(encoding="utf-8")
)
_PLURALS = {
    "child": "children",
    "man": "men",
    "person": "people",
    "wife": "wives",
    "boy": "boys",
    "guy": "guys",
    "y": "ies",
    "": "s",
}
"""Ends of nouns and what stands there of several, the first that fits."""


def _with_plurals(nouns: dict[str, Any]) -> dict[str, Any]:
    """Return a table of nouns with their plurals: "niece or nephew", "nieces or nephews"."""
    told = dict(nouns)
    for noun, it in nouns.items():
        plural = re.sub(r"\w+(?=$| or | and )", lambda match: _plural(match.group(0)), noun)
        told.setdefault(plural, it)
    return told


def _plural(noun: str) -> str:
    if noun.endswith("s"):
        return noun
    end = next(it for it in _PLURALS if noun.endswith(it))
    return noun.removesuffix(end) + _PLURALS[end]


RELATIONS: dict[str, dict[str, Any]] = _with_plurals(_TOLD["relations"])
AGES: dict[str, dict[str, int]] = _with_plurals(_TOLD["ages"])
HOME = (
    r"(?:(?: (?:who|that))?(?: (?:currently|now|also))?(?: (?:live|lives|living|"
    r"reside|resides|residing|stay|stays|staying))?"
    r"(?: (?:is|are))?(?: (?:in|of|within|at|from|under))(?: (?:your|the|this|same|my|their))*"
    r" (?:own )?(?:household|family|home|house|apartment|roof|place|care|"
    r"residence)(?: (?:household|members?))?"
    r"|(?: (?:who|that))?(?: (?:currently|now|also))?(?: (?:is|are))? (?:live|lives|"
    r"living|reside|resides|residing|stay|stays|staying) (?:with you|there|here|together|at home)"
    r"| with you| at home|(?: of)? yours)?"
)
_WORDS = "|".join(
    sorted((re.escape(w) for w in (*RELATIONS, *AGES, *_GROUPS)), key=len, reverse=True)
)
KIN = "|".join(sorted(map(re.escape, RELATIONS), key=len, reverse=True))
"""Words for relations, as a pattern."""
SET_AGES = frozenset(
    ("adult", "adults", "grown up", "grown ups", "minor", "minors", "man", "men", "woman", "women")
)
"""Nouns whose limit of age a limit that follows narrows; that of "seniors, 60 or older" it sets."""
SOME = "some"
"""Begins the word that stands for members found before: `some_1_3`."""
SOME_PEOPLE = re.compile(SOME + r"(?:_\d+)+")
HEAD = re.compile(
    r"(?P<quant>any of|anyone of|any|some of|some|each of|each|every|all of|all \d+ of|all|"
    r"both of|both|either of|neither of|"
    r"none of|which of|which|what|how many of|how many|number of|one of|other)?"
    r"(?: ?(?P<det>your|its|the|these|those|a|an|my|this|that|no))?"
    r"(?: ?(?P<group>household|family|other|of the|of your|any|own|immediate|additional))*"
    r"(?: ?(?P<nth>(?:second|third|fourth|next)(?= (?:youngest|oldest|eldest))))?"
    r"(?: ?(?P<several>[2-9](?= (?:youngest|oldest|eldest))))?"
    r"(?: ?(?P<pick>youngest|oldest|eldest|younger|older|first|second|third|only|newest|middle))?"
    r"(?: household| family)?"
    r"(?: ?(?P<age>\d+) (?:year|yr)s? old)?(?: (?P<n>\d+))?"
    r"(?: ?(?P<adult>minor|adult|young|school age|school aged))?"
    r" ?(?P<noun>" + SOME_PEOPLE.pattern + "|" + _WORDS + r")\b"
    r"(?P<home>" + HOME + ")"
)
PICKED = (
    r"(?:(?P<nth>second|third|fourth|next) )?"
    r"(?P<pick>youngest|oldest|eldest|(?:younger|older|middle)(?= 1\b))"
)
"""Who is picked by age: "second oldest", "younger one"."""
SIMPLE: tuple[tuple[str, str], ...] = (
    (
        r"you or (?:any ?one|anybody|any (?:other )?(?:member|person)|someone)(?: else)?" + HOME,
        "any",
    ),
    (r"(?:any ?one|anybody|someone|somebody)(?: else)? or you(?:rself)?" + HOME, "any"),
    (
        r"(?:any ?one|anybody|someone|somebody|(?:any|either)(?: 1| one)? of you)(?P<other> else|"
        r" (?:other than|besides) you(?:rself)?(?! (?:and|or) (?:your|@)))?"
        + HOME
        + r"(?: (?:including|counting) you(?:rself)?)?",
        "any",
    ),
    (
        r"(?:everyone|everybody|all (?:\d+ )?of you|each of you|both of you|"
        r"every one of you)(?P<other> else)?" + HOME,
        "all",
    ),
    (
        r"your " + PICKED + r"(?: 1)?(?! (?:child|son|daughter|brother|sister|of|among))" + HOME,
        "pick of children",
    ),
    (r"the " + PICKED + r"(?: 1)?(?! \w+(?: in| of| living|$))" + HOME, "pick"),
    (r"the other 1", "pronoun"),
    (r"(?:nobody|none of you|neither of you)(?P<other> else)?" + HOME, "none"),
    (
        r"(?:who|which of you|whose|whom)(?P<other> else)?(?: (?:in|of|within) (?:your|"
        r"the) (?:household|family|home)| at home)?",
        "who",
    ),
    (
        r"(?:your |the |this |whole |entire )+(?:household|family)(?: as a whole)?|"
        r"you and (?:your )?(?:family|household)|you all|"
        r"the rest of (?:your )?(?:family|household)",
        "household",
    ),
    (r"you(?:rself)?(?: personally)?|your own|yours|your", "you"),
    (r"(?P<quant>how many|which|any|all|none|each|both) of (?:them|those|these)", "pronoun"),
    (
        r"(?:he or she|she or he|his or her|her or his|him or her|himself or herself|"
        r"they|their|them|themselves|theirs|he|she|his|her|him|himself|herself|hers|"
        r"that person|this person|the person|that child|this child)",
        "pronoun",
    ),
)
