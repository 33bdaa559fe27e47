"""A person at a terminal is screened: in plain words, back and forth, to proven verdicts."""

import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benyfits_data.cli.cmd_screen import command
from benyfits_data.editions import load_edition
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household, most_members
from benyfits_data.language.partial import Fact, household_facts
from benyfits_data.planner import OPENINGS, Question, facts_told
from benyfits_data.planner.simulation import simulate
from benyfits_data.population.synthesis import synthesize
from benyfits_data.screening.screen_session import (
    ScreenEntry,
    ScreenSession,
    screening_planner,
)
from benyfits_data.screening.screen_terminal import ask
from benyfits_data.understanding.canonical import read_question
from benyfits_data.understanding.query import evaluate
from benyfits_data.understanding.typed import TypedAnswer, read_people, read_typed

EDITION = 2026
FAMILY = Household.from_facts(
    {
        "members": [
            {"name": "Ana", "age": 38},
            {"name": "Maria", "age": 36, "relation": "spouse"},
            {"name": "Ben", "age": 7, "relation": "child"},
        ]
    },
    constrained=False,
)


class Terminal:
    """The command in a pseudo-terminal."""

    def __init__(self, *arguments: str, folder: Path) -> None:
        self._screen, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benyfits_data", "screen", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            start_new_session=True,
        )
        os.close(theirs)
        self.text = ""

    def read(self) -> str:
        """Return what was printed since the last time, up to the next prompt or the end."""
        start = len(self.text)
        while not self.text[start:].endswith("> "):
            assert select.select([self._screen], [], [], 120)[0], self.text[-2000:]
            try:
                piece = os.read(self._screen, 65536)
            except OSError:
                break
            if not piece:
                break
            self.text += piece.decode().replace("\r\n", "\n")
        return self.text[start:]

    def type(self, line: str) -> str:
        """Type a line; return what is printed then."""
        os.write(self._screen, (line + "\n").encode())
        return self.read().removeprefix(line + "\n")

    def close(self) -> int:
        """Return how the command ended."""
        os.close(self._screen)
        return self.process.wait(60)


def say(household: Household, printed: str) -> str:
    """Return what somebody who lives alone types after what was printed."""
    if "Is all of it right?" in printed or "Is that right?" in printed:
        return "yes"
    asked = " ".join(printed.split()).removesuffix(" >")
    asked = re.sub(r" [^?]* \.\.\. 1\. .*| \((yes: |or none).*", "", asked).rpartition(
        "programs settled] "
    )[2]
    queries = read_question(asked, household)
    assert queries is not None, printed
    value = evaluate(queries[0], household).answer
    feature = FEATURES.get(queries[0].fact or "")
    if feature is not None and feature.kind == "flag":
        return "yes" if value else "no"
    if feature is not None and feature.kind == "choice":
        return str(list(feature.choices).index(value) + 1)
    return "never" if value is None else str(value)


@pytest.mark.slow  # The others ask in this process.
def test_a_terminal_asks_and_can_be_left(tmp_path: Path) -> None:
    terminal = Terminal(folder=tmp_path)
    assert "no official decision" in " ".join(terminal.read().split())
    assert "It depends" in terminal.type("stop")
    assert terminal.close() == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_somebody_who_lives_alone_learns_every_verdict(tmp_path: Path) -> None:
    city = synthesize(60, 5, workers=1)
    alone = next(city.household(it) for it in range(60) if city.size[it] == 1)
    terminal = Terminal("--output", "mine.json", folder=tmp_path)
    printed = terminal.read()
    assert "no official decision" in " ".join(printed.split())
    for _ in range(120):
        if not printed.endswith("> "):
            break
        if "How many people" in printed:
            printed = terminal.type("1")
            continue
        if printed.strip().startswith("How old are you?"):
            printed = terminal.type(str(alone.members[0].age))
            continue
        printed = terminal.type(say(alone, printed))
    assert terminal.close() == 0
    saved = json.loads((tmp_path / "mine.json").read_text())
    edition = load_edition(EDITION)
    assert saved["verdicts"] == {name: edition.program(name).is_eligible(alone) for name in edition}
    assert "You may claim" in terminal.text
    assert "Probably not" not in terminal.text


def screen(*lines: str, save: Path | None = None) -> str:
    """Return what is printed to somebody who types these lines and goes."""
    told = CliRunner().invoke(
        command, ["--output", str(save)] if save else [], input="\n".join(lines) + "\n"
    )
    assert told.exit_code == 0, told.output
    return " ".join(told.output.split())


@pytest.mark.slow
def test_a_family_asks_back_takes_back_and_stops() -> None:
    family = ("3", "38", "Maria", "spouse", "36", "Ben", "child", "7")
    told = screen(*family, "why", "purple", "2", "back", "1", "I don't know", "stop")
    assert "It may settle:" in told
    assert "I did not understand that. I expect one of the lines above" in told
    assert "Back to the question before." in told
    assert "It depends (" in told
    assert "The answer that would settle most:" in told
    assert "Nothing was kept." in told
    assert "outside New York City. Probably" not in told


@pytest.mark.slow
def test_a_command_among_the_people_asks_the_same_again() -> None:
    leo, ben = ("Leo", "spouse", "why", "45"), ("Ben", "child", "7")
    printed = screen("3", "44", *leo, *ben, "stop")
    assert printed.count("How many people") == 1
    assert printed.count("How old is Leo?") == 2
    assert printed.index("name of person 3?") > printed.rindex("How old is Leo?")


@pytest.mark.slow
def test_what_is_not_plain_is_asked_back() -> None:
    told = screen("1", "thirty four", "no", "34", "stop")
    assert "I understood: You are 34 years old. Is that right?" in told
    assert "Then please say it otherwise" in told


@pytest.mark.slow
def test_who_has_owned_a_home_is_asked_and_not_who_has_owned_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = ScreenSession(load_edition(EDITION))
    ages = {("age", 0): 40, ("age", 1): 38, ("age", 2): 9}
    session.take(ScreenEntry(Question("roster"), ages, 3, ("you", "Bo", "Cy")))
    question = Question("everybody", "first_time_home_buyer")
    asked = "Who in your household has owned a home in the last three years?"
    assert session.ask(question) == asked
    monkeypatch.setattr("click.prompt", lambda *_, **__: "Bo")
    entry = ask(session, question)
    first_time = [entry.facts["first_time_home_buyer", it] for it in range(3)]
    assert first_time == [True, False, False]
    session.take(entry)
    assert session.interview.is_constrained


@pytest.mark.slow
def test_what_holds_for_none_of_several_is_said_as_neither() -> None:
    session = ScreenSession(load_edition(EDITION))
    session.take(ScreenEntry(Question("roster"), {}, 3, ("you", "Leo", "Mia")))
    facts = {("disabled", it): False for it in range(3)} | {("sex", 0): "male"}
    assert session.state(facts) == [
        "Neither you nor Leo nor Mia has a disability.",
        "You are male.",
    ]


@pytest.mark.slow
def test_programs_that_hang_on_what_nobody_knows_are_one_list() -> None:
    told = screen("I don't know", "stop")
    assert told.count("On what you do not know:") == 1


@pytest.mark.slow
def test_at_the_beginning_nothing_can_be_taken_back_and_nothing_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    told = screen("back", "stop", save=path)
    assert "At the beginning." in told
    assert json.loads(path.read_text())["household"] == {
        "members": [{"name": "you", "relation": "self"}]
    }
    again = CliRunner().invoke(command, ["--output", str(path)])
    assert again.exit_code == 2
    assert "it exists. Name another" in again.output


@pytest.fixture(scope="module")
def told() -> tuple[ScreenSession, Household]:
    """A session in which everything is settled, and the household it is about."""
    city = synthesize(60, 5, workers=1)
    household = next(city.household(it) for it in range(60) if city.size[it] == 3)
    facts, size = household_facts(household), 3
    session = ScreenSession(load_edition(EDITION))
    while question := session.interview.next_question() or session.unproven():
        answers = {fact: facts[fact] for fact in facts_told(question, size)}
        names = ("you", "Bo", "Cy") if question in OPENINGS else ()
        session.take(ScreenEntry(question, answers, size if question in OPENINGS else None, names))
    return session, household


@pytest.mark.slow
def test_an_inference_counts_when_it_is_confirmed(told: tuple[ScreenSession, Household]) -> None:
    session, household = told
    facts, inferred = household_facts(household), session.unconfirmed()
    assert inferred
    assert all(facts[fact] == value for fact, value in inferred.items())
    confirmed = ScreenSession(session.edition, [*session.entries, ScreenEntry(None, inferred)])
    assert not confirmed.unconfirmed()
    refuted = [it for it, value in confirmed.interview.verdicts().items() if value is False]
    assert refuted
    assert not any(confirmed.reasons()[it].inferred for it in refuted)
    session.decline(inferred)
    assert not session.unconfirmed()


@pytest.mark.slow
def test_nobody_who_works_is_told_never_to_have_worked(
    told: tuple[ScreenSession, Household],
) -> None:
    session, _ = told
    said = session.state({("months_since_worked", 0): None, ("weeks_pregnant", 0): None})
    assert said == ["You are at work now or have never worked.", "You are not pregnant."]


@pytest.mark.slow
def test_the_reasons_alone_prove_the_verdict(told: tuple[ScreenSession, Household]) -> None:
    session, _ = told
    verdicts, free = session.interview.verdicts(), session.interview.planner.reader.unconstrained
    proven = 0
    for name, reasons in session.reasons().items():
        if not reasons.missing:
            answers = [it for it in reasons.answers if it is not None]
            facts = {it: session.interview.answers[it] for it in answers} | reasons.inferred
            known = free.know(session.interview.size, facts)
            assert known.verdict(name) is verdicts[name], name
            proven += 1
    assert proven > 70


@pytest.mark.slow
def test_a_yes_that_rests_on_inferences_names_the_answers_they_follow_from(
    told: tuple[ScreenSession, Household],
) -> None:
    session, _ = told
    interview = session.interview
    reader, facts = interview.planner.reader, interview.answers
    inferred = {
        name: session.answers(name, it)
        for name, it in session.reasons().items()
        if interview.verdicts()[name] and (it.inferred or it.missing)
    }
    assert inferred
    for name, answers in inferred.items():
        for left_out in (*answers, "nothing"):
            some = {it: facts[it] for it in answers if it not in (None, left_out)}
            size = interview.size if None in answers and left_out is not None else None
            verdict = reader.know(size, {("relation", 0): "self"} | some).verdict(name)
            assert verdict is (True if left_out == "nothing" else None), name


@pytest.mark.parametrize(
    ("said", "members"),
    [
        ("nobody", set()),
        ("me and Maria", {0, 1}),
        ("2, 3", {1, 2}),
        ("everyone", {0, 1, 2}),
        ("me.", {0}),
    ],
)
def test_people_are_named_in_many_ways(said: str, members: set[int]) -> None:
    found = read_people(said, FAMILY)
    assert found is not None
    assert found.value == members


@pytest.mark.slow
def test_people_who_are_not_there_are_not_understood() -> None:
    assert read_people("Joe", FAMILY) is None
    assert read_people("4", FAMILY) is None
    assert read_typed("disabled", "purple") is None


@pytest.mark.parametrize(
    ("key", "said", "value"),
    [
        ("weeks_pregnant", "no", None),
        ("weeks_pregnant", "not pregnant", None),
        ("weeks_pregnant", "no more than 20", 20),
        ("months_since_worked", "no", None),
        ("months_since_worked", "9 years ago", 108),
        ("current_grade", "kindergarten", 0),
        ("ac_age_years", "we have none", None),
        ("ac_age_years", "we don't have any", None),
        ("annual_work_income", "no", 0),
    ],
)
def test_what_people_say_instead_of_a_number_is_asked_back(
    key: str, said: str, value: object
) -> None:
    assert read_typed(key, said) == TypedAnswer(value, is_plain=False)


def test_a_number_with_its_unit_is_plain() -> None:
    assert read_typed("work_hours_per_week", "35 hours") == TypedAnswer(35, True)


@pytest.mark.slow
def test_a_number_of_another_unit_is_not_understood() -> None:
    assert read_typed("days_looking_for_work", "three weeks") is None
    assert read_typed("work_hours_per_week", "15 hours a week") is not None
    told = screen("1", "5 weeks", "34", "stop")
    assert "I expect a whole number of years from 0 to 110" in told


def test_none_and_never_are_plain() -> None:
    for key, said in (("weeks_pregnant", "none"), ("months_since_worked", "never")):
        assert read_typed(key, said) == TypedAnswer(None, is_plain=True)


@pytest.mark.slow
def test_answers_that_cannot_all_be_true_are_told_once() -> None:
    told = screen("1", "3", "1", "stop")
    assert told.count("your answers cannot all be true") == 1
    assert "cannot all be true" not in screen("1", "34", "1", "stop")


def test_facts_are_told_as_people_say_them() -> None:
    session = ScreenSession(load_edition(EDITION))
    session.names = ("you", "Ben")
    facts: dict[Fact, Any] = {
        ("can_manage_self", 0): True,
        ("can_manage_self", 1): True,
        ("current_grade", 1): 0,
        ("first_time_home_buyer", 0): False,
        ("monthly_rent_spending", None): 1150,
    }
    assert session.state(facts) == [
        "You and Ben can manage your own affairs, carry out daily activities and stay safe "
        "without help.",
        "Ben is in kindergarten.",
        "You have owned a home in the last three years.",
        "Your household's rent is $1,150 a month.",
    ]


@pytest.mark.slow
def test_every_program_of_a_large_household_is_settled_as_its_checker_says() -> None:
    city = synthesize(60, 5, workers=1)
    large = next(city.household(it) for it in range(60) if city.size[it] > 6)
    planner = screening_planner(load_edition(EDITION), most_members(large))
    (course,) = simulate(planner, [large])
    assert (course.settled[-1], course.n_wrong) == (82, 0)
