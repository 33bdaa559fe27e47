import math

import pytest

from benyfits_data.evaluation.keys import KeyType, compared_words
from benyfits_data.understanding.typed import NOTHING

YES_NO = KeyType("choice", ("yes", "no"))


@pytest.mark.parametrize(
    ("kind", "reply", "value"),
    [
        (KeyType("int"), '{"value": 34}', 34),
        (KeyType("int"), '{"value": "1,234"}', 1234),
        (KeyType("int"), "34", 34),
        (KeyType("int"), '{"value": "unknown"}', NOTHING),
        (KeyType("int"), '{"value": true}', NOTHING),
        (KeyType("int"), '{"value": 1e999}', NOTHING),
        (KeyType("float"), '```json\n{"value": 2.5}\n```', 2.5),
        (KeyType("int", is_optional=True), '{"value": "never"}', None),
        (YES_NO, '{"value": "Yes"}', "yes"),
        (YES_NO, '{"value": true}', "yes"),
        (YES_NO, '{"value": "maybe"}', NOTHING),
        (YES_NO, '{"value": "unknown"}', NOTHING),
        (YES_NO, '{"value": ', NOTHING),
        (YES_NO, "", NOTHING),
        (YES_NO, "no.", "no"),
    ],
)
def test_a_reply_becomes_a_value_of_its_type_or_nothing(kind, reply, value):
    assert kind.read(reply) is value or kind.read(reply) == value


def test_the_schema_offers_unknown_only_where_it_is_allowed():
    assert YES_NO.schema(allow_unknown=True)["properties"]["value"] == {
        "enum": ["yes", "no", "unknown"]
    }
    assert YES_NO.schema(allow_unknown=False)["properties"]["value"] == {"enum": ["yes", "no"]}
    number = KeyType("int").schema(allow_unknown=False)["properties"]["value"]
    assert number == {"type": "integer"}


def test_an_unknown_number_is_comparable_with_any():
    assert math.isnan(KeyType("float").unknown)
    assert YES_NO.unknown == "unknown"


def test_words_a_program_compares_with_are_found():
    source = 'def f(hh):\n    return hh[0]["sex"] == "male" or "female" == hh[1]["sex"]\n'
    assert set(compared_words(source, "sex")) == {"male", "female"}
    assert compared_words(source, "age") == ()
