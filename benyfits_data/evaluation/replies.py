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
from collections.abc import Iterator
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

_NAMES = r"[\w:-]*(?:think|thought|reason|reflect|scratchpad|analysis|monologue|internal)[\w:-]*"
_REASONING = re.compile(
    rf"(?P<close></{_NAMES}>|<\|/{_NAMES}\|>|<\|end_(?:of_)?{_NAMES}\|>|\[/(?:THINK|INST)\]"
    r"|\u25c1/think\u25b7|<channel\|>|</details>|<unused95>|^Here(?: i|')s my response:"
    r"|^\.{3}done thinking\.?)"
    rf"|(?P<open><{_NAMES}(?:\s+[\w-]+=(?:\"[^\"]*\"|'[^']*'))*>|<\|{_NAMES}\|>|\[(?:THINK|INST)\]"
    r"|\u25c1think\u25b7|<\|channel>|<details[^>]*reasoning[^>]*>|<unused94>"
    r"|^Here(?: i|')s my thought process:|^Thinking\.{3}$)",
    re.IGNORECASE | re.MULTILINE,
)
"""Marks of reasoning: DeepSeek, Qwen, Kimi, Mistral, Cohere, Seed, MiniMax, Gemma, Granite, Exaone,
Open WebUI; and those of a prompt that is said again."""
_ESCAPED = re.compile(rf"&lt;(/?{_NAMES})&gt;", re.IGNORECASE)
_REASONING_FENCE = re.compile(
    rf"^(`{{3,}}|~{{3,}}){_NAMES}[ \t]*\n.*?(?:^\1[ \t]*$|\Z)", re.I | re.M | re.S
)
_HEADED = re.compile(
    r"\A\W*(?:(?:my )?(?:thinking|thoughts?|thought process|reasoning|analysis))\W*:.*"
    r"^\W*(?:(?:my |the )?(?:final )?(?:answer|response|reply|question|verdicts?|output))\W*:\W*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
"""Reasoning under a heading, up to the last heading of what follows from it."""
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
    r"|<start_of_turn>model|<\|start_of_role\|>assistant<\|end_of_role\|>|<\|START_RESPONSE\|>"
    r"|<s>|<bos>)\s*"
)
_TURN_ENDS = re.compile(
    r"<\|(?:im_end|im_start|eot_id|end_of_text|endoftext|start_header_id|end|return|END_RESPONSE"
    r"|END_OF_TURN_TOKEN)\|>|</s>|<end_of_turn>|<turn\|>"
)
_ANSWER_MARKS = re.compile(
    r"</?(?:final_)?(?:answer|response|output|result|solution)>"
    r"|<\|\w+\|>|\\boxed(?=\{)",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\A\s*(?:\((?:think|thought|reason)[^)]*\)|\*(?:think|thought|reason)[^*]*\*)\s*",
    re.IGNORECASE,
)
"""Reasoning in brackets or italics before a reply."""


def clean_text(text: str, longest: int = LONGEST_REPLY) -> str:
    """Return a text without escape sequences and control characters, cut to a length.

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
    text = _REASONING_FENCE.sub("", _ESCAPED.sub(r"<\1>", _TURN_BEGINS.sub("", text)))
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
    text = _ANSWER_MARKS.sub("", text[: end.start()] if end else text)
    return _ASIDE.sub("", _HEADED.sub("", text)).strip()


def read_json(text: str) -> Any:
    """Return the last JSON object or array in a reply, or the reply itself when it holds none.

    Args:
        text: A model's reply, perhaps with words or a code fence around the JSON.
    """
    values = list(json_values(text))
    return values[-1] if values else text.strip()


def read_property(text: str, name: str) -> Any:
    """Return one property of a reply: of the last JSON object that has it; `None` without one.

    A reply without an object is the value itself. An object with one entry under another name
    holds the value there.

    Args:
        text: A model's reply.
        name: The property.
    """
    objects = [value for value in json_values(text) if isinstance(value, dict)]
    for value in reversed(objects):
        for key in value:
            if plain_name(key) in (plain_name(name), "is" + plain_name(name)):
                return value[key]
        inner = [part for part in value.values() if isinstance(part, dict) and name in part]
        if inner:
            return inner[-1][name]
    if objects:
        last = objects[-1]
        return next(iter(last.values())) if len(last) == 1 else None
    # JSON that was cut off, or not quite JSON.
    pairs = [value for key, value in loose_pairs(text) if key.lower() == name.lower()]
    return pairs[-1] if pairs else read_json(text)


def one_property(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with one required property."""
    return {
        "type": "object",
        "properties": {name: schema},
        "required": [name],
        "additionalProperties": False,
    }


def json_values(text: str) -> Iterator[Any]:
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


def loose_pairs(text: str) -> Iterator[tuple[str, Any]]:
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


def plain_name(name: str) -> str:
    """Return a name in small letters and digits only, as it is compared."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError
    return int(digits)


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_int=_whole, parse_constant=_refuse)
