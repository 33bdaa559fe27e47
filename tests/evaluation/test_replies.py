import json

import pytest

from benyfits_data.evaluation.keys import NOTHING, KeyType
from benyfits_data.evaluation.replies import (
    MOST_DIGITS,
    clean_text,
    read_bool,
    read_json,
    read_property,
    read_verdicts,
)


def test_json_is_found_inside_prose():
    assert read_json('Sure: {"a": [1, 2]} as asked') == {"a": [1, 2]}
    assert read_json("nothing here") == "nothing here"
    assert read_bool("True.", "ready") is True
    assert read_bool("perhaps", "ready") is None


def test_verdicts_are_read_from_objects_and_from_arrays():
    assert read_verdicts('{"A": true, "B": false}', ["A", "B"]) == {"A": True, "B": False}
    assert read_verdicts("[false, true]", ["A", "B"]) == {"A": False, "B": True}
    assert read_verdicts("[false]", ["A", "B"]) == {}
    assert read_verdicts("I think so", ["A"]) == {}


@pytest.mark.parametrize(
    "reply",
    [
        "true, false",
        "True\nFalse",
        '{"A": "true", "B": "false"}',
        '{"a": true, "b": false}',
        '{"predictions": {"A": true, "B": false}}',
        '{"predictions": [true, false]}',
        '[{"program": "A", "eligible": true}, {"program": "B", "eligible": "no"}]',
        "1. A: **True**\n2. B: **False**",
        "- A = yes\n- B = no",
        '```json\n{"A": true, "B": false}\n```',
        "A - eligible\nB - ineligible",
    ],
)
def test_verdicts_of_models_without_schemas_are_read(reply):
    assert read_verdicts(reply, ["A", "B"]) == {"A": True, "B": False}


@pytest.mark.parametrize("reply", ["true", "true, false, true", "[1, 0]", "A and B", "{}", ""])
def test_verdicts_that_are_not_plain_are_left_out(reply):
    assert read_verdicts(reply, ["A", "B"]) == {}


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("**True**", True),
        ("I am ready: yes.", True),
        ('{"ready": "false"}', False),
        ('{"answer": {"ready": true}}', True),
        ("Yes and no", None),
        ("7", None),
    ],
)
def test_truth_values_are_read_from_words(reply, verdict):
    assert read_bool(reply, "ready") is verdict


@pytest.mark.parametrize(
    ("kind", "reply", "value"),
    [
        (KeyType("int"), "The value is 3.", 3),
        (KeyType("int"), "**1,200**", 1200),
        (KeyType("int"), "between 3 and 4", NOTHING),
        (KeyType("float"), '{"answer": {"value": "$2.50"}}', 2.5),
        (KeyType("int"), "9" * 400, NOTHING),
        (KeyType("int"), '{"value": %s}' % ("9" * 400), NOTHING),
        (KeyType("int"), "1e400", NOTHING),
        (
            KeyType("choice", ("New York City", "New Jersey")),
            "They live in New Jersey.",
            "New Jersey",
        ),
        (KeyType("choice", ("own", "rent")), "They may own or rent.", NOTHING),
        (KeyType("choice", ("male", "female")), "female", "female"),
    ],
)
def test_values_of_models_without_schemas_are_read(kind, reply, value):
    assert kind.read(reply) == value


HOSTILE = {
    "digits": "9" * 5000,
    "an integer in JSON": json.dumps({"value": 1})[:-2] + "7" * 5000 + "}",
    "brackets": "[" * 50_000,
    "braces": '{"a":' * 20_000,
    "quotes": '"' * 50_000,
    "a lone surrogate": "yes \ud800",
    "an escape sequence": "\x1b[2J\x1b]0;title\x07yes",
    "a null byte": "ye\x00s",
    "text turned round": "\u202eyes",
    "dashes": "-" * 50_000,
    "colons": "a: " * 20_000,
    "numbers": "1," * 25_000 + "x",
    "escapes without an end": "\x1b[" * 25_000,
    "infinity": '{"value": Infinity}',
    "a number without an end": '{"value": 1e99999}',
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_replies_are_cleaned_and_read_without_an_error(name):
    text = clean_text(HOSTILE[name])
    for reply in (text, HOSTILE[name]):
        read_json(reply)
        read_bool(reply, "ready")
        read_verdicts(reply, ["A", "B"])
        for kind in (KeyType("int"), KeyType("float"), KeyType("choice", ("yes", "no"))):
            kind.read(reply)
        assert read_property(reply, "value") is not NOTHING
    text.encode()
    assert text.isprintable() or not set(text) & {"\x1b", "\x00", "\u202e"}


def test_cleaning_keeps_letters_lines_and_short_numbers():
    text = "Señora Ñ:\n\t\u00bd caf\u00e9 \U0001f600 12,345"
    assert clean_text(text) == text
    assert clean_text("1" * 100) == "1" * MOST_DIGITS
    assert clean_text("abcdef", 3) == "abc"
    assert clean_text("one\r\ntwo\rthree") == "one\ntwo\nthree"
