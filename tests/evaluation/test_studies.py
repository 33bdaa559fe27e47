"""The studies: readers of answers and users."""

import json
from math import sqrt

import pytest
from click.testing import CliRunner

from benyfits_data.cli.cmd_study import command
from benyfits_data.errors import OutputExistsError
from benyfits_data.evaluation.planned import load_rows
from benyfits_data.evaluation.reading import NOT_UNDERSTOOD, DialogReading
from benyfits_data.evaluation.record import VERDICTS
from benyfits_data.evaluation.run_options import Options
from benyfits_data.evaluation.studies import answer_reading, share, user_answers, write_result
from benyfits_data.recorded import unpack
from benyfits_data.understanding.typed import NOTHING


@pytest.fixture(scope="module")
def dataset():
    return unpack("representative")


@pytest.fixture(scope="module")
def rows(dataset):
    return load_rows(dataset)


def invoke(*words):
    result = CliRunner().invoke(command, list(map(str, words)))
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_seventeen_answers_for_each_of_six_kinds_of_keys_are_read():
    items = answer_reading.load_items()
    kinds = {item.kind for item in items}
    assert len(kinds) == 6
    assert [sum(item.kind == kind for item in items) for kind in kinds] == [17] * 6
    assert len({item.answer for item in items}) >= 100
    assert sum(item.value is NOTHING for item in items) == 18
    for item in (item for item in items if item.value is not NOTHING):
        key = item.need.kind
        is_value = item.value in key.values if key.values else isinstance(item.value, int)
        assert is_value or (item.value is None and key.is_optional), item


@pytest.mark.parametrize(
    ("value", "found", "outcome"),
    [
        (34, 34, "right"),
        (None, None, "right"),
        (NOTHING, NOTHING, "right"),
        (34, 43, "wrong"),
        (None, 0, "wrong"),
        (34, NOTHING, "missed"),
        (NOTHING, None, "invented"),
    ],
)
def test_what_is_read_is_right_wrong_missed_or_invented(value, found, outcome):
    assert answer_reading.outcome_of(value, found) == outcome


def test_the_reference_reader_reads_values_alone_and_refuses_none(tmp_path):
    path = tmp_path / "answers.json"
    table = {row["answers"]: row for row in invoke("answers", "--output", path, "--json")}
    assert table["all"]["n"] == 102
    assert table["the value alone"]["right %"] == table["not known"]["right %"] == 100
    told = json.loads(path.read_text())
    assert told["reader"] == {"model": "reference"}
    (odd,) = (
        it for it in told["trials"] if it["answer"] == "I made $1,500 each month of the year."
    )
    assert (odd["value"], odd["read"], odd["outcome"]) == ("18000", "NOTHING", "missed")


@pytest.mark.slow
def test_questions_are_drawn_by_seed_some_about_each_household(rows):
    asked = user_answers.draw_questions(rows, 23, 0)
    again = user_answers.draw_questions(rows, 23, 0)
    others = user_answers.draw_questions(rows, 23, 1)
    assert [it.question for it in asked] == [it.question for it in again]
    assert [it.question for it in asked] != [it.question for it in others]
    assert len(asked) == len({it.id for it in asked}) == 23
    assert len({it.row.id for it in asked}) == 5
    assert {it.question for it in asked} & set(user_answers.GENERAL)


@pytest.mark.slow
def test_the_reference_user_is_judged_faithful(tmp_path, dataset):
    path = tmp_path / "user.json"
    words = ["user", "--dataset", dataset, "--answers", 60]
    rows = invoke(*words, "--output", path, "--json")
    assert [row["verdict"] for row in rows] == list(VERDICTS)
    # Without a reader, questions in other words than ours stay open; none is answered wrongly.
    assert rows[0]["share %"] > 70
    assert [row["answers"] for row in rows if row["verdict"] in ("unfaithful", "not_read")] == [
        0,
        0,
    ]
    assert len(json.loads(path.read_text())["answers"]) == 60


@pytest.mark.slow
def test_a_user_who_tells_nothing_is_not_faithful(rows, monkeypatch):
    async def decline(self, question, turns):
        return NOT_UNDERSTOOD

    monkeypatch.setattr(DialogReading, "answer", decline)
    answered = user_answers.answer_questions(rows, 10, Options())
    assert {answer["verdict"] for answer in answered} == {"nothing_claimed"}


def test_only_results_of_studies_are_replaced(tmp_path):
    write_result(tmp_path / "new.json", "user", {"answers": []})
    write_result(tmp_path / "new.json", "user", {"answers": []})
    (tmp_path / "notes.json").write_text('{"mine": 1}')
    with pytest.raises(OutputExistsError, match="no result of a study"):
        write_result(tmp_path / "notes.json", "user", {})


def test_shares_have_wilson_intervals():
    # (k + z^2 / 2) / (n + z^2), plus and minus z / (n + z^2) sqrt(k (n - k) / n + z^2 / 4).
    k, n, z = 60, 61, 1.959964
    middle, half = (k + z**2 / 2) / (n + z**2), z / (n + z**2) * sqrt(k * (n - k) / n + z**2 / 4)
    expected = (100 * k / n, 100 * (middle - half), 100 * (middle + half))
    assert share(k, n) == pytest.approx(expected, abs=1e-4)
