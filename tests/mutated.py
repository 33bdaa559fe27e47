"""A Hypothesis strategy of files as no program writes them."""

import re

from hypothesis import strategies as st

OTHER = (
    *(b"", b"\n", b"null", b"[1, 2, 3]", b'{"name": 1}', b"PK\x03\x04", b"PAR1"),
    b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
)
"""Files of another kind."""
WORDS = (
    *(b"", b'"', b"[[", b"==", b"-1", b"null", b"NaN", b"1e999", b"01", b'"\\ud800"', b'"\\u0000"'),
    *(b'"2024-02-31"', b"9" * 400, b"9" * 6_000, b"[" * 100_000, b'{"a":' * 5_000),
)
"""What is no JSON and no TOML, or too much of it, or a value that nothing takes."""


@st.composite
def broken_files(draw: st.DrawFn, content: bytes) -> bytes:
    """Draw a file that is cut off, of another kind or encoding, or has other words in places."""
    match draw(st.sampled_from(("other", "cut", "coded", "words", "words", "words"))):
        case "other":
            return draw(st.sampled_from(OTHER))
        case "cut":
            return content[: draw(st.integers(0, len(content)))]
        case "coded":
            text = content.decode("utf-8", "replace")
            coded = text.encode("utf-16"), text.encode("utf-8-sig"), content.replace(b"\n", b"\r\n")
            return draw(st.sampled_from((*coded, content.replace(b"\n", b" "), content * 2)))
    words = re.findall(rb'"[^"]*"|[\w.-]+|[^\w\s]+', content)
    for word in draw(st.lists(st.sampled_from(words), min_size=1, max_size=3)):
        other = draw(st.sampled_from(WORDS) | st.binary(max_size=20) | st.sampled_from(words))
        content = content.replace(word, other, draw(st.sampled_from([1, -1])))
    return content
