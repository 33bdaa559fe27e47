"""The border where text of models, users and agents comes in: cleaned, cut, read.

Every reply passes `clean_text`, so that nothing behind it meets lone surrogates, control and escape
characters, endless texts or numbers of thousands of digits. Replies of models also pass
`final_text`, which takes reasoning away. Values are read leniently, for models that are not decoded
under a schema; of several candidates the last with the expected keys counts, because drafts,
examples and quotations come before an answer. What cannot be read is `None` or left out: the caller
records a failure.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benyfits_data.understanding.typed import MOST_DIGITS

LARGEST = 1e15
"""Greatest number that is a value: beyond it a float no longer tells one dollar from the next."""
LONGEST_REPLY = 60_000
"""Characters of a reply that are kept: four times the longest program of a checker here."""
MOST_STARTS = 200
"""Places at either end of a reply where JSON is looked for: `[[[[...` has one at every letter."""

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?", re.DOTALL)
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)
_DIGITS = re.compile(rf"(\d{{{MOST_DIGITS}}})\d+")

_NAMES = r"(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad|analysis|seed:think|mm:think)"
_REASONING = re.compile(
    rf"(?P<open><{_NAMES}>|\[THINK\]|\u25c1think\u25b7|<\|begin_of_thought\|>|<\|START_THINKING\|>"
    r"|<\|channel>|<\|think\|>|^Here(?: i|')s my thought process:)"
    rf"|(?P<close></{_NAMES}>|\[/THINK\]|\u25c1/think\u25b7|<\|end_of_thought\|>"
    r"|<\|END_THINKING\|>|<channel\|>|<\|/think\|>|^Here(?: i|')s my response:)",
    re.IGNORECASE | re.MULTILINE,
)
"""Marks of reasoning: DeepSeek, Qwen, Kimi, Mistral, Cohere, Seed, MiniMax, Gemma, Granite."""
_CHANNEL = re.compile(
    r"<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>"
    r"(.*?)(?=<\|(?:end|return|call|start|channel)\|>|\Z)",
    re.DOTALL,
)
"""A message of OpenAI's harmony format: its channel and its text."""
_BARE_CHANNEL = re.compile(r"\A\s*analysis(?=[A-Z0-9])")
"""Harmony where a server dropped the marks: `analysisWe need ...assistantfinalYes.`"""
_TURN_BEGINS = re.compile(
    r"\A\s*(?:<\|im_start\|>\s*assistant|<\|start_header_id\|>assistant<\|end_header_id\|>"
    r"|<start_of_turn>model|<\|START_RESPONSE\|>|<s>|<bos>)\s*"
)
_TURN_ENDS = re.compile(
    r"<\|(?:im_end|im_start|eot_id|end_of_text|endoftext|start_header_id|end|return|END_RESPONSE"
    r"|END_OF_TURN_TOKEN)\|>|</s>|<end_of_turn>|<turn\|>"
)
_ANSWER_MARKS = re.compile(r"</?(?:answer|final_answer|response|output|result)>", re.IGNORECASE)

_FENCE = re.compile(
    r"^[ \t]*(?P<mark>`{3,}|~{3,})[ \t]*(?P<language>[\w+.-]*)[^\n]*\n"
    r"(?P<code>.*?)(?:^[ \t]*(?P=mark)[`~]*[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_PYTHON = ("", "python", "py", "python3", "py3", "ipython", "python-repl")


_VERDICT = re.compile(
    r"(?P<no>not\s+eligible|not\s+qualif\w+|(?:does|do|is|are|would|may|can)(?:\s+not|n['\u2019]t)"
    r"(?:\s+be)?\s+(?:eligible|qualif\w+)|ineligible|cannot\s+(?:qualify|claim)|false|no\b"
    r"|\u274c|\u2717|\u2718)"
    r"|(?P<yes>eligible|qualif(?:y|ies|ied)|true|yes|\u2705|\u2713|\u2714)",
    re.IGNORECASE,
)
_TRUTHS = {"true": True, "yes": True, "eligible": True, "y": True}
_FALSEHOODS = {"false": False, "no": False, "ineligible": False, "not eligible": False, "n": False}
_VERDICT_KEYS = ("eligible", "is_eligible", "eligibility", "verdict", "answer", "value", "result")
_MARKUP = " \t\r\n*_`\"'.,;:!|()[]{}#>-\u2013\u2014"


def clean_text(text: str, longest: int = LONGEST_REPLY) -> str:
    """Return a text without what could harm a reader behind it; letters, lines and tabs stay.

    Args:
        text: What a model, a person or an agent wrote.
        longest: Characters that are kept.
    """
    # Escape sequences may be long, what is cut away need not be looked at.
    text = text[: 4 * longest].replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROLS.sub("", _ESCAPES.sub("", text))
    text = text.encode("utf-8", "replace").decode("utf-8")
    return _DIGITS.sub(r"\1", text)[:longest]


def final_text(text: str) -> str:
    """Return a model's reply without its reasoning and without the marks of its chat template.

    Reasoning that is only closed began with the reply; reasoning that is only opened never came to
    an answer, and nothing of it is left.

    Args:
        text: What a server sent as the reply's content.
    """
    if "<|channel|>" in text:
        said = [part for channel, part in _CHANNEL.findall(text) if channel == "final"]
        return "\n".join(said).strip()
    if _BARE_CHANNEL.match(text):
        return text.rpartition("assistantfinal")[2].strip() if "assistantfinal" in text else ""
    text = _TURN_BEGINS.sub("", text)
    kept: list[str] = []
    place, is_reasoning = 0, False
    for mark in _REASONING.finditer(text):
        if mark["open"]:
            if not is_reasoning:
                kept.append(text[place : mark.start()])
            is_reasoning = True
        elif is_reasoning:
            is_reasoning = False
        else:
            kept.clear()
        place = mark.end()
    if not is_reasoning:
        kept.append(text[place:])
    text = _TURN_BEGINS.sub("", "".join(kept).strip())
    end = _TURN_ENDS.search(text)
    return (text[: end.start()] if end else text).strip()


def code_in(reply: str) -> str:
    """Return the program in a reply: the last fenced one that defines something, or all of it.

    Args:
        reply: A model's reply; fences of backticks or tildes, of any case, closed or not.
    """
    fenced = [part for part in _FENCE.finditer(reply) if part["language"].lower() in _PYTHON]
    programs = [part["code"] for part in fenced if re.search(r"^\s*def\s", part["code"], re.M)]
    if not programs:
        programs = [part["code"] for part in fenced if part["code"].strip()]
    return (programs[-1] if programs else reply).strip("\n") + "\n"


def read_json(text: str) -> Any:
    """Return the last JSON object or array in a reply, or the reply itself when it holds none.

    Args:
        text: A model's reply, perhaps with words or a code fence around the JSON.
    """
    values = list(_json_values(text))
    return values[-1] if values else text.strip()


def read_property(text: str, name: str) -> Any:
    """Return one property of a reply: of the last JSON object that has it; `None` without one.

    A reply without an object is the value itself. An object with one entry under another name
    holds the value there.

    Args:
        text: A model's reply.
        name: The property.
    """
    objects = [value for value in _json_values(text) if isinstance(value, dict)]
    for value in reversed(objects):
        if name in value:
            return value[name]
        inner = [part for part in value.values() if isinstance(part, dict) and name in part]
        if inner:
            return inner[-1][name]
    if objects:
        last = objects[-1]
        return next(iter(last.values())) if len(last) == 1 else None
    # JSON that was cut off, or not quite JSON.
    pairs = [value for key, value in _loose_pairs(text) if key.lower() == name.lower()]
    return pairs[-1] if pairs else read_json(text)


def read_bool(text: str, name: str) -> bool | None:
    """Return the truth value a reply gives, in JSON or in words; `None` when it gives none.

    In words, the last line counts if it is a verdict by itself, then the first word of the reply,
    then the only truth word in it.

    Args:
        text: A model's reply.
        name: The property that holds the value.
    """
    value = read_property(text, name)
    if not isinstance(value, str):
        return _truth(value)
    lines = [line for line in value.splitlines() if line.strip(_MARKUP)] or [""]
    last = re.split(r"(?i)\b(?:answer|verdict|result)\b\s*(?:is|:)", lines[-1])[-1]
    for part in (last, lines[0].partition(",")[0], re.split(r"[.;:!\u2014]", lines[0])[0]):
        found = _truth(part)
        if found is not None:
            return found
    said = {_truth(word) for word in re.findall(r"[a-z]{2,}", value.lower())} - {None}
    return said.pop() if len(said) == 1 else None


def read_verdicts(reply: str, programs: Sequence[str]) -> dict[str, bool]:
    """Return the verdicts a reply gives: by name, in order, or a line each.

    A program whose verdict is not plain is left out.

    Args:
        reply: A model's reply.
        programs: The programs that were asked about, in the order of the prompt.
    """
    found: dict[str, bool] = {}
    for value in _json_values(reply):
        verdicts = _verdicts_of(value, programs)
        # Objects of one program each add up; a later complete answer replaces an earlier one.
        found = verdicts if len(verdicts) == len(programs) else {**found, **verdicts}
    if found:
        return found
    found = _by_name(dict(_loose_pairs(reply)), programs)
    return found or _by_line(reply, programs)


def one_property(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with one required property."""
    return {
        "type": "object",
        "properties": {name: schema},
        "required": [name],
        "additionalProperties": False,
    }


def _json_values(text: str) -> Iterator[Any]:
    """The JSON objects and arrays in a text, in order; a reply that is a scalar is one too."""
    whole = text.strip()
    try:
        yield _DECODER.decode(whole)
        return
    except (ValueError, RecursionError):
        pass
    starts = [place for place, letter in enumerate(text) if letter in "{["]
    if len(starts) > 2 * MOST_STARTS:
        starts = starts[:MOST_STARTS] + starts[-MOST_STARTS:]
    end = 0
    for start in starts:
        if start < end:
            continue
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            value, end = _python_value(text, start, end)
        if end > start:
            yield value


def _python_value(text: str, start: int, end: int) -> tuple[Any, int]:
    """A flat dictionary or list as Python prints it, and where it ends; `end` itself if none."""
    close = text.find("}" if text[start] == "{" else "]", start, start + 5000)
    if close < 0:
        return None, end
    part = text[start : close + 1]
    part = re.sub(r"\btrue\b", "True", re.sub(r"\bfalse\b", "False", part))
    try:
        value = ast.literal_eval(part)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None, end
    return (value, close + 1) if isinstance(value, dict | list) else (None, end)


def _loose_pairs(text: str) -> Iterator[tuple[str, Any]]:
    """Entries such as `"name": true` of an object that was cut off or is not quite JSON."""
    for name, value in re.findall(
        r"""["']([^"'\n]{1,200})["']\s*:\s*("[^"\n]*"|true\b|false\b|-?\d[\d.]*)""",
        text,
        re.IGNORECASE,
    ):
        try:
            yield name, _DECODER.decode(value.lower() if value[0] != '"' else value)
        except ValueError:
            continue


def _verdicts_of(value: Any, programs: Sequence[str]) -> dict[str, bool]:
    """The verdicts in one JSON value; empty where it holds none of the programs."""
    if isinstance(value, dict):
        found = _by_name(value, programs)
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
        return _in_order([_truth(item) for item in value], programs)
    return {}


def _by_name(found: Mapping[str, Any], programs: Sequence[str]) -> dict[str, bool]:
    plain = {_plain(str(name)): value for name, value in found.items()}
    verdicts = {program: _truth(plain.get(_plain(program))) for program in programs}
    return {program: verdict for program, verdict in verdicts.items() if verdict is not None}


def _named(items: Sequence[Any], programs: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Verdicts of objects such as {"program": "A", "eligible": true, "reason": "..."}."""
    names = {_plain(program): program for program in programs}
    for item in items:
        named = [
            names[_plain(part)]
            for part in item.values()
            if isinstance(part, str) and _plain(part) in names
        ]
        verdict = _truth(
            {key: part for key, part in item.items() if _plain(str(part)) not in names}
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
    """Verdicts of lists, tables and sentences: a line names one program, and then says so."""
    found: dict[str, bool] = {}
    bare: list[bool | None] = []
    names = {program: _pattern(program) for program in programs}
    for line in reply.splitlines():
        places = {program: match for program, name in names.items() if (match := name.search(line))}
        # Of names that hold one another, such as "A" and "A Plus", the longest is meant.
        longest = max((len(match[0]) for match in places.values()), default=0)
        named = [program for program, match in places.items() if len(match[0]) == longest]
        if len(named) == 1:
            match = places[named[0]]
            verdict = _said(line[match.end() :])
            verdict = _said(line[: match.start()]) if verdict is None else verdict
            if verdict is not None:
                found[named[0]] = verdict
        elif not places and line.strip(_MARKUP):
            bare.append(_said(re.sub(r"^\W*\d+[.):]\s+", "", line)))
    if found:
        return found
    in_order = _in_order(bare, programs)
    return in_order or _in_order([_truth(word) for word in re.findall(r"\w+", reply)], programs)


def _pattern(program: str) -> re.Pattern[str]:
    """A program's name as models write it: with spaces, hyphens or none, in any case."""
    letters = r"[\s_\-*`]*".join(map(re.escape, re.sub(r"[^A-Za-z0-9]", "", program)))
    return re.compile(rf"(?<![A-Za-z0-9]){letters}(?![A-Za-z0-9])", re.IGNORECASE)


def _said(text: str) -> bool | None:
    """The verdict that a piece of a line begins with, or the only one it holds."""
    text = _ANSWER_MARKS.sub(" ", text).strip(_MARKUP + "=\u2192\u21d2")
    text = re.sub(r"^(?:is|are|verdict|answer|the household is|you are)\W+(?=\w)", "", text)
    first = _VERDICT.match(text)
    if first:
        return first["no"] is None
    said = {match["no"] is None for match in _VERDICT.finditer(text)}
    if re.fullmatch(r"[01]", text):
        return text == "1"
    return said.pop() if len(said) == 1 else None


def _truth(value: Any) -> bool | None:
    if isinstance(value, Mapping):
        keyed = {_plain(str(key)): part for key, part in value.items()}
        for key in _VERDICT_KEYS:
            if _plain(key) in keyed:
                return _truth(keyed[_plain(key)])
        bools = [part for part in value.values() if isinstance(part, bool)]
        return bools[0] if len(bools) == 1 else None
    if isinstance(value, str):
        word = " ".join(value.strip(_MARKUP).lower().split())
        return {**_TRUTHS, **_FALSEHOODS}.get(word)
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    return None


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError
    return int(digits)


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_int=_whole, parse_constant=_refuse)
