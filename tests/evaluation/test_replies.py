"""A reply has the form that was asked for, in one of five wrappings, or it is refused."""

import json

import pytest

from benyfits_data.evaluation.codegen.code_rules import KeyType
from benyfits_data.evaluation.codegen.coding import code_in
from benyfits_data.evaluation.replies import (
    ReplyRefusedError,
    clean_text,
    final_text,
    object_schema,
    question_in,
    read_object,
)
from benyfits_data.understanding.typed import MOST_DIGITS

PROGRAMS = ("FairFaresNYC", "SafeAndSickLeave", "TrainEarn", "EarnedIncomeTaxCredit")
VERDICTS = object_schema({name: {"type": "boolean"} for name in PROGRAMS})
RIGHT = {name: place % 2 == 0 for place, name in enumerate(PROGRAMS)}
SAID = json.dumps(RIGHT)


@pytest.mark.parametrize(
    "reply",
    [
        SAID,
        f"<think>A draft: {{}} or {SAID}?</think>{SAID}",
        f"They rent.</think>\n{SAID}",
        f"```json\n{json.dumps(RIGHT, indent=2)}\n```",
        f"These are the verdicts:\n\n{SAID}\n\nDo you want to know why?",
        f'With {{"income": 0}} it follows: {SAID}',
    ],
)
def test_verdicts_are_read_in_each_wrapping(reply):
    assert read_object(final_text(reply), VERDICTS) == RIGHT


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "no JSON object"),
        ("true", "no JSON object"),
        ("[true, false, true, false]", "no JSON object"),
        (f"<think>{SAID}", "no JSON object"),
        ("".join(f"## {name}\nThey are young.\nVerdict: true\n" for name in PROGRAMS), "no JSON"),
        (
            "".join(f"1. {name}\n - 18 to 64: yes\n - Eligible: yes\n" for name in PROGRAMS),
            "no JSON object",
        ),
        ('<program name="FairFaresNYC" eligible="false"/>', "no JSON object"),
        (f"{SAID}\nWith a higher income it would have been:\n{SAID}", "2 objects fit"),
        (SAID.replace("true", '"true"'), "'true' is not of type 'boolean'"),
        (SAID.replace("true", "1"), "1 is not of type 'boolean'"),
        (SAID.replace("}", ', "note": 1}'), "'note' was unexpected"),
        (SAID.replace("FairFaresNYC", "fair_fares_nyc"), "is a required property"),
        ('{"FairFaresNYC": true}', "is a required property"),
        (f'{{"verdicts": {SAID}}}', "is a required property"),
        (SAID.replace('"', "'"), "no JSON at"),
        (SAID.replace("true", "True"), "no JSON at"),
        (SAID[:-9], "no JSON at"),
        (f'{{"draft": {SAID}, "final": {{"FairFar', "no JSON at"),
        (SAID.replace("}", ', "FairFaresNYC": false}'), "no JSON at"),
        (json.dumps(SAID), "no JSON at"),
        ("[" * 50_000, "no JSON object"),
        ('{"a":' * 20_000, "no JSON at"),
        ('{"a": ' + "7" * 5000 + "}", "no JSON at"),
        ('{"a": Infinity}', "no JSON at"),
        ('{"a": 1e99999}', "no JSON at"),
        ('{"a": "\\ud800"}', "no JSON at"),
    ],
)
def test_what_is_no_object_under_the_schema_is_refused_with_the_reason(reply, why):
    with pytest.raises(ReplyRefusedError, match=why):
        read_object(final_text(reply), VERDICTS)


WHOLE = "Does anybody get one of these:\n- SSI?\n- SNAP?"


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        (WHOLE, WHOLE),
        (f"Question: {WHOLE}", WHOLE),
        ("Tell me your rent.\nThanks!", "Tell me your rent.\nThanks!"),
        ('{"question": "Do you rent?"}', "Do you rent?"),
        ('```json\n{"question": "Do you rent?"}\n```', "Do you rent?"),
        ("**Question:** Do you rent?", "Do you rent?"),
        ("This question: do you rent?", "This question: do you rent?"),
        ('"Do you rent?"', '"Do you rent?"'),
        ('{"ask": "Do you rent?"}', '{"ask": "Do you rent?"}'),
        (" \n", ""),
    ],
)
def test_a_question_is_the_whole_text(reply, question):
    assert question_in(reply) == question


YES_NO = KeyType("choice", ("yes", "no", "unknown"))


@pytest.mark.parametrize(
    ("kind", "reply", "value"),
    [
        (KeyType("int"), '{"value": 31500}', 31500),
        (KeyType("int"), '{"value": 31500.0}', 31500),
        (KeyType("float"), '```json\n{"value": 2.5}\n```', 2.5),
        (KeyType("float"), '{"value": -5}', -5),
        (KeyType("int", is_optional=True), '{"value": "never"}', None),
        (YES_NO, 'It is {"value": "yes"}.', "yes"),
        (YES_NO, '{"value": "unknown"}', ...),
        (KeyType("int"), '{"value": "unknown"}', ...),
        (KeyType("int"), '{"value": 31,500}', None),
        (KeyType("int"), '{"value": "31500"}', None),
        (KeyType("int"), '{"value": "$1,200 a month"}', None),
        (KeyType("int"), '{"value": "$310 a week"}', None),
        (KeyType("int"), '{"value": 31500.5}', None),
        (KeyType("int"), '{"value": true}', None),
        (KeyType("int"), '{"value": "never"}', None),
        (KeyType("int"), '{"value": 1000000000000000000}', ...),
        (KeyType("int"), '{"value": 3} is wrong: {"value": 4}', None),
        (KeyType("int"), "The value is 3.", None),
        (YES_NO, '{"value": "Yes"}', None),
        (YES_NO, '{"value": true}', None),
        (YES_NO, '{"value": ["yes"]}', None),
        (YES_NO, "no", None),
    ],
)
def test_a_value_has_the_type_of_its_key_or_the_reply_is_refused(kind, reply, value):
    # `None` stands for a refusal, `...` for a reply in the right form that gives no value.
    schema = kind.schema(allow_unknown=True)
    if value is None and not kind.is_optional:
        with pytest.raises(ReplyRefusedError):
            read_object(reply, schema)
        return
    read = kind.read(read_object(reply, schema)["value"])
    assert (not isinstance(read, int | float | str | None)) if value is ... else read == value


HOSTILE = {
    "digits": "9" * 5000,
    "quotes": '"' * 50_000,
    "braces": "{}" * 25_000,
    "thoughts": "<think>" * 9000 + "</think>",
    "a lone surrogate": "yes \ud800",
    "an escape sequence": "\x1b[2J\x1b]0;title\x07yes",
    "a null byte": "ye\x00s",
    "text turned round": "\u202eyes",
    "escapes without an end": "\x1b[" * 25_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_replies_are_cleaned_and_refused_without_another_error(name):
    text = clean_text(HOSTILE[name])
    for reply in (text, HOSTILE[name]):
        with pytest.raises(ReplyRefusedError):
            read_object(final_text(reply), VERDICTS)
    text.encode()
    assert text.isprintable() or not set(text) & {"\x1b", "\x00", "\u202e"}


def test_cleaning_keeps_letters_lines_and_short_numbers():
    text = "Señora Ñ:\n\t\u00bd caf\u00e9 \U0001f600 12,345"
    assert clean_text(text) == text
    assert clean_text("1" * 100) == "1" * MOST_DIGITS
    assert clean_text("abcdef", 3) == "abc"
    assert clean_text("one\r\ntwo\rthree") == "one\ntwo\nthree"


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("<think>They rent, aged 40</think>Yes.", "Yes."),
        ("They rent, aged 40\n</think>\n\nYes.", "Yes."),
        ("<think>They <think>rent</think>, aged 40</think>Yes.", "Yes."),
        ("<think>They rent</think>\n<think>aged 40</think>Yes.", "Yes."),
        ("<think>They rent, aged 40", ""),
        ("<think>They rent</think>", ""),
        ("", ""),
        (
            "I think: a < b [1, 2] <b>3</b>\n\n  indented",
            "I think: a < b [1, 2] <b>3</b>\n\n  indented",
        ),
    ],
)
def test_thoughts_never_leave_the_border_and_other_text_stays_as_written(reply, text):
    assert final_text(reply) == text


PROGRAM = "def check(hh):\n    return True\n"


@pytest.mark.parametrize(
    ("reply", "is_program"),
    [
        (PROGRAM, True),
        (f"```python\n{PROGRAM}```", True),
        (f"```Python\n{PROGRAM}```\nDone.", True),
        (f"~~~python\n{PROGRAM}~~~", True),
        ("1. Code:\n   ```python\n   def check(hh):\n       return True\n   ```", True),
        (f"Here is the program:\n\n{PROGRAM}\nThis program checks the rule.", False),
        (f"Draft:\n```python\ndef check(hh): pass\n```\nFinal:\n```python\n{PROGRAM}```", False),
        (json.dumps({"code": PROGRAM}), False),
    ],
)
def test_a_program_is_the_reply_or_its_only_fence(reply, is_program):
    assert (code_in(reply) == PROGRAM) is is_program
