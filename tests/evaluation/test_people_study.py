"""The study with people: a person at the terminal plays whole sessions; workload is compared."""

import csv
import json
import random

import click
import pytest
from click.testing import CliRunner

from benyfits_data.cli.main import main
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.planned import load_rows
from benyfits_data.evaluation.recorded import unpack
from benyfits_data.evaluation.results.runs import find_logs, read_runs
from benyfits_data.evaluation.studies.people_sessions import (
    COLUMNS,
    SCALES,
    hold_study,
    plan_sessions,
    read_study,
    workload_tables,
)

RATINGS = "35\n" * len(SCALES)


@pytest.fixture(scope="module")
def rows():
    return load_rows(unpack("diverse"))


def _line(participant, agent, rating, position=1):
    told = {"participant": participant, "position": position, "agent": agent}
    return (
        dict.fromkeys(COLUMNS, "")
        | {key: str(it) for key, it in told.items()}
        | {name: str(rating) for name in SCALES}
    )


@pytest.mark.slow
def test_orders_of_agents_are_balanced_over_participants(rows):
    finished, firsts = [], []
    for number in range(1, 7):
        plan = plan_sessions(str(number), rows, ["a", "b", "c"], 2, finished)
        firsts.append(plan[0].agent)
        assert sorted(it.agent for it in plan) == ["a", "a", "b", "b", "c", "c"]
        assert len({it.household for it in plan}) == 6
        finished.append(_line(str(number), plan[0].agent, 50))
    assert sorted(firsts) == ["a", "a", "b", "b", "c", "c"]
    again = plan_sessions("2", rows, ["a", "b", "c"], 2, finished)
    assert again == plan_sessions("2", rows, ["a", "b", "c"], 2, finished[:1])


@pytest.mark.slow
def test_a_name_and_too_few_households_are_refused(rows):
    with pytest.raises(EvaluationError, match="no name"):
        plan_sessions("Ana María", rows, ["a"], 1, [])
    with pytest.raises(EvaluationError, match="need 4 households; the set has 3"):
        plan_sessions("1", rows[:3], ["a", "b"], 2, [])


def _hold(plan, path, play, typed):
    """Hold a study whose participant types some lines; return what the command returns."""
    command = click.command()(lambda: click.echo(f"held {hold_study(plan, path, play)}"))
    return CliRunner().invoke(command, input=typed)


@pytest.mark.slow
def test_a_stopped_study_goes_on_after_the_last_finished_dialog(rows, tmp_path):
    plan = plan_sessions("7", rows, ["a", "b"], 1, [])
    path, played = tmp_path / "study.csv", []

    def stop(session):
        played.append(session.position)
        if session.position == 2 and played.count(2) == 1:
            raise KeyboardInterrupt
        return "logs/x"

    form = RATINGS + 'a "good", one\n'
    assert _hold(plan, path, stop, "n\n").exit_code == 1
    assert played == []
    assert _hold(plan, path, stop, "y\n" + form).exit_code == 1
    assert [line["position"] for line in read_study(path)] == ["1"]
    again = _hold(plan, path, stop, "y\n120\n" + form)
    assert "held 1" in again.stdout
    assert "not in the range 0<=x<=100" in again.output
    assert played == [1, 2, 2]
    assert [line["remarks"] for line in read_study(path)] == ['a "good", one'] * 2


@pytest.mark.slow
@pytest.mark.parametrize(("agents", "said"), [("proada,direct", "--model"), ("proda", "proada")])
def test_agents_that_could_not_play_are_refused_before_anybody_consents(agents, said, tmp_path):
    told = ["study", "people", "--participant", "1", "--output", str(tmp_path), "--agents", agents]
    result = CliRunner().invoke(main, told)
    assert result.exit_code == 1
    assert said in result.output
    assert "agree" not in result.output


def test_another_file_is_not_taken_for_a_study(tmp_path):
    (tmp_path / "study.csv").write_text("name,age\nAna,40\n")
    with pytest.raises(EvaluationError, match="no study"):
        read_study(tmp_path / "study.csv")


def test_workload_is_compared_within_participants():
    chance = random.Random(0)
    lines = []
    for number in range(12):
        base = chance.randint(20, 60)
        lines += [_line(str(number), "easy", base), _line(str(number), "hard", base + 15, 2)]
    workload, compared = workload_tables(lines)
    assert [row[:3] for row in workload.rows] == [("easy", "12", "12"), ("hard", "12", "12")]
    [(agents, people, difference, p)] = compared.rows
    assert (agents, people, difference) == ("hard - easy", "12", "+15.0")
    assert float(p) < 0.01
    same = [{**line, "agent": "easy" if line["agent"] == "hard" else "hard"} for line in lines[::4]]
    assert len(workload_tables([*lines[::4], *same])) == 2


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["proada", "human"])
def test_a_person_holds_a_whole_session(agent, tmp_path, monkeypatch):
    """The person speaks for a household, or asks for one as the human baseline."""
    monkeypatch.chdir(tmp_path)
    shortest = min(
        unpack("diverse").read_text().splitlines(), key=lambda row: len(json.loads(row)["programs"])
    )
    (tmp_path / "one.jsonl").write_text(shortest + "\n")
    asked = []

    def type_line(text, **settings):
        if "type" in settings:
            return 55
        asked.append(text)
        if agent == "human":
            return "How old are you?" if len(asked) == 1 else "y" if "(y/n)" in text else ""
        return "40" if "How old" in text or "How many" in text else "No."

    monkeypatch.setattr(click, "prompt", type_line)
    words = ["study", "people", "--participant", "1", "--agents", agent, "--dataset", "one.jsonl"]
    result = CliRunner().invoke(main, words, input="y\n", catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert len(asked) > 2
    with (tmp_path / "study" / "study.csv").open() as file:
        [line] = csv.DictReader(file)
    assert line["agent"] == agent
    assert {line[name] for name in SCALES} == {"55"}
    [run] = read_runs(find_logs([tmp_path / "study"]))
    assert len(run.dialogs) == 1
    assert run.roles["user"] == ("reference" if agent == "human" else "human")
    shown = CliRunner().invoke(main, ["results", "study"], catch_exceptions=False)
    assert "Workload of people" in shown.output
