import json

import pytest

from benyfits_data.evaluation.codegen.coding import code_in
from benyfits_data.evaluation.keys import KeyType
from benyfits_data.evaluation.replies import (
    clean_text,
    final_text,
    read_json,
    read_property,
)
from benyfits_data.evaluation.verdict_reading import read_bool, read_verdicts
from benyfits_data.understanding.typed import MOST_DIGITS, NOTHING, read_numbers


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
        "[1, 0]",
        "For example [false, true] would be the other way. My answer: [true, false]",
        'Format: {"A": false, "B": true}\n\n```json\n{"A": true, "B": false}\n```',
        "{'A': True, 'B': False}",
        '{"A": {"eligible": true, "reason": "no income"}, "B": {"eligible": false}}',
        '{"A": true}\n{"B": false}',
        '{"A": true, "B": false, "note": "cut o',
        '[{"name": "A", "eligible": 1, "reason": "ok"}, {"name": "B", "eligible": 0}]',
        "1. **A**: Yes, because no income is not eligible for a limit\n2. **B**: No, it is too old",
        "| program | eligible | why |\n|---|---|---|\n| A | Yes | no income |\n| B | No | x |",
        "A: Eligible\nB: Not eligible",
        "You are eligible for A.\nYou are not eligible for B.",
        "1. Yes, because of the income\n2. No, since nobody rents",
        "A \u2705\nB \u274c",
        "<answer>[true, false]</answer>",
        "| Program | A | B |\n|---|---|---|\n| Eligible | yes | no |",
        "A, B\ntrue, false",
        "A: TRUE; B: FALSE",
        "ELIGIBLE: A\nNOT ELIGIBLE: B",
        "Not eligible for:\n* B\n\nEligible for:\n* A",
        "A\nYes\nB\nNo",
        "1. A\n   - Eligible: yes\n2. B\n   - Eligible: no",
        "A: approved\nB: denied",
        "A: likely eligible\nB: unlikely to be eligible",
        "A: no income, so eligible\nB: not eligible",
        "- [x] A\n- [ ] B",
        '{"eligible": ["A"], "ineligible": ["B"]}',
        '{"A": "Eligible - low income", "B": "Not eligible - too old"}',
        "The household qualifies for A but does not qualify for B.",
        "A: true\nB: false\nNote: B could be true if income were lower",
        "A: they do meet all requirements\nB: they do not meet the age requirement",
        "For A, the answer is yes. For B, the answer is no.",
        "They can claim A. They cannot claim B.",
        "A: is not denied\nB: fails the income test",
        "A: the applicant, who is 34, qualifies through her job\nB: does not qualify due to age",
        "A: pass (income 0 < 24000)\nB: fail (no child)",
        "A: eligible? Yes.\nB: eligible? No.",
        "1, 0",
        "A: Yes, they have no other insurance\nB: No - nobody except the child lives here",
        "Ineligible for B; eligible for the rest, such as A: yes",
        '{"answer": "[true, false]"}',
        "A: 1\nB: 0",
        "program,eligible\nA,1\nB,0",
        "<A>true</A><B>false</B>",
        '{"A": {"ineligible": false}, "B": {"not_eligible": true}}',
    ],
)
def test_verdicts_of_models_without_schemas_are_read(reply):
    assert read_verdicts(reply, ["A", "B"]) == {"A": True, "B": False}


@pytest.mark.parametrize(
    "reply",
    [
        *("true", "true, false, true", "A and B", "A or B may be eligible", "[2, 0]", "{}", ""),
        "A: eligible or not eligible\nB: might be eligible",
        "A: I am not sure whether they qualify\nB: maybe",
        "A: eligible if they apply\nB: yes by income, but not by age",
        "A: eligible no\nB: they may not be eligible",
        '{"A": null, "B": "unknown"}',
        "Eligible for everything except A",
        "Not eligible for any program apart from B.",
        "With the exception of A, eligible.",
        "All but B are eligible.",
        "To be eligible for A, you must be poor.",
        "| A | Yes | No | Not eligible |\n| B | No | Yes | Eligible |",
        "A: the father is eligible, the mother is not\nB: she is not, he is eligible",
        "They would be eligible for B if they were older.",
        "They qualify only for A.",
        "A: nobody is eligible\nB: no member qualifies",
        "A: too rich to be eligible\nB: used to be eligible",
        "A: 0 of 3 met\nB: almost qualifies",
        "A: adults are eligible, children are not\nB: eligible members: 0",
    ],
)
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
        ('The user said "no" to that. {"ready": true}', True),
        ('[1] {"ready": false} was a draft. {"ready": true}', True),
        ("Yes, because no income was told.", True),
        ("No. Yes would be too early.", False),
        ("Let me see. The user said no.\n\nAnswer: Yes", True),
        ('{"ready": true', True),
        ("maybe not", None),
        ("I am ready", True),
        ("I'm not ready yet", False),
        ('{"ready": "not yet"}', False),
        ('{"is_ready": false, "why": "x"}', False),
        ('{"ready": ', None),
        ("It would be true if we knew the age. So: False", False),
        ("No further questions are needed. I am ready.", True),
        ("Is more needed? No.", None),
        ("Ready? No, the income is missing.", False),
        ("I don't think I am ready", False),
        ("Once I know the age I am ready", None),
        ("I am ready to ask the next question.", None),
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
        (KeyType("int"), "2k", 2000),
        (KeyType("int"), "$1.2 million", 1_200_000),
        (KeyType("int"), "-5", -5),
        (KeyType("int"), "minus 5", -5),
        (KeyType("int"), "\u22125", -5),
        (KeyType("float"), "1,5", 1.5),
        (KeyType("float"), "1,500.50", 1500.5),
        (KeyType("int"), "1,50,3", NOTHING),
        (KeyType("int"), "2nd", NOTHING),
        (KeyType("int"), "$2,000/month", 2000),
        (KeyType("int"), '{"value": 3} is wrong: {"value": 4}', 4),
        (KeyType("int"), '{"reason": "2 jobs", "value": 4}', 4),
        (KeyType("int"), '{"value": {"amount": 24000, "currency": "USD"}}', 24000),
        (KeyType("int"), '{"value": [3, 4]}', NOTHING),
        (
            KeyType("choice", ("New York City", "New Jersey")),
            "They live in New Jersey.",
            "New Jersey",
        ),
        (KeyType("choice", ("own", "rent")), "They may own or rent.", NOTHING),
        (KeyType("choice", ("male", "female")), "female", "female"),
        (KeyType("choice", ("yes", "no")), "Nope", "no"),
        (KeyType("choice", ("yes", "no")), "True", "yes"),
        (KeyType("int"), "one hundred and five", 105),
        (KeyType("int"), "twelve hundred dollars", 1200),
        (KeyType("int"), "a dozen", 12),
        (KeyType("int"), "half a million", NOTHING),
        (KeyType("int"), "no one", NOTHING),
        (KeyType("int"), "1.500 euros", 1500),
        (KeyType("float"), "1.234,56", 1234.56),
        (KeyType("float"), "0.125", 0.125),
        (KeyType("int"), "1\u202f200", 1200),
        (KeyType("int"), "not 30", NOTHING),
        (KeyType("int"), "more than thirty", NOTHING),
        (KeyType("int"), "under $18", NOTHING),
        (KeyType("int"), "65+", NOTHING),
        (KeyType("int"), "18 or over", NOTHING),
        (KeyType("int"), "He is 18, over a year now", 18),
        (KeyType("choice", ("yes", "no")), "Not yes", NOTHING),
        (KeyType("choice", ("yes", "no")), "no idea", NOTHING),
        (KeyType("choice", ("yes", "no")), "No, not now", "no"),
        (KeyType("choice", ("employed", "retired")), "not employed", NOTHING),
        (KeyType("choice", ("employed", "retired")), "He isn't retired", NOTHING),
        (KeyType("choice", ("employed", "self-employed")), "Self employed", "self-employed"),
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


@pytest.mark.parametrize(
    "reply",
    [
        "<think>They rent, aged 40</think>Yes.",
        "They rent, aged 40\n</think>\n\nYes.",
        "<thinking>They rent, aged 40</thinking>\nYes.",
        "<think>They rent</think>\n<think>aged 40</think>Yes.",
        "[THINK]They rent, aged 40[/THINK]Yes.",
        "\u25c1think\u25b7They rent, aged 40\u25c1/think\u25b7Yes.",
        "<|START_THINKING|>They rent<|END_THINKING|><|START_RESPONSE|>Yes.<|END_RESPONSE|>",
        "<|channel|>analysis<|message|>They rent, aged 40<|end|>"
        "<|start|>assistant<|channel|>final<|message|>Yes.<|return|>",
        "<|channel|>analysis<|message|>They rent, aged 40<|end|><|start|>assistant"
        "<|channel|>final <|constrain|>json<|message|>Yes.",
        "analysisThey rent, aged 40. We say yes.assistantfinalYes.",
        "<|channel>thought\nThey rent, aged 40\n<channel|>Yes.<turn|>",
        "Here is my thought process: They rent, aged 40.\nHere is my response: Yes.",
        "<|im_start|>assistant\nYes.<|im_end|>\n<|im_start|>user\nThey rent, aged 40",
        "Yes.</s>",
        "They rent.</think>aged 40</think>Yes.",
        "<think>They <think>rent</think>, aged 40</think>Yes.",
        '<think duration="3">They rent</think>Yes.',
        "&lt;think&gt;They rent, aged 40&lt;/think&gt;Yes.",
        "<|begin_of_thought|>They rent<|end_of_thought|><|begin_of_solution|>Yes.",
        "<inner_monologue>They rent</inner_monologue><answer>Yes.</answer>",
        '<details type="reasoning"><summary>2 s</summary>They rent</details>\nYes.',
        "<unused94>thought\nThey rent, aged 40<unused95>Yes.",
        "```thinking\nThey rent, aged 40\n```\nYes.",
        "**Thinking:** They rent, aged 40\n\n**Answer:** Yes.",
        "<|start_of_role|>assistant<|end_of_role|>Yes.<|end_of_text|>",
        "[INST]They rent[/INST]Yes.",
        "(thinking: they rent, aged 40)\nYes.",
        "*Thinks: they rent*\n\nYes.",
        "Thinking...\nThey rent.\n...done thinking.\n\nYes.",
    ],
)
def test_reasoning_and_marks_of_templates_never_leave_the_border(reply):
    assert final_text(reply) == "Yes."


@pytest.mark.parametrize(
    "reply",
    [
        "<think>They rent, aged 40",
        "<|channel|>analysis<|message|>They rent, aged 40",
        "analysisThey rent, aged 40",
        "<|channel>thought\nThey rent, aged 40",
        "<think>They rent</think>",
        "<unused94>thought\nThey rent",
        "```thinking\nThey rent",
        "",
    ],
)
def test_a_reply_that_is_reasoning_only_is_empty(reply):
    assert final_text(reply) == ""


def test_a_reply_without_reasoning_stays_as_written():
    text = "I analyse a < b and think: [1, 2] <b>3</b>\n\n  indented"
    assert final_text(text) == text


PROGRAM = "def check(hh):\n    return True\n"


@pytest.mark.parametrize(
    "reply",
    [
        f"```python\n{PROGRAM}```",
        f"```Python\n{PROGRAM}```\nDone.",
        f"```\n{PROGRAM}",
        f"~~~python\n{PROGRAM}~~~",
        f"First an example:\n```json\n{{}}\n```\nNow the code:\n```py\n{PROGRAM}```",
        f"Draft:\n```python\ndef check(hh): pass\n```\nFinal:\n```python\n{PROGRAM}```",
        f"Usage:\n```python\n{PROGRAM}```\nCall it so:\n```python\ncheck(hh)\n```",
        f"````python\n{PROGRAM}````",
        f"```python3.11\n{PROGRAM}```",
        f"```{{.python}}\n{PROGRAM}```",
        "> ```python\n> def check(hh):\n>     return True\n> ```",
        "1. Code:\n   ```python\n   def check(hh):\n       return True\n   ```",
        f"Here is the program:\n\n{PROGRAM}\nThis program checks the rule.",
        f"[PYTHON]\n{PROGRAM}[/PYTHON]",
        final_text(f"<|python_start|>{PROGRAM}<|python_end|>"),
        json.dumps({"code": PROGRAM}),
        PROGRAM,
    ],
)
def test_the_program_is_the_last_fence_that_defines_something(reply):
    assert code_in(reply) == PROGRAM


def test_numbers_are_read_with_their_scale():
    assert read_numbers("between $1,200 and 2.5k") == {1200, 2500}
    assert read_numbers("5-10") == {5, 10}
    assert read_numbers("B-52 or 3x") == set()


def test_spaced_and_hyphenated_names_are_the_program():
    reply = "Fair Fares NYC: yes\n- **EITC** (federal): no"
    assert read_verdicts(reply, ["FairFaresNYC", "EITC"]) == {"FairFaresNYC": True, "EITC": False}


def test_of_names_that_hold_one_another_the_longer_is_meant():
    reply = "Head Start: no\nEarly Head Start: yes"
    assert read_verdicts(reply, ["HeadStart", "EarlyHeadStart"]) == {
        "HeadStart": False,
        "EarlyHeadStart": True,
    }
