"""Whom a question is about: you, a named member, a relation, an age group, anybody, all."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any, Literal

from benyfits_data.household.model import Household, Member
from benyfits_data.understanding.numbers import Comparison, find_comparison, find_range
from benyfits_data.understanding.phrases import MEMBER

Quantifier = Literal["the", "any", "all", "none", "who", "each"]
Pick = Literal["", "youngest", "oldest", "other"]

OWN = ("child", "adopted child", "stepchild", "foster child")
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
    (files("benyfits_data.understanding") / "people.toml").read_text(encoding="utf-8")
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


_RELATIONS: dict[str, dict[str, Any]] = _with_plurals(_TOLD["relations"])
_AGES: dict[str, dict[str, int]] = _with_plurals(_TOLD["ages"])
_HOME = (
    r"(?:(?: (?:who|that))?(?: (?:currently|now|also))?(?: (?:live|lives|living|"
    r"reside|resides|residing|stay|staying))?"
    r"(?: (?:is|are))?(?: (?:in|of|within|at|from|under))(?: (?:your|the|this|same|my|their))*"
    r" (?:own )?(?:household|family|home|house|apartment|roof|place|care|"
    r"residence)(?: (?:household|members?))?"
    r"|(?: (?:who|that))?(?: (?:currently|now|also))?(?: (?:is|are))? (?:live|lives|"
    r"living|reside|residing|stay|staying) (?:with you|there|here|together|at home)"
    r"| with you| at home|(?: of)? yours)?"
)
_WORDS = "|".join(
    sorted((re.escape(w) for w in (*_RELATIONS, *_AGES, *_GROUPS)), key=len, reverse=True)
)
_SET_AGES = frozenset(
    ("adult", "adults", "grown up", "grown ups", "minor", "minors", "man", "men", "woman", "women")
)
"""Nouns whose limit of age a limit that follows narrows; that of "seniors, 60 or older" it sets."""
SOME = "some"
"""Begins the word that stands for members found before: `some_1_3`."""
_SOME = re.compile(SOME + r"(?:_\d+)+")
_HEAD = re.compile(
    r"(?P<quant>any of|anyone of|any|some of|some|each of|each|every|all of|all|"
    r"both of|both|either of|neither of|"
    r"none of|which of|which|what|how many of|how many|number of|one of|other)?"
    r"(?: ?(?P<det>your|its|the|these|those|a|an|my|this|that|no))?"
    r"(?: ?(?P<group>household|family|other|of the|of your|any|own|immediate|additional))*"
    r"(?: ?(?P<pick>youngest|oldest|eldest|younger|older|first|second|third|only|newest))?"
    r"(?: household| family)?"
    r"(?: ?(?P<age>\d+) (?:year|yr)s? old)?(?: (?P<n>\d+))?"
    r"(?: ?(?P<adult>minor|adult|young|school age|school aged))?"
    r" ?(?P<noun>" + _SOME.pattern + "|" + _WORDS + r")\b"
    r"(?P<home>" + _HOME + ")"
)
_SIMPLE: tuple[tuple[str, str], ...] = (
    (
        r"you or (?:any ?one|anybody|any (?:other )?(?:member|person)|someone)(?: else)?" + _HOME,
        "any",
    ),
    (r"(?:any ?one|anybody|someone|somebody)(?: else)? or you(?:rself)?" + _HOME, "any"),
    (
        r"(?:any ?one|anybody|someone|somebody|(?:any|either)(?: 1| one)? of you)(?P<other> else|"
        r" other than you(?:rself)?| besides you(?:rself)?)?"
        + _HOME
        + r"(?: (?:including|counting) you(?:rself)?)?",
        "any",
    ),
    (
        r"(?:everyone|everybody|all of you|each of you|both of you|"
        r"every one of you)(?P<other> else)?" + _HOME,
        "all",
    ),
    (
        r"your (?P<pick>youngest|oldest|eldest)(?: 1)?(?! (?:child|son|daughter|brother|sister))"
        + _HOME,
        "pick of children",
    ),
    (r"the (?P<pick>youngest|oldest|eldest)(?: 1)?(?! \w+(?: in| of| living|$))" + _HOME, "pick"),
    (r"(?:nobody|none of you|neither of you)(?P<other> else)?" + _HOME, "none"),
    (
        r"(?:who|which of you|whose|whom)(?P<other> else)?(?: (?:in|of|within) (?:your|"
        r"the) (?:household|family|home))?",
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


@dataclass(frozen=True)
class People:
    """Who is meant.

    Attributes:
        kind: `you`, `members` (a choice among them), `household`, `pronoun`, `name` (or number).
        quantifier: Whether one of them, all, any, none is meant, or which ones is asked.
        relations: Relations to the applicant that are meant; all where empty.
        sex: The sex that is meant, if one is.
        at_least: Smallest age.
        below: The first age that is too old.
        pick: Which of them: the youngest, the oldest.
        number: The member's number from 0.
        of: The people that are meant together ("you and your spouse").
        said: The words of the question.
        is_counted: Whether it is asked how many they are.
        is_plural: Whether the words speak of several.
        is_other: Whether the applicant is left out.
        said_number: How many they are said to be ("your two children").
        only: The numbers of those of them of whom something is so ("the people who work").
        is_theirs: Whether it picks among those spoken of before ("the youngest").
    """

    kind: Literal["you", "members", "household", "pronoun", "name", "group"]
    quantifier: Quantifier = "the"
    relations: tuple[str, ...] = ()
    sex: str = ""
    at_least: int = 0
    below: int | None = None
    pick: Pick = ""
    number: int = 0
    said: str = ""
    is_counted: bool = False
    is_plural: bool = False
    is_other: bool = False
    is_theirs: bool = False
    said_number: int | None = None
    only: tuple[int, ...] | None = None
    of: tuple["People", ...] = ()

    @property
    def has_ages(self) -> bool:
        """Whether a limit of age was named."""
        return self.kind == "members" and (self.at_least > 0 or self.below is not None)

    def of_ages(self, limit: Comparison) -> "People":
        """Return those of them who keep a limit of age."""
        low, high = limit.bounds()
        both = [it for it in (self.below, high) if it is not None]
        return replace(self, at_least=max(self.at_least, low), below=min(both, default=None))

    @property
    def has_home(self) -> bool:
        """Whether it was said where they live."""
        return bool(re.search(r"\b(?:household|home|house|here|with you)\b", self.said))

    def members(self, household: Household) -> list[int]:
        """Return the numbers of the members that are meant."""
        if self.kind == "you":
            return [0]
        if self.kind == "name":
            known = all(self.number in it.members(household) for it in self.of)
            return [self.number] if known and self.number < len(household.members) else []
        if self.kind == "group":
            return sorted({number for it in self.of for number in it.members(household)})
        if self.kind == "household":
            return list(range(len(household.members)))
        found = [
            number
            for number, member in enumerate(household.members)
            if self._fits(member)
            and not (self.is_other and number == 0)
            and (self.only is None or number in self.only)
        ]
        if self.pick in ("youngest", "oldest") and found:
            ages = [household.members[number].age for number in found]
            wanted = min(ages) if self.pick == "youngest" else max(ages)
            found = [number for number, age in zip(found, ages, strict=True) if age == wanted]
        return found

    def _fits(self, member: Member) -> bool:
        return (
            (not self.relations or member.relation in self.relations)
            and (not self.sex or member.sex == self.sex)
            and member.age >= self.at_least
            and (self.below is None or member.age < self.below)
        )


@dataclass(frozen=True)
class FoundPeople:
    """People named in a question, in its words `start` to `end - 1`."""

    start: int
    end: int
    people: People


_NUMBERED = re.compile(
    r"\b(?:person|member|individual|household member|family member) (?:number )?(\d+)\b"
    r"(?: (?:in|of) (?:your|the) (?:household|family))?"
)


_PICKED = re.compile(
    r"(?:your |the )?(youngest|oldest|eldest|younger|older)(?: 1| person| member| child)?"
    r" (?:of|among|in)(?= )"
)


def mark_names(words: Sequence[str], names: Sequence[Sequence[str]]) -> list[str]:
    """Return a question's words with each member's name as one word, `@2`.

    Args:
        words: The question, as `words.plain` gives it.
        names: For each member, the name's words; the first name alone will do where it is alone.
    """
    text = " ".join(words)
    text = _NUMBERED.sub(lambda match: f"{MEMBER}{int(match.group(1)) - 1}", text)
    words = text.split()
    marked: list[str] = []
    place = 0
    firsts = [name[0] for name in names if name]
    while place < len(words):
        length, number = 1, None
        for at, name in enumerate(names):
            whole, first = list(name), list(name[:1])
            if whole and list(words[place : place + len(whole)]) == whole:
                length, number = len(whole), at
                break
            if first and list(words[place : place + 1]) == first and firsts.count(first[0]) == 1:
                number = at
        if number is not None and marked[-1:] in (["little"], ["young"], ["dear"]):
            marked.pop()
        marked.append(words[place] if number is None else f"{MEMBER}{number}")
        place += length
    return marked


def find_people(words: Sequence[str], start: int) -> list[FoundPeople]:
    """Return the people that a question may name from one of its words on, longest first.

    Args:
        words: The question, as `mark_names` gives it.
        start: Where the words begin.
    """
    found = []
    if words[start].startswith(MEMBER):
        number = int(words[start].removeprefix(MEMBER))
        people = People("name", number=number, said=words[start])
        found.append(FoundPeople(start, start + 1, people))
    text = " ".join(words[start:])
    if picked := _PICKED.match(text):
        at = start + len(picked.group(0).split())
        pick: Pick = "youngest" if picked.group(1).startswith("young") else "oldest"
        for it in find_people(words, at) if at < len(words) else ():
            if it.people.kind == "members":
                group = replace(it.people, pick=pick, quantifier="the", is_counted=False)
                found.append(FoundPeople(start, it.end, group))
    for pattern, kind in _SIMPLE:
        match = re.match(rf"(?:{pattern})(?=\s|$)", text)
        if match:
            people = _simple(kind, match)
            found.append(_with_ages(words, start, match, people))
    match = _HEAD.match(text)
    is_said_of_you = words[0] in ("is", "are", "am") and start > 0
    if (
        match
        and match.group("noun")
        and not (
            is_said_of_you
            and re.fullmatch(r"(an? )?(parent|mother|father|parents)", match.group(0))
        )
    ):
        headed = _headed(match)
        if headed is not None:
            found.append(_with_ages(words, start, match, headed))
            short = len(match.group(0)) - len(match.group("home") or "")
            if match.group("home"):
                end = start + len(text[:short].split())
                found.append(FoundPeople(start, end, replace(headed, said=text[:short].strip())))
    return sorted(found, key=lambda it: -it.end)


_QUANTIFIERS: dict[str, Quantifier] = {
    "which": "who",
    "any": "any",
    "all": "all",
    "both": "all",
    "each": "each",
    "none": "none",
}


def _simple(kind: str, match: re.Match[str]) -> People:
    said = match.group(0)
    groups = match.groupdict()
    if kind == "you":
        return People("you", said=said)
    if kind == "household":
        return People("household", said=said, is_plural=True)
    if kind == "pronoun":
        is_plural = "quant" in groups or said.startswith(("they", "their", "them"))
        quantifier = _QUANTIFIERS.get(groups.get("quant", ""), "the")
        is_counted = groups.get("quant") == "how many"
        return People("pronoun", quantifier, said=said, is_plural=is_plural, is_counted=is_counted)
    if kind.startswith("pick"):
        pick: Pick = "youngest" if groups["pick"] == "youngest" else "oldest"
        relations = OWN if kind == "pick of children" else ()
        is_theirs = bool(re.fullmatch(r"the \w+(?: 1)?", said.strip()))
        return People("members", relations=relations, pick=pick, said=said, is_theirs=is_theirs)
    is_other = bool(groups.get("other")) or said.endswith("with you")
    return People("members", kind, said=said, is_plural=True, is_other=is_other)  # type: ignore[arg-type]


def _headed(match: re.Match[str]) -> People | None:
    quant, det, noun = match.group("quant") or "", match.group("det") or "", match.group("noun")
    is_first = match.string == match.group(0) or match.string.startswith(f"{noun} age")
    if (
        not is_first
        and noun in ("mother", "father", "parent", "parents", "friend", "friends", "partner")
        and not (quant or det or match.group("home") or match.group("pick"))
    ):
        return None
    if noun == "those" and not match.group("home"):
        return None
    said = match.group(0).strip()
    is_plural = noun.endswith(("s", "children", "people", "men"))
    only = None
    if _SOME.fullmatch(noun):
        only, is_plural = tuple(int(it) for it in noun.split("_")[1:]), True
        said = "such person"
    named = _RELATIONS.get(noun, {})
    relations, sex = tuple(named.get("relations", ())), str(named.get("sex", ""))
    low, high = _AGES.get(noun, {}).get("at_least", 0), _AGES.get(noun, {}).get("below")
    is_mine = (
        det in ("your", "my")
        or re.search(rf"\byour (?:own )?{noun}", match.group(0)) is not None
        or "your" in quant
        or (match.group("home") or "").strip() in ("of yours", "yours")
    )
    words = said.split()
    group = set(words) & {"household", "family"}
    if is_mine and noun in ("boy", "boys", "girl", "girls"):
        relations, high = OWN, None
    if noun in ("children", "child") and "in" in words and group and not is_mine:
        relations, low, high = (), 0, 18
    if match.group("adult") in ("minor", "young"):
        high = 18
    if match.group("adult") == "adult":
        low = 18
    if match.group("adult") in ("school age", "school aged"):
        low, high = 5, 18
    if match.group("age"):
        low, high = int(match.group("age")), int(match.group("age")) + 1
    pick_word = match.group("pick") or ""
    pick: Pick = (
        "youngest"
        if pick_word in ("youngest", "younger", "newest")
        else "oldest"
        if pick_word in ("oldest", "eldest", "older")
        else ""
    )
    if pick_word in ("first", "second", "third") or (pick_word == "only" and det != "your"):
        return None
    is_counted = quant.startswith(("how many", "number of"))
    quantifier: Quantifier = "the"
    if quant.startswith(("any", "some", "either", "one of")) or det in ("a", "an"):
        quantifier = "any"
    elif quant.startswith(("all", "both", "every")):
        quantifier = "all"
    elif quant.startswith("each"):
        quantifier = "each"
    elif quant.startswith(("which", "what")):
        quantifier = "who"
    elif quant.startswith(("neither", "none")) or det == "no":
        quantifier = "none"
    elif "any" in words or (not is_mine and not is_counted and det != "the"):
        quantifier = "any"
    is_other = "other" in words and noun not in ("other relative", "significant other")
    is_other = is_other or said.endswith("with you")
    return People(
        "members",
        quantifier,
        relations,
        sex,
        low,
        high,
        pick,
        0,
        said,
        is_counted,
        is_plural,
        is_other,
        said_number=int(match.group("n")) if match.group("n") else None,
        only=only,
    )


def _with_ages(
    words: Sequence[str], start: int, match: re.Match[str], people: People
) -> FoundPeople:
    """Take in a limit of age that follows: "children under 5", "anyone aged 60 or older"."""
    end = start + len(match.group(0).split())
    if people.kind != "members":
        return FoundPeople(start, end, people)
    noun = match.groupdict().get("noun") or ""
    if noun in _AGES and noun not in _SET_AGES and list(words[end : end + 1]) == [","]:
        limit = find_comparison(words, end + 1)  # "seniors, 60 or older"
        if (
            limit is not None
            and limit.is_of_age
            and words[limit.end : limit.end + 1] in ([], [","])
        ):
            aged = replace(people, at_least=0, below=None).of_ages(limit)
            after = limit.end + len(words[limit.end : limit.end + 1])
            return FoundPeople(start, after, replace(aged, said=people.said))
    comparison = find_comparison(words, end) or find_range(words, end)
    if comparison is not None and comparison.is_of_age and not comparison.is_money:
        after = comparison.end
        rest = re.match(_HOME, " " + " ".join(words[after:]))
        if rest and rest.group(0).strip():
            after += len(rest.group(0).split())
        if noun and noun not in _SET_AGES:
            people = replace(people, at_least=0, below=None)
        aged = replace(people.of_ages(comparison), said=" ".join(words[start:after]))
        return FoundPeople(start, after, aged)
    return FoundPeople(start, end, people)
