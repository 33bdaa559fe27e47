"""Inputs as no program writes them: files and rows changed in every way that breaks readers."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benyfits_data.rng import stream

JUNK: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 1e308, 10**30, "", "x", "\x00", "\ud800", "é" * 10_000, [], [[]],
    [None], [{}], {}, {"a": 1}, {"members": []}, "2024-02-31", "NaN",
)  # fmt: skip
"""Values in the place of others; the lone surrogate is written as JSON escapes it."""
LITERALS = (
    "NaN", "Infinity", "-Infinity", "1e999", "9" * 400, "9" * 6_000, "[" * 100_000, '{"a":' * 5_000,
    '"\\ud800"', "01", "'x'", "undefined", "-",
)  # fmt: skip
"""What is no JSON, or too much of it, in the place of a value."""


def mutated_rows(row: dict[str, Any], seed: int) -> Iterator[tuple[str, bytes]]:
    """Give what was changed in a row of JSON Lines, and the changed file."""
    places = list(_places(row))
    rng = stream(seed, "test", "mutated")
    for place in places:
        for junk in (
            JUNK if len(place) <= 3 else (JUNK[int(it)] for it in rng.integers(len(JUNK), size=2))
        ):
            changed = copy.deepcopy(row)
            _put(changed, place, junk)
            yield f"{place} is {str(junk)[:20]!r}", json.dumps(changed).encode()
    mark = '"a mark to replace"'
    for literal in LITERALS:
        for place in places[:: max(1, len(places) // 8)]:
            changed = copy.deepcopy(row)
            _put(changed, place, json.loads(mark))
            text = json.dumps(changed).replace(mark, literal)
            yield f"{place} is {literal[:20]}", text.encode()
    for place in places[:: max(1, len(places) // 12)]:
        changed = copy.deepcopy(row)
        _delete(changed, place)
        yield f"without {place}", json.dumps(changed).encode()
    text = json.dumps(row)
    for name in ("household", "members", "age", "id"):
        twice = text.replace(f'"{name}":', f'"{name}": 1, "{name}":', 1)
        yield f"{name} twice", twice.encode()
    for junk in JUNK:
        yield f"the row is {str(junk)[:20]!r}", json.dumps(junk).encode()
    for literal in LITERALS:
        yield f"the row is {literal[:20]}", literal.encode()


def mutated_bytes(content: bytes, seed: int, n: int = 24) -> Iterator[tuple[str, bytes]]:
    """Give what was changed in a file of any kind, and the changed file."""
    rng = stream(seed, "test", "mutated bytes")
    yield "empty", b""
    yield "a line end", b"\n"
    yield "a byte order mark", b"\xef\xbb\xbf" + content
    yield "UTF-16", content.decode("utf-8", "replace").encode("utf-16")
    yield "Windows line ends", content.replace(b"\n", b"\r\n")
    yield "no line ends", content.replace(b"\n", b" ")
    yield "twice", content + content
    yield "garbage at the end", content + b"\xff\xfe\x00}"
    yield "a zero byte", content[:40] + b"\x00" + content[40:]
    yield "another kind of file", b"PK\x03\x04" + content[:100]
    yield "a picture", b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    yield "deep", b"[" * 100_000
    yield "JSON null", b"null"
    yield "JSON list", b"[1, 2, 3]"
    yield "JSON object", b'{"name": 1}'
    for share in (0.1, 0.5, 0.9, 0.99):
        yield f"the first {share:.0%}", content[: int(share * len(content))]
    for number in range(n):
        changed = bytearray(content or b" ")
        for _ in range(1 + number % 4):
            place = int(rng.integers(len(changed)))
            kind = number % 3
            if kind == 0:
                changed[place] = int(rng.integers(256))
            elif kind == 1:
                del changed[place : place + int(rng.integers(1, 20))]
            else:
                changed[place:place] = changed[place // 2 : place // 2 + int(rng.integers(1, 20))]
            if not changed:
                changed = bytearray(b" ")
        yield f"bytes changed ({number})", bytes(changed)


def _places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    if isinstance(value, dict):
        inner: Any = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    else:
        return
    for key, part in inner:
        yield from _places(part, (*path, key))


def _put(content: Any, place: tuple[str | int, ...], value: Any) -> None:
    for key in place[:-1]:
        content = content[key]
    content[place[-1]] = value


def _delete(content: Any, place: tuple[str | int, ...]) -> None:
    for key in place[:-1]:
        content = content[key]
    del content[place[-1]]


def write(path: Path, content: bytes) -> Path:
    """Write a file, in a folder made for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def sampled(n: int, of: int, seed: int) -> set[int]:
    """Return `n` of the first numbers, drawn without replacement."""
    rng = stream(seed, "test", "sampled inputs")
    return {int(it) for it in np.sort(rng.choice(of, min(n, of), replace=False))}
