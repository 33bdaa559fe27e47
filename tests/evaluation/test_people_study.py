"""The study with people: a real browser plays whole sessions; workload is compared."""

import csv
import json
import random
import re
import shutil
import threading
import time
import urllib.error
import urllib.request

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
from benyfits_data.evaluation.studies.study_page import Request, StudyEndedError, StudyPage

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def rows():
    return load_rows(unpack("diverse"))


@pytest.fixture
def page():
    shown = StudyPage()
    yield shown
    shown.close()


def _post(page, reply, number):
    address = page.address.replace("/?", "/reply?")
    body = json.dumps({"number": number, "reply": reply}).encode()
    with urllib.request.urlopen(address, body) as answer:
        return json.load(answer)["taken"]


def _state(page):
    with urllib.request.urlopen(page.address.replace("/?", "/state?")) as answer:
        return json.load(answer)


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


def test_nobody_without_the_token_and_no_second_reply_gets_through(page):
    replies = []
    asker = threading.Thread(target=lambda: replies.append(page.read("How old are you?")))
    asker.start()
    while _state(page)["request"] is None:
        time.sleep(0.01)
    for address in (page.address.split("?")[0], page.address + "x"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(address)
    assert not _post(page, "early", _state(page)["number"] - 1)
    assert _post(page, "I am 40.", _state(page)["number"])
    asker.join()
    assert replies == ["I am 40."]
    assert not _post(page, "late", _state(page)["number"])
    assert _state(page)["shown"] == ["How old are you?", "> I am 40."]
    assert page.address.startswith("http://127.0.0.1:")


def test_who_waits_is_told_that_the_study_ended():
    page, ended = StudyPage(), []

    def ask():
        with pytest.raises(StudyEndedError) as error:
            page.ask(Request("line", "?"))
        ended.append(error)

    asker = threading.Thread(target=ask)
    asker.start()
    while _state(page)["request"] is None:
        time.sleep(0.01)
    page.close()
    asker.join()
    assert ended


@pytest.mark.slow
def test_a_stopped_study_goes_on_after_the_last_finished_dialog(rows, page, tmp_path):
    plan = plan_sessions("7", rows, ["a", "b"], 1, [])
    path, played = tmp_path / "study.csv", []

    def answer():
        while True:
            time.sleep(0.01)
            try:
                state = _state(page)
            except OSError:  # The page was closed.
                return
            asked = state["request"]
            if asked is None:
                continue
            if asked["kind"] == "done":
                return
            form = dict.fromkeys(SCALES, 35) | {"remarks": 'a "good", one'}
            _post(page, form if asked["kind"] == "form" else True, state["number"])

    def stop(session):
        played.append(session.position)
        if session.position == 2 and played.count(2) == 1:
            raise KeyboardInterrupt
        return "logs/x"

    threading.Thread(target=answer, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        hold_study(plan, page, path, stop)
    assert [line["position"] for line in read_study(path)] == ["1"]
    assert hold_study(plan, page, path, stop) == 1
    assert played == [1, 2, 2]
    assert [line["remarks"] for line in read_study(path)] == ['a "good", one'] * 2


@pytest.mark.slow
@pytest.mark.parametrize(("agents", "said"), [("proada,direct", "--model"), ("proda", "proada")])
def test_agents_that_could_not_play_are_refused_before_anybody_consents(agents, said, tmp_path):
    told = ["study", "people", "--participant", "1", "--output", str(tmp_path), "--agents", agents]
    result = CliRunner().invoke(main, told)
    assert result.exit_code == 1
    assert said in result.output
    assert "Open http" not in result.output


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
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_a_question_that_was_answered_does_not_come_back(page, monkeypatch):
    from playwright.sync_api import sync_playwright

    polled, answered = [], threading.Event()
    take, state = page._take, page._state

    def take_after_three_polls(number, reply):
        answered.set()
        while len(polled) < 3:
            time.sleep(0.01)
        return take(number, reply)

    def count_polls():
        if answered.is_set():
            polled.append(1)
        return state()

    monkeypatch.setattr(page, "_take", take_after_three_polls)
    monkeypatch.setattr(page, "_state", count_polls)
    asker = threading.Thread(target=page.read, args=("How old are you?",), daemon=True)
    asker.start()
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        seen = browser.new_page()
        seen.goto(page.address)
        seen.fill("#line", "40")
        seen.evaluate(
            "new MutationObserver(() => { if (document.getElementById('asked')) back = true; })"
            ".observe(document.getElementById('form'), {childList: true}); var back = false;"
        )
        seen.click("#form button")
        asker.join()
        assert not seen.evaluate("back")
        browser.close()


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("agent", ["proada", "human"])
def test_a_person_holds_a_whole_session_in_a_browser(agent, tmp_path, monkeypatch):
    """The person speaks for a household, or asks for one as the human baseline."""
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    monkeypatch.chdir(tmp_path)
    small = unpack("diverse")
    shortest = min(small.read_text().splitlines(), key=lambda it: len(json.loads(it)["programs"]))
    (tmp_path / "one.jsonl").write_text(shortest + "\n")
    opened = threading.Event()
    pages, problems = [], []
    made = StudyPage.__init__

    def remember(self):
        made(self)
        pages.append(self)
        opened.set()

    monkeypatch.setattr(StudyPage, "__init__", remember)

    def take_part(page):
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(pages[0].address)
        page.click("text=I take part")
        asked = 0
        while True:
            page.wait_for_selector("#form:not([data-kind='']) #asked")
            kind = page.get_attribute("#form", "data-kind")
            if kind == "done":
                return
            if kind == "line":
                asked += 1
                if asked == 1:
                    problems.extend(it["id"] for it in Axe().run(page).response["violations"])
                text = page.inner_text("#asked")
                if agent == "human":
                    is_first = asked == 1
                    reply = "How old are you?" if is_first else "y" if "(y/n)" in text else ""
                else:
                    reply = "40" if re.search("How old|How many", text) else "No."
                page.fill("#line", reply)
            else:
                for name in SCALES:
                    page.focus(f"#field-{name}")
                    page.keyboard.press("ArrowRight")
                page.fill("#field-remarks", "It went well.")
            page.click("#form button")

    def person():
        opened.wait()
        try:
            with sync_playwright() as player:
                browser = player.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
                take_part(browser.new_page())
                browser.close()
        except Exception as error:  # The session would wait for its person for ever.
            problems.append(repr(error))
            pages[0].close()

    thread = threading.Thread(target=person)
    thread.start()
    told = ["study", "people", "--participant", "1", "--agents", agent, "--dataset", "one.jsonl"]
    result = CliRunner().invoke(main, told, catch_exceptions=False)
    thread.join(30)
    assert problems == []
    assert result.exit_code == 0, result.output
    with (tmp_path / "study" / "study.csv").open() as file:
        [line] = csv.DictReader(file)
    assert line["agent"] == agent
    assert {line[name] for name in SCALES} == {"55"}
    [run] = read_runs(find_logs([tmp_path / "study"]))
    assert len(run.dialogs) == 1
    assert run.roles["user"] == ("reference" if agent == "human" else "human")
    shown = CliRunner().invoke(main, ["results", "study"], catch_exceptions=False)
    assert "Workload of people" in shown.output
