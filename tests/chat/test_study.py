"""A study of people: who meets which agent, what is kept, what is made of it."""

import json
from dataclasses import asdict

import pytest

from benyfits_data.chat.study import (
    FILE,
    SCALES,
    Study,
    StudyDialog,
    forget,
    read_study,
    workload_tables,
)
from benyfits_data.errors import EvaluationError


def rated(participant, agent, points, **more):
    settings = {"household": "own", "programs": ["ThreeK"], "verdicts": {"ThreeK": True}} | more
    return StudyDialog(
        participant, 1, "a>b", agent, turns=3, facts_asked=4, accuracy=points,
        workload=dict.fromkeys(SCALES, points), **settings,
    )  # fmt: skip


def test_every_agent_is_met_first_equally_often(tmp_path):
    study = Study(tmp_path / "study", ["a", "b", "c"])
    orders = [study.order(str(number)) for number in range(6)]
    assert [sorted(order) for order in orders] == [["a", "b", "c"]] * 6
    assert [order[0] for order in orders] == ["a", "b", "c"] * 2
    assert study.order("1") == orders[1]


def test_a_study_of_other_agents_and_a_name_are_refused(tmp_path):
    Study(tmp_path, ["a", "b"])
    with pytest.raises(EvaluationError, match="is a study of a,b, not of a,c"):
        Study(tmp_path, ["a", "c"])
    with pytest.raises(EvaluationError, match="'Ann Lee' is no participant's number"):
        Study(tmp_path, ["a", "b"]).order("Ann Lee")


def test_what_a_participant_left_is_kept_counted_and_forgotten(tmp_path):
    study = Study(tmp_path, ["a", "b"])
    logs = tmp_path / "logs" / "1-1"
    logs.mkdir(parents=True)
    study.add(rated("1", "a", 2, logs="logs/1-1"))
    study.add(rated("2", "a", 4))
    assert (study.held("1"), study.held("3")) == (1, 0)
    assert forget(tmp_path, "1") == 1
    assert [one["participant"] for one in read_study(tmp_path / FILE)] == ["2"]
    assert not logs.exists()


def test_a_line_that_is_no_dialog_is_named(tmp_path):
    Study(tmp_path, ["a"]).add(rated("1", "a", 2))
    with (tmp_path / FILE).open("a") as file:
        file.write('{"participant": "2"}\n')
    with pytest.raises(EvaluationError, match=r"dialogs.jsonl:2 is no dialog of a study"):
        read_study(tmp_path / FILE)


def test_workload_is_on_a_hundred_points_and_compared_within_participants():
    dialogs = [
        asdict(rated(who, agent, points))
        for who, low in (("1", 1), ("2", 2), ("3", 1))
        for agent, points in (("a", low), ("b", low + 2))
    ]
    workload, compared = workload_tables(dialogs)
    first = dict(zip(workload.header, workload.rows[0], strict=True))
    assert (first["agent"], first["participants"], first["turns"]) == ("a", "3", "3.0")
    assert first["workload"].startswith("8.3 [0.0, ")
    assert compared.rows[0][:3] == ("b - a", "3", "+50.0")
    assert json.dumps(dialogs)
