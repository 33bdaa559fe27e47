"""Verdicts and truth values in replies: in JSON, lists, tables and sentences, or in order.

Whatever is not plain is left out: the caller records a failure.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benyfits_data.evaluation.replies import json_values, loose_pairs, plain_name, read_property

LONGEST_HEADING = 40
"""Letters of a line that says what the names below it are: "Programs they may not claim:"."""

_VERDICT = re.compile(
    r"\b(?P<open>(?:may|might|could|can)(?:\s+(?:also|still))?\s+(?:be\s+eligible|qualify)"
    r"|(?:maybe|perhaps|possibly|potentially)\s+(?:eligible|qualif\w+)"
    r"|whether|not\s+(?:sure|certain|clear|known)|eligible\s+or\s+(?:not|in)\w*)\b"
    r"|(?P<no>\b(?:not|never)\s+(?:yet\s+|likely\s+|to\s+be\s+)*(?:eligible|qualif\w+|met\b|ready)"
    r"|\b(?:does|do|is|are|would|will|may|can)(?:\s*not|n['\u2019]t)"
    r"(?:\s+be)?(?:\s+likely)?\s+(?:eligible|qualif\w+|meet\w*|claim)"
    r"|\bunlikely\b|\b(?:in|non-?)eligible|\bdisqualified|\bdenied|\brejected|\bexcluded|\bunmet"
    r"|\bfail(?:s|ed)?\b|\bfalse\b|\bn\b"
    r"|\bno\b(?!\s+(?!because|since|as|it|they|the|nobody)\w)|\u274c|\u2717|\u2718|\u2610|\[ \])"
    r"|(?P<yes>\beligible|\bqualif(?:y|ies|ied)|\bapproved|\bgranted|\bpass(?:es|ed)?\b|\bmet\b"
    r"|\btrue\b|\byes\b|\by\b|\u2705|\u2713|\u2714|\u2611|\[[xX]\])",
    re.IGNORECASE,
)
"""Words of verdicts; `open` ones are none."""
_TRUTHS = {
    **dict.fromkeys(("true", "yes", "yeah", "yep", "eligible", "y", "t"), True),
    **dict.fromkeys(
        ("false", "no", "nope", "n", "f", "not yet", "ineligible", "not eligible"), False
    ),
}
"""Words that are a verdict by themselves."""
_VERDICT_KEYS = ("eligible", "is_eligible", "eligibility", "verdict", "answer", "value", "result")
_NUMBERING = re.compile(r"^\W*\d+[.):]\s+")
_MARKUP = " \t\r\n*_`\"'.,;:!|()[]{}#>-\u2013\u2014"


def read_bool(text: str, name: str) -> bool | None:
    """Return the truth value a reply gives, in JSON or in words; `None` when it gives none.

    In words, the last line counts if it is a verdict by itself, then the first word of the reply,
    then the only truth word in it, then the property itself where it is said or denied.

    Args:
        text: A model's reply.
        name: The property that holds the value.
    """
    value = read_property(text, name)
    if not isinstance(value, str):
        return truth_of(value)
    lines = [line for line in value.splitlines() if line.strip(_MARKUP)] or [""]
    last = re.split(r"(?i)\b(?:answer|verdict|result)\b\s*(?:is|:)", lines[-1])[-1]
    for part in (last, lines[0].partition(",")[0], re.split(r"[.;:!\u2014]", lines[0])[0]):
        found = truth_of(part)
        if found is not None:
            return found
    said = {truth_of(word) for word in re.findall(r"[a-z]{2,}", value.lower())} - {None}
    # "I am ready", "not ready yet".
    denied = re.findall(rf"(?i)(\bnot |n['\u2019]t )?(?:yet |quite )?(?<![\"'])\b{name}\b", value)
    said = said or {not word for word in denied}
    return said.pop() if len(said) == 1 else None


def read_verdicts(reply: str, programs: Sequence[str]) -> dict[str, bool]:
    """Return the verdicts a reply gives: by name, in order, or a line each.

    A program whose verdict is not plain is left out.

    Args:
        reply: A model's reply.
        programs: The programs that were asked about, in the order of the prompt.
    """
    found: dict[str, bool] = {}
    for value in json_values(reply):
        verdicts = _verdicts_of(value, programs)
        # Objects of one program each add up; a later complete answer replaces an earlier one.
        found = verdicts if len(verdicts) == len(programs) else {**found, **verdicts}
    if found:
        return found
    found = _by_name(dict(loose_pairs(reply)), programs)
    return found or _by_line(reply, programs)


def _verdicts_of(value: Any, programs: Sequence[str]) -> dict[str, bool]:
    """The verdicts in one JSON value; empty where it holds none of the programs."""
    if isinstance(value, dict):
        found = _by_name(value, programs) or _by_group(value, programs)
        if not found and len(value) == 1:
            # Wrapped, as in {"predictions": [true, false]}.
            (inner,) = value.values()
            return _verdicts_of(inner, programs) if isinstance(inner, dict | list) else {}
        return found or dict(_named([value], programs))
    if isinstance(value, list):
        if value and all(isinstance(item, dict) for item in value):
            found = dict(_named(value, programs))
            merged = {key: each for item in value for key, each in item.items()}
            return found or _by_name(merged, programs)
        return _in_order([truth_of(item) for item in value], programs)
    return {}


def _by_name(found: Mapping[str, Any], programs: Sequence[str]) -> dict[str, bool]:
    plain = {plain_name(str(name)): value for name, value in found.items()}
    verdicts = {}
    for program in programs:
        value = plain.get(plain_name(program))
        verdict = truth_of(value)
        if verdict is None and isinstance(value, str):
            verdict = _said(value)
        if verdict is not None:
            verdicts[program] = verdict
    return verdicts


def _by_group(found: Mapping[str, Any], programs: Sequence[str]) -> dict[str, bool]:
    """Verdicts of lists of names, as in {"eligible": ["A"], "ineligible": ["B"]}."""
    names = {plain_name(program): program for program in programs}
    verdicts: dict[str, set[bool]] = {}
    for key, listed in found.items():
        verdict = _said(str(key).replace("_", " "))
        for item in listed if isinstance(listed, list) and verdict is not None else ():
            if isinstance(item, str) and plain_name(item) in names:
                verdicts.setdefault(names[plain_name(item)], set()).add(verdict is True)
    return {name: said.pop() for name, said in verdicts.items() if len(said) == 1}


def _named(items: Sequence[Any], programs: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Verdicts of objects such as {"program": "A", "eligible": true, "reason": "..."}."""
    names = {plain_name(program): program for program in programs}
    for item in items:
        named = [
            names[plain_name(part)]
            for part in item.values()
            if isinstance(part, str) and plain_name(part) in names
        ]
        verdict = truth_of(
            {key: part for key, part in item.items() if plain_name(str(part)) not in names}
        )
        if len(named) == 1 and verdict is not None:
            yield named[0], verdict


def _in_order(verdicts: Sequence[bool | None], programs: Sequence[str]) -> dict[str, bool]:
    if len(verdicts) != len(programs):
        return {}
    pairs = zip(programs, verdicts, strict=True)
    found = {name: verdict for name, verdict in pairs if verdict is not None}
    return found if len(found) == len(programs) else {}


def _by_line(reply: str, programs: Sequence[str]) -> dict[str, bool]:
    """Verdicts of lists, tables and sentences: names, and what is said behind or before each."""
    found: dict[str, bool] = {}
    bare: list[bool | None] = []
    heading: bool | None = None
    waiting: list[str] = []
    for line in (_NUMBERING.sub("", line) for line in reply.splitlines()):
        if not line.strip(_MARKUP):
            continue
        places = _names_in(line, programs)
        if not places:
            bare.append(_said(line))
            cells = [_said(it) for it in re.split(r"[|,;\t]", line) if it.strip(_MARKUP)]
            if waiting and len(waiting) <= len(cells) <= len(waiting) + 1:
                found |= _in_order(cells[-len(waiting) :], waiting)
                waiting = []
            elif len(line) < LONGEST_HEADING:
                heading = _said(line)
            continue
        names = [name for name, _ in places]
        first, *behind = _around(line, places)
        parts, lead = [_said(part) for part in behind], _said(first)
        is_list = not re.sub(r"\band\b", "", "".join(behind)).strip(_MARKUP)
        is_bare = is_list and not first.strip(_MARKUP)
        if None not in parts:
            found |= {name: it for name, it in zip(names, parts, strict=True) if it is not None}
        elif lead is not None and (is_list or len(names) == 1):
            found |= dict.fromkeys(names, lead)
        elif heading is not None and is_bare:
            found |= dict.fromkeys(names, heading)
        elif is_bare or len(names) > 1:
            # The head of a table, or a name whose verdict stands below it.
            waiting = names
    if found:
        return found
    in_order = _in_order(bare, programs)
    return in_order or _in_order([truth_of(word) for word in re.findall(r"\w+", reply)], programs)


def _names_in(line: str, programs: Sequence[str]) -> list[tuple[str, re.Match[str]]]:
    """The programs that a line names, in order; of names that hold one another the longer."""
    every = [(name, match) for name in programs if (match := _pattern(name).search(line))]
    every.sort(key=lambda it: (it[1].start(), -len(it[1][0])))
    found: list[tuple[str, re.Match[str]]] = []
    for name, match in every:
        if not found or match.start() >= found[-1][1].end():
            found.append((name, match))
    return found


def _around(line: str, places: Sequence[tuple[str, re.Match[str]]]) -> list[str]:
    """What a line says before its first name, and behind each name up to the next."""
    starts = [0, *(match.end() for _, match in places)]
    ends = [*(match.start() for _, match in places), len(line)]
    return [line[start:end] for start, end in zip(starts, ends, strict=True)]


def _pattern(program: str) -> re.Pattern[str]:
    """A program's name as models write it: with spaces, hyphens or none, in any case."""
    letters = r"[\s_\-*`]*".join(map(re.escape, re.sub(r"[^A-Za-z0-9]", "", program)))
    return re.compile(rf"(?<![A-Za-z0-9]){letters}(?![A-Za-z0-9])", re.IGNORECASE)


def _said(text: str) -> bool | None:
    """The verdict that a piece of a line begins with, or the only one it holds."""
    text = text.strip(" \t\r\n*_`\"'.,;:!|(){}#>-\u2013\u2014=\u2192\u21d2")
    text = re.sub(r"(?i)^(?:is|are|verdict|answer|the household is|you are)\W+(?=\w)", "", text)
    words = list(_VERDICT.finditer(text))
    if len(words) > 1 and re.fullmatch(r"(?i)eligible\W{0,8}", text[: words[1].start()]):
        # "Eligible: no": the name of what is said.
        text = text[words[1].start() :]
        words = list(_VERDICT.finditer(text))
    if words and words[0].start() == 0:
        return None if words[0]["open"] else words[0]["no"] is None
    if re.fullmatch(r"[01]", text):
        return text == "1"
    said = {None if word["open"] else word["no"] is None for word in words}
    return said.pop() if len(said) == 1 else None


def truth_of(value: Any) -> bool | None:
    """Return the truth value that a JSON value or a word is; `None` if it is none."""
    if isinstance(value, Mapping):
        keyed = {plain_name(str(key)): part for key, part in value.items()}
        for key in _VERDICT_KEYS:
            if plain_name(key) in keyed:
                return truth_of(keyed[plain_name(key)])
        bools = [part for part in value.values() if isinstance(part, bool)]
        return bools[0] if len(bools) == 1 else None
    if isinstance(value, str):
        word = " ".join(value.strip(_MARKUP).lower().split())
        return _TRUTHS.get(word)
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    return None
