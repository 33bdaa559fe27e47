"""The people that a question names, found in its words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benyfits_data.understanding.parser.numbers import find_comparison, find_range
from benyfits_data.understanding.parser.people import OWN, People, Pick, Quantifier
from benyfits_data.understanding.parser.people_words import (
    AGES,
    HEAD,
    HOME,
    KIN,
    RELATIONS,
    SET_AGES,
    SIMPLE,
    SOME_PEOPLE,
)
from benyfits_data.understanding.parser.phrases import MEMBER


@dataclass(frozen=True)
class FoundPeople:
    """People named in a question, in its words `start` to `end - 1`."""

    start: int
    end: int
    people: People


_NUMBERED = re.compile(
    r"\b(?:person|member|individual|household member|family member) (?:number )?(\d+)\b"
    r"(?: (?:in|of) (?:your|the) (?:household|family))?"
    r"(?! (?:years?|yrs?|months?)\b)"
    r"(?! (?:or|and) (?:older|over|above|more|up|younger|under|below|less)\b)"
)


_PICKED = re.compile(
    r"(?:your |the )?(?:(?P<nth>second|third|fourth|next) )?"
    r"(?P<pick>youngest|oldest|eldest|younger|older|middle)(?: 1| person| member| child)?"
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
        pick = _PICKS[picked.group("pick")]
        for it in find_people(words, at) if at < len(words) else ():
            if it.people.kind == "members":
                group = replace(
                    it.people, pick=pick, rank=_rank(picked), quantifier="the", is_counted=False
                )
                found.append(FoundPeople(start, it.end, group))
    for pattern, kind in SIMPLE:
        match = re.match(rf"(?:{pattern})(?=\s|$)", text)
        if match:
            people = _simple(kind, match)
            found.append(_with_ages(words, start, match, people))
    match = HEAD.match(text)
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


def people_named(words: Sequence[str]) -> list[People]:
    """Return the people beside the applicant whom words name, each once, in their order."""
    found, _ = _apart(words)
    return [it for it in dict.fromkeys(found) if it.kind in ("name", "members")]


def beside_people(words: Sequence[str]) -> list[str]:
    """Return words without those that name people, and without marks."""
    _, rest = _apart(words)
    return [it for it in rest if it.isalnum()]


def _apart(words: Sequence[str]) -> tuple[list[People], list[str]]:
    """Return the people whom words name, and the words that name nobody."""
    found: list[People] = []
    rest: list[str] = []
    place = 0
    while place < len(words):
        told = find_people(words, place)[:1]
        found += [it.people for it in told]
        rest += [] if told else [words[place]]
        place = told[0].end if told else place + 1
    return found, rest


def people_listed(words: Sequence[str], start: int) -> list[tuple[People, int]]:
    """Return each way to read one or more people from a word on, with the word after them.

    Several of them are one group: "you and your spouse", "your son or your daughter".
    """
    told: list[tuple[People, int]] = []
    for it in find_people(words, start):
        if it.people.kind not in ("you", "name", "members") or it.people.said == "who":
            continue
        told.append((it.people, it.end))
        if list(words[it.end : it.end + 1]) in (["and"], ["or"]) and it.end + 1 < len(words):
            told += [
                (
                    People(
                        "group", said=f"{it.people.said} and others", of=_all_of(it.people, other)
                    ),
                    end,
                )
                for other, end in people_listed(words, it.end + 1)
            ]
    return told


def _all_of(first: People, rest: People) -> tuple[People, ...]:
    return (first, *(rest.of if rest.kind == "group" else (rest,)))


_PICKS: dict[str, Pick] = {
    "youngest": "youngest",
    "younger": "youngest",
    "newest": "youngest",
    "oldest": "oldest",
    "eldest": "oldest",
    "older": "oldest",
    "middle": "middle",
}
_RANKS = {"second": 2, "next": 2, "third": 3, "fourth": 4}


def _rank(match: re.Match[str]) -> int:
    """Return which of them is picked, counted from the youngest or the oldest."""
    return _RANKS.get(match.groupdict().get("nth") or "", 1)


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
        pick = _PICKS[groups["pick"]]
        relations = OWN if kind == "pick of children" else ()
        is_theirs = bool(re.fullmatch(r"the (?:\w+ )?\w+(?: 1)?", said.strip()))
        return People(
            "members",
            relations=relations,
            pick=pick,
            rank=_rank(match),
            said=said,
            is_theirs=is_theirs,
        )
    is_other = bool(groups.get("other")) or said.endswith("with you")
    return People("members", kind, said=said, is_plural=True, is_other=is_other)  # type: ignore[arg-type]


def _headed(match: re.Match[str]) -> People | None:
    quant, det, noun = match.group("quant") or "", match.group("det") or "", match.group("noun")
    is_first = match.string == match.group(0) or match.string.startswith(f"{noun} age")
    is_first = is_first or re.match(rf"{noun} (?:or|and) (?:{KIN})\b", match.string) is not None
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
    if SOME_PEOPLE.fullmatch(noun):
        only, is_plural = tuple(int(it) for it in noun.split("_")[1:]), True
        said = "such person"
    named = RELATIONS.get(noun, {})
    relations, sex = tuple(named.get("relations", ())), str(named.get("sex", ""))
    low, high = AGES.get(noun, {}).get("at_least", 0), AGES.get(noun, {}).get("below")
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
    pick: Pick = _PICKS.get(pick_word, "")
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
        rank=_rank(match),
        n_picked=int(match.group("several") or 1),
        said=said,
        is_counted=is_counted,
        is_plural=is_plural,
        is_other=is_other,
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
    if noun in AGES and noun not in SET_AGES and list(words[end : end + 1]) == [","]:
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
        rest = re.match(HOME, " " + " ".join(words[after:]))
        if rest and rest.group(0).strip():
            after += len(rest.group(0).split())
        if noun and noun not in SET_AGES:
            people = replace(people, at_least=0, below=None)
        said = people.said if people.only is not None else " ".join(words[start:after])
        aged = replace(people.of_ages(comparison), said=said)
        return FoundPeople(start, after, aged)
    return FoundPeople(start, end, people)
