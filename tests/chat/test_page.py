"""The page in a real browser: a resident, a study, two at once, an agent that dies, a phone."""

import json
import re
import socket
from contextlib import suppress
from itertools import count

import pytest

from benyfits_data.chat.study import FILE, Study
from benyfits_data.dataset import read_rows
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.planned import load_rows
from benyfits_data.evaluation.results.runs import find_logs, read_runs
from benyfits_data.evaluation.run_options import Options
from benyfits_data.recorded import unpack
from tests.commands import invoke
from tests.site.small_site import BROWSER, start_browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("chat"),
    pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed"),
]
MOVED = """before => document.querySelector('details')
    || (document.querySelector('#progress')?.innerText ?? before) !== before"""
PHONE = {"width": 390, "height": 844}
AGENTS = "tests.chat.agents:AsksOnce", "tests.chat.agents:Dies"


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def serve_page(port, desk=None):
    """Serve the page; only here its web framework is loaded, which takes seconds."""
    from benyfits_data.chat.page import Desk, serve

    serve(desk or Desk(2026), port, block=False)


@pytest.fixture(scope="module")
def browser():
    with start_browser() as started:
        yield started


class Person:
    """Somebody at a page of their own."""

    def __init__(self, browser, port, **settings):
        self.page = browser.new_context(**settings).new_page()
        self.complaints, self.elsewhere = [], []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._note(request.url))
        self.page.goto(f"http://127.0.0.1:{port}/")
        self.page.set_default_timeout(120_000)

    def _note(self, url):
        if not re.match(r"(https?://127\.0\.0\.1[:/]|data:|blob:)", url):
            self.elsewhere.append(url)

    def click(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def wait(self, text):
        self.page.get_by_text(text).first.wait_for()

    def answer(self, **answers):
        """Answer the question that is shown, until something else is shown."""
        before = self.progress
        while self.progress == before and not self.is_done:
            # A page that changes between two looks is looked at again.
            from playwright.sync_api import TimeoutError

            with suppress(TimeoutError):
                self._type(answers)
                self.page.wait_for_function(MOVED, arg=before, timeout=5_000)

    def _type(self, answers):
        for name in ("number", "text"):
            field = self.page.locator(f"#{name} input, #{name} textarea").first
            if field.is_visible():
                field.fill(answers.get(name, "1"), timeout=2_000)
                break
        else:
            self.page.locator("#choice label").nth(answers.get("choice", 0)).click(timeout=2_000)
        self.page.get_by_role("button", name="Answer", exact=True).click(timeout=2_000)

    @property
    def progress(self):
        # One look: between two, the page may have moved on.
        return self.page.evaluate("document.querySelector('#progress')?.innerText ?? ''")

    @property
    def is_done(self):
        return self.page.locator("details").count() > 0


def test_a_resident_answers_reloads_goes_back_and_reads_why(browser):
    port = free_port()
    serve_page(port)
    person = Person(browser, port, viewport=PHONE)
    person.page.get_by_label("Food").check()
    person.click("Begin")
    person.wait("0 of 2 programs decided")
    person.answer(number="1")
    person.wait("1 questions answered")
    person.page.reload()
    person.wait("1 questions answered")
    person.click("Back")
    person.wait("0 questions answered")
    for step in count():
        assert step < 20
        if person.is_done:
            break
        person.answer(number="3" if step else "1")
    summaries = person.page.locator("summary:has(b)").all_inner_texts()
    assert sorted(text.split()[0] for text in summaries) == ["No", "Yes"]
    person.page.locator("summary").first.click()
    person.wait("It follows from these answers alone:")
    person.wait("The text of the rules")
    person.wait("This is no legal advice")
    width = person.page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    assert (person.complaints, person.elsewhere) == ([], [])


def desk_of(folder, agents):
    from benyfits_data.chat.page import Desk

    run = Options(roles=choose_roles(dialog="reference"), total=250)
    rows = load_rows(unpack("representative"))
    return Desk(2026, run, "representative", rows, Study(folder, agents))


def begin(person, number):
    person.page.get_by_label("Your number").fill(number)
    person.page.get_by_label("I agree").check()
    person.page.get_by_label("Speak for a made-up one").check()
    person.click("Begin")


def rate(person):
    person.click("Rate the dialog")
    person.wait("How accurate were the answers?")
    for choice in person.page.get_by_role("radio", name="4").all():
        if choice.is_visible():
            choice.check()
    person.click("Keep these ratings")


def test_two_participants_at_once_reload_rate_and_leave_logs(browser, tmp_path):
    port = free_port()
    serve_page(port, desk_of(tmp_path, [AGENTS[0], "planner"]))
    first, second = (Person(browser, port) for _ in "12")
    first.click("Begin")
    first.wait("Please agree first")
    begin(first, "1")
    begin(second, "2")
    first.wait("Do you rent your home?")
    second.wait("Question 1 about")
    first.page.reload()
    first.wait("Do you rent your home?")
    first.answer(text="yes")
    rate(first)
    first.wait("Thank you. 1 more to go")
    (line,) = (json.loads(text) for text in (tmp_path / FILE).read_text().splitlines())
    assert (line["participant"], line["agent"], line["turns"]) == ("1", AGENTS[0], 1)
    assert (line["accuracy"], line["workload"]["mental"]) == (4, 4)
    assert set(line["verdicts"].values()) == {True}
    (run,) = read_runs(find_logs([tmp_path / line["logs"]]))
    (dialog,) = run.dialogs
    assert dialog.roles == {"user": "human"}
    labels = {row.id: row.eligible for row in read_rows(unpack("representative"))}
    assert dialog.labels == labels[line["household"]]


def test_a_participant_speaks_for_their_own_household(browser, tmp_path):
    port = free_port()
    serve_page(port, desk_of(tmp_path, AGENTS[:1]))
    person = Person(browser, port)
    person.page.get_by_label("Your number").fill("7")
    person.page.get_by_label("I agree").check()
    person.click("Begin")
    person.wait("Please choose 5 programs; 0 are chosen.")
    box = person.page.get_by_label("Choose 5 programs")
    for title in ("Fair Fares", "Head Start", "Lifeline", "Homebase", "IDNYC"):
        box.fill(title)
        box.press("Enter")
    person.click("Begin")
    person.wait("Do you rent your home?")
    person.answer(text="No.")
    rate(person)
    person.wait("That was all")
    (line,) = (json.loads(text) for text in (tmp_path / FILE).read_text().splitlines())
    assert (line["household"], len(line["programs"])) == ("own", 5)
    assert set(line["verdicts"].values()) == {False}
    (run,) = read_runs(find_logs([tmp_path / line["logs"]]))
    assert run.dialogs[0].labels == {}
    # Nobody knows what is right of it: it is rated, and counts in no score.
    shown = invoke("results", str(tmp_path)).stdout
    assert shown.startswith("Workload of people")
    assert "75.0 [-, -]" in shown


def test_an_agent_whose_model_dies_is_said_and_nothing_is_lost(browser, tmp_path):
    port = free_port()
    serve_page(port, desk_of(tmp_path, AGENTS[1:]))
    person = Person(browser, port)
    begin(person, "3")
    person.wait("How are you?")
    person.answer(text="Well.")
    person.wait("The agent could not go on: the server is down")
    person.wait("Your number")
    assert not (tmp_path / FILE).exists()


def test_a_port_in_use_is_said():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(EvaluationError, match=f"Port {port} of 127.0.0.1 is in use"):
            serve_page(port)
