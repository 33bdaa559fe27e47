import math

from benyfits_data.evaluation.codegen.code_rules import KeyType, compared_words

YES_NO = KeyType("choice", ("yes", "no"))


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
