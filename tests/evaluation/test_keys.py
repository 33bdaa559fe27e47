import math

from benyfits_data.evaluation.codegen.code_rules import KeyType, compared_words


def test_an_unknown_number_is_comparable_with_any():
    assert math.isnan(KeyType("float").unknown)
    assert KeyType("choice", ("yes", "no")).unknown == "unknown"


def test_words_a_program_compares_with_are_found():
    source = 'def f(hh):\n    return hh[0]["sex"] == "male" or "female" == hh[1]["sex"]\n'
    assert set(compared_words(source, "sex")) == {"male", "female"}
    assert compared_words(source, "age") == ()
