"""JSON Lines are read safely: every fault names its line and says what was expected."""

from pathlib import Path

import pytest

from benyfits_data.dataset.json_lines import parse_object, read_lines, shown
from benyfits_data.errors import DatasetFormatError

FAULTS = {
    "{": "is not JSON",
    '{"a": "b': "Unterminated string starting at column 7, expected one JSON object a line.",
    '{"a": 1\n': "delimiter at column 8, expected",
    "[1]": "is a JSON array, expected an object",
    "null": "is a JSON null",
    "7": "is a JSON number",
    '"\\ud800"': "is a JSON string",
    '{"a": "\\ud800"}': "half of a surrogate pair",
    '{"a": 1, "a": 2}': 'has the key "a" twice, expected each key once',
    '{"a": NaN}': "has NaN for a number",
    '{"a": -Infinity}': "has -Infinity for a number",
    '{"a": ' + "9" * 5000 + "}": "a number of 5000 digits",
    '{"a": ' + "9" * 400 + "}": "a number of 400 digits, expected at most 40",
    '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}": "nested too deeply",
    '{"a": ' + "[" * 40 + "]" * 40 + "}": "nested too deeply",
}


@pytest.mark.parametrize(("line", "says"), FAULTS.items(), ids=list(FAULTS.values()))
def test_a_faulty_line_is_named_with_what_was_found(line: str, says: str) -> None:
    with pytest.raises(DatasetFormatError) as raised:
        parse_object(line, Path("rows.jsonl"), 7)
    assert says in str(raised.value)
    assert str(raised.value).startswith("rows.jsonl:7 ")
    assert len(str(raised.value)) < 300


def test_lines_are_given_one_at_a_time_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n\n{"a": "\u2028 is no end of a line"}\n{\n', encoding="utf-8")
    lines = read_lines(path)
    assert next(lines) == (1, {"a": 1})
    assert next(lines) == (3, {"a": "\u2028 is no end of a line"})
    with pytest.raises(DatasetFormatError, match=r"rows\.jsonl:4 is not JSON"):
        next(lines)


def test_a_file_that_is_no_text_or_not_there_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    with pytest.raises(
        DatasetFormatError, match=r"rows\.jsonl cannot be read: No such file or dir"
    ):
        list(read_lines(path))
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DatasetFormatError, match=r"cannot be read: it is not UTF-8\. Give"):
        list(read_lines(path))


def test_long_values_are_cut_in_messages() -> None:
    assert shown("x" * 1000).endswith("(1002 characters)")
    assert shown(True) == "true"
