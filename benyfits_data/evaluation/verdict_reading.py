"""Verdicts and truth values in replies: in JSON, lists, tables and sentences, or in order.

Whatever is not plain is left out: the caller records a failure.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from benyfits_data.evaluation.replies import json_values, loose_pairs, plain_name, read_property

LONGEST_HEADING = 40
"""Letters of a line that says what the names below it are: "Programs they may not claim:"."""

_VERDICT = re.compile(
    r"(?<!\w)(?:(?P<no>(?:in|non-?)eligible|disqualified|denied|rejected|excluded|unmet|false"
    r"|fail(?:s|ed)?(?!\s+to)|(?:not|\w+n['\u2019]t)\s+meet|no(?!\s+\w)"
    r"|\u274c|\u2717|\u2718|\u2610|\[ \])"
    r"|(?P<yes>eligible|qualif(?:y|ies|ied)|approved|granted|true|yes|claim|pass(?:es|ed)?|met"
    r"|meets?\s+(?:all|every)|\u2705|\u2713|\u2714|\u2611|\[[xX]\])"
    r"|(?P<denial>not|never|neither|nor|cannot|unlikely|hardly|\w+n['\u2019]t|fail(?:s|ed)?)"
    r")(?!\w)",
    re.IGNORECASE,
)
"""Words of verdicts, and those that deny the next one."""
_FILLERS = re.compile(
    r"(?:\W|\b(?:a|all|also|am|an|and|answer|any|appears?|applicant|are|be|been|benefits?|both|but"
    r"|can|clearly|client|conditions?|could|criteria|currently|definitely|did|do|does|eligibility"
    r"|every|family|final|for|from|fully|has|have|he|home|household|i|in|indeed|is|it|likely|may|now"
    r"|of|our|probably|programs?|requirements?|result|seems?|she|should|status|still|that|the|their"
    r"|them|they|this|those|to|us|user|verdict|was|we|were|will|would|yes|you|your)\b)*",
    re.IGNORECASE,
)
"""Words beside a verdict that change nothing: with any other a sentence is no verdict."""
_ENDS_DENIED = re.compile(r"(?:\bnot|n['\u2019]t)\W*\Z", re.IGNORECASE)
"""Of two people: "the father is eligible, the mother is not"."""
_CIRCUMSTANCE = re.compile(
    r"\s*(?:as|at|based|by|given|on|through|under|via|with)\b", re.IGNORECASE
)
"""How what is said of the circumstances of a verdict begins."""
_EXCEPTION = re.compile(
    r"\b(?:except\w*|excluding|other\s+than|(?:apart|aside)\s+from|besides)\b|\bbut\W*\Z",
    re.IGNORECASE,
)
"""What, before a name, makes a line speak of all the others: "all but A qualify"."""
_OPEN = re.compile(
    r"\A\W*(?:in order )?to\s+(?:be|qualify|claim)\b"
    r"|\b(?:if|unless|provided|assuming|depend\w*|maybe|perhaps|possibly|potentially|whether"
    r"|unclear|unknown|not\s+(?:sure|certain|clear|known)|or\s+(?:not|in\w+)|but\s+(?:not|no|only)"
    r"|(?:may|might|could|can)(?:\s+(?:not|also|still|be))*\s+(?:eligible|qualify|true))\b",
    re.IGNORECASE,
)
"""What leaves a verdict open."""
_CLAUSES = re.compile(
    r"[,:|()=\u2192\u21d2]+|\s[-\u2013\u2014]+>?\s|[.;!?\n]+(?!\d)"
    r"|\b(?:(?=but\b)|so|and|while|whereas|however|although|though|then|therefore)\b",
    re.IGNORECASE,
)
_REASON = re.compile(r"\b(?:because|since|due to|given that)\b", re.IGNORECASE)
_LABELS = ("eligible", "is eligible", "eligibility", "verdict", "answer", "status", "result")
_TRUTHS = {
    **dict.fromkeys(("true", "yes", "yeah", "yep", "eligible", "y", "t"), True),
    **dict.fromkeys(
        ("false", "no", "nope", "n", "f", "not yet", "ineligible", "not eligible"), False
    ),
}
"""Words that are a verdict by themselves."""
_VERDICT_KEYS = ("eligible", "is_eligible", "eligibility", "verdict", "answer", "value", "result")
_NUMBERING = re.compile(r"^\W*\d+[.):]\s+")
_EDGES = " \t\r\n*_`\"'.,;:!|(){}#>-\u2013\u2014=\u2192\u21d2"
_CONDITION = re.compile(
    r"\b(?:if|once|when|until|unless|before|almost|nearly|to\s+(?:ask|continue|hear)|next)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[.;]\s|\s(?=(?:but|while|whereas|however)\b)", re.IGNORECASE)
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
    # What a model asks itself may be anything: "Is more needed? No."
    sentences = re.split(r"(?<=[.?!\n])", value)
    value = "".join(
        sentence
        for before, sentence in pairwise(["", *sentences])
        if not before.endswith("?") or name in before.lower() or len(sentence) > LONGEST_HEADING
    )
    labelled = re.split(rf"(?i)\b(?:answer|verdict|result|{name})\b\W*?(?:\bis\b|[:=?])", value)
    for part in (labelled[-1], value.strip().rpartition("\n")[2]) if labelled[1:] else (value,):
        truths = {truth_of(clause) for clause in _CLAUSES.split(part)} - {None}
        if truths:
            return truths.pop() if len(truths) == 1 else None
    # "I am ready", "not ready yet".
    said: set[bool | None] = {
        len(re.findall(r"(?i)\b(?:not|never|cannot)\b|n['\u2019]t\b", clause)) % 2 == 0
        for clause in _CLAUSES.split(value)
        if re.search(rf"(?i)(?<![\"'])\b{name}\b", clause) and not _CONDITION.search(clause)
    }
    if not said:
        return _said(value)
    return said.pop() if len(said) == 1 else None


def read_verdicts(reply: str, programs: Sequence[str]) -> dict[str, bool]:
    """Return the verdicts a reply gives: by name, in order, or a line each.

    A program whose verdict is not plain is left out.

    Args:
        reply: A model's reply.
        programs: The programs that were asked about, in the order of the prompt.
    """
    by_program: dict[str, bool] = {}
    for value in json_values(reply):
        verdicts = _verdicts_of(value, programs)
        # Objects of one program each add up; a later complete answer replaces an earlier one.
        by_program = verdicts if len(verdicts) == len(programs) else {**by_program, **verdicts}
    if by_program:
        return by_program
    by_program = _by_name(dict(loose_pairs(reply)), programs)
    return by_program or _by_line(reply, programs)


def _verdicts_of(value: Any, programs: Sequence[str]) -> dict[str, bool]:
    """The verdicts in one JSON value; empty where it holds none of the programs."""
    if isinstance(value, dict):
        verdicts = _by_name(value, programs) or _by_group(value, programs)
        if not verdicts and len(value) == 1:
            # Wrapped, as in {"predictions": [true, false]}.
            (inner,) = value.values()
            if isinstance(inner, str):
                return read_verdicts(inner, programs)
            return _verdicts_of(inner, programs) if isinstance(inner, dict | list) else {}
        return verdicts or dict(_named([value], programs))
    if isinstance(value, list):
        if value and all(isinstance(item, dict) for item in value):
            verdicts = dict(_named(value, programs))
            merged = {key: each for item in value for key, each in item.items()}
            return verdicts or _by_name(merged, programs)
        return _in_order([truth_of(item) for item in value], programs)
    return {}


def _by_name(values: Mapping[str, Any], programs: Sequence[str]) -> dict[str, bool]:
    plain = {plain_name(str(name)): value for name, value in values.items()}
    verdicts = {}
    for program in programs:
        value = plain.get(plain_name(program))
        verdict = truth_of(value)
        if verdict is None and isinstance(value, str):
            verdict = _said(value)
        if verdict is not None:
            verdicts[program] = verdict
    return verdicts


def _by_group(groups: Mapping[str, Any], programs: Sequence[str]) -> dict[str, bool]:
    """Verdicts of lists of names, as in {"eligible": ["A"], "ineligible": ["B"]}."""
    names = {plain_name(program): program for program in programs}
    verdicts: dict[str, set[bool]] = {}
    for key, listed in groups.items():
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
    plain = {name: verdict for name, verdict in pairs if verdict is not None}
    return plain if len(plain) == len(programs) else {}


def _by_line(reply: str, programs: Sequence[str]) -> dict[str, bool]:
    """Verdicts of lists, tables and sentences: names, and what is said behind or before each."""
    verdicts: dict[str, bool] = {}
    bare: list[bool | None] = []
    heading: bool | None = None
    waiting: list[str] = []
    for line in _lines(reply, programs):
        if not line.strip(_MARKUP):
            continue
        places = _names_in(line, programs)
        if not places:
            bare.append(_said(line))
            cells = [_said(cell) for cell in re.split(r"[|,;\t]", line) if cell.strip(_MARKUP)]
            if waiting and len(waiting) <= len(cells) <= len(waiting) + 1:
                verdicts |= _in_order(cells[-len(waiting) :], waiting)
                waiting = []
            elif len(line) < LONGEST_HEADING:
                heading = _said(line)
            continue
        names = [name for name, _ in places]
        first, *behind = _around(line, places)
        if _EXCEPTION.search(first):
            continue
        parts = [_said_behind(name, part) for name, part in zip(names, behind, strict=True)]
        lead = _said(first)
        is_list = not re.sub(r"\band\b", "", "".join(behind)).strip(_MARKUP)
        is_bare = is_list and not first.strip(_MARKUP)
        if None not in parts:
            verdicts |= {
                name: verdict
                for name, verdict in zip(names, parts, strict=True)
                if verdict is not None
            }
        elif lead is not None and (is_list or len(names) == 1):
            if not _OPEN.search(behind[-1]):
                verdicts |= dict.fromkeys(names, lead)
        elif heading is not None and is_bare:
            verdicts |= dict.fromkeys(names, heading)
        elif is_bare or len(names) > 1:
            # The head of a table, or a name whose verdict stands below it.
            waiting = names
    if verdicts:
        return verdicts
    words = re.findall(r"\w+", reply)
    return _in_order(bare, programs) or _in_order(
        [bool(int(word)) if word in ("0", "1") else truth_of(word) for word in words], programs
    )


def _lines(reply: str, programs: Sequence[str]) -> Iterator[str]:
    """The lines of a reply; of one that names several programs its parts, if each names one."""
    for line in (_NUMBERING.sub("", line) for line in reply.splitlines()):
        parts = _PARTS.split(line)
        yield from parts if all(_names_in(part, programs) for part in parts) else [line]


def _names_in(line: str, programs: Sequence[str]) -> list[tuple[str, re.Match[str]]]:
    """The programs that a line names, in order; of names that hold one another the longer."""
    matches = [(name, match) for name in programs if (match := _pattern(name).search(line))]
    matches.sort(key=lambda named: (named[1].start(), -len(named[1][0])))
    longest: list[tuple[str, re.Match[str]]] = []
    for name, match in matches:
        if not longest or match.start() >= longest[-1][1].end():
            longest.append((name, match))
    return longest


def _around(line: str, places: Sequence[tuple[str, re.Match[str]]]) -> list[str]:
    """What a line says before its first name, and behind each name up to the next."""
    starts = [0, *(match.end() for _, match in places)]
    ends = [*(match.start() for _, match in places), len(line)]
    return [line[start:end] for start, end in zip(starts, ends, strict=True)]


def _said_behind(name: str, text: str) -> bool | None:
    """The verdict behind a name: words, or a number as in `name: 1`; the name may come again."""
    number = re.fullmatch(r"\W*[:=,|\t]\W*([01])\W*", text)
    cells = {truth_of(cell) for cell in re.split(r"[|\t]", text)} - {None}
    if number or len(cells) > 1:
        # A row of several verdicts does not say which is that of the program.
        return number[1] == "1" if number else None
    return _said(_pattern(name).sub(" ", text))


def _pattern(program: str) -> re.Pattern[str]:
    """A program's name as models write it: with spaces, hyphens or none, in any case."""
    letters = r"[\s_\-*`]*".join(map(re.escape, re.sub(r"[^A-Za-z0-9]", "", program)))
    return re.compile(rf"(?<![A-Za-z0-9]){letters}(?![A-Za-z0-9])", re.IGNORECASE)


def _said(text: str) -> bool | None:
    """The verdict that a piece of a line begins with, or the only one that its clauses hold."""
    text = _REASON.split(text)[0].strip(_EDGES) or text
    clauses = [part for piece in _CLAUSES.split(text) if (part := piece.strip(_EDGES))]
    if len(clauses) > 1 and clauses[0].lower() in _LABELS and truth_of(clauses[1]) is not None:
        # "Eligible: no": the name of what is said.
        clauses.pop(0)
    if any(_OPEN.search(clause) for clause in clauses):
        return None
    first = truth_of(clauses[0]) if clauses else None
    if first is not None:
        return first
    said = {verdict for clause in clauses for verdict in _verdicts_in(clause)}
    return said.pop() if len(said) == 1 else None


def _verdicts_in(clause: str) -> set[bool | None]:
    """The verdicts that the words of a clause are, each denied or not by those before it.

    `None` beside words that may turn them: "too rich to be eligible", "nobody qualifies".
    """
    said: set[bool | None] = set()
    is_denied, place, others = False, 0, ""
    for word in _VERDICT.finditer(clause):
        others += clause[place : word.start()]
        place = word.end()
        if word["denial"]:
            is_denied = not is_denied
        else:
            said.add((word["yes"] is not None) is not is_denied)
            is_denied = False
    # "Fails the income test" and "eligible through her job" may say anything behind.
    if _ENDS_DENIED.search(clause):
        said.add(None)
    is_test = re.search(r"(?i)\b(?:fail(?:s|ed)?|meet)\W*\Z", clause[:place])
    if not is_test and not _CIRCUMSTANCE.match(clause[place:]):
        others += clause[place:]
    return said if not said or _FILLERS.fullmatch(others) else {None}


def truth_of(value: Any) -> bool | None:
    """Return the truth value that a JSON value or a word is; `None` if it is none."""
    if isinstance(value, Mapping):
        keyed = {plain_name(str(key)): part for key, part in value.items()}
        for key in _VERDICT_KEYS:
            if plain_name(key) in keyed:
                return truth_of(keyed[plain_name(key)])
        bools = [(key, part) for key, part in value.items() if isinstance(part, bool)]
        if len(bools) != 1:
            return None
        ((key, part),) = bools
        # {"ineligible": true} says no.
        return part is not (_said(str(key).replace("_", " ")) is False)
    if isinstance(value, str):
        word = " ".join(value.strip(_MARKUP).lower().split())
        return _TRUTHS.get(word)
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    return None
