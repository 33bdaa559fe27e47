import re
import sys
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents import (
    find_agent,
    model_roles,
    play,
    playing_roles,
    used_roles,
)
from benyfits_data.evaluation.agents.baselines import GUESSES
from benyfits_data.evaluation.conversation import (
    NO_QUESTION,
    InfrastructureError,
    NothingAskedError,
    QuestionLimitReached,
)
from benyfits_data.evaluation.models import AGENTS, ROLES, choose_roles, describe_roles
from benyfits_data.evaluation.players.users import ModelUser
from benyfits_data.evaluation.prompts import FOLDER, Prompts, names
from benyfits_data.evaluation.record import Turn
from benyfits_data.evaluation.replies import MOST_DIGITS
from benyfits_data.recorded import city_shares
from tests.evaluation.players import QueueModels, QueueUser, talk

VARIABLES = """
    eligibility_requirements num_programs example_object reasoning eligibility_requirement
    preexisting_keys code key line cq answer error person values suggestion profile
    question program facts failure household label rules dialog
""".split()  # noqa: SIM905 - a table of words
DIRECT = find_agent("direct")
REACT = find_agent("react")


def run(function, *arguments):
    return anyio.run(function, *arguments)


def test_all_bundled_agents_are_where_the_table_says_and_guess_as_they_are_called():
    assert all(callable(find_agent(name)) for name in AGENTS)
    assert {name: find_agent(name).guess for name in GUESSES} == {name: name for name in GUESSES}


def test_direct_asks_until_it_is_ready_and_then_predicts():
    models = QueueModels(
        [
            "How old are you?",
            '{"ready": false}',
            "Where do you live?",
            '{"ready": true}',
            '{"FairFaresNYC": true}',
        ]
    )
    conversation = talk(user=QueueUser("34", "In Queens"), models=models)
    assert run(play, DIRECT(), conversation) == {"FairFaresNYC": True}
    assert [(turn.question, turn.answer) for turn in conversation.turns] == [
        ("How old are you?", "34"),
        ("Where do you live?", "In Queens"),
    ]
    assert conversation.failures == []
    # Agents see the rules and the dialog, and nothing of the household.
    assert all("Rules of FairFaresNYC." in system for _, system, _, _ in models.asked)
    assert "You asked: How old are you?\nThe user said: 34" in models.asked[2][2]


def test_react_reasons_before_each_step_and_acts_on_its_reasoning():
    models = QueueModels(
        [
            '{"thoughts": "The age is open.", "question": "How old are you?"}',
            "Old enough.",
            '{"ready": true}',
            "Clearly eligible.",
            '{"FairFaresNYC": true}',
        ]
    )
    conversation = talk(user=QueueUser("34"), models=models)
    assert run(play, REACT(), conversation) == {"FairFaresNYC": True}
    assert conversation.turns[0].question == "How old are you?"
    assert "Old enough." in models.asked[2][2]
    assert "Clearly eligible." in models.asked[4][2]


def test_a_question_beyond_the_limit_is_refused():
    conversation = talk(user=QueueUser("yes"))

    async def ask_on():
        for _ in range(21):
            await conversation.ask("And?")

    with pytest.raises(QuestionLimitReached):
        run(ask_on)
    assert len(conversation.turns) == 20


def test_verdicts_that_are_refused_count_as_ineligible_and_are_recorded_with_their_text():
    models = QueueModels(["How old?", '{"ready": true}', '{"A": true, "B": "perhaps"}'])
    conversation = talk(["A", "B"], user=QueueUser("3"), models=models)
    assert run(play, DIRECT(), conversation) == {"A": False, "B": False}
    refused, *counted = conversation.failures
    assert refused.kind == "reply_not_parsed"
    assert "'perhaps' is not of type 'boolean'" in refused.message
    assert """{"A": true, "B": "perhaps"}""" in refused.message
    assert [(f.kind, f.program) for f in counted] == [
        ("verdict_not_parsed", "A"),
        ("verdict_not_parsed", "B"),
    ]


def test_json_that_was_cut_off_is_no_reply():
    class Cut(QueueModels):
        async def complete(self, *asked):
            return replace(await super().complete(*asked), stop="reply_cut")

    conversation = talk(models=Cut(['{"FairFaresNYC": true} and {']))
    assert run(conversation.predict) == {"FairFaresNYC": False}
    assert [f.kind for f in conversation.failures] == ["reply_cut", "verdict_not_parsed"]


@pytest.mark.parametrize("agent", [DIRECT, REACT])
def test_a_dialog_ends_when_three_questions_in_a_row_are_empty(agent):
    def reply(role, prompt):
        return '{"ready": false}' if "Stop and check" in prompt or "ready" in prompt else "  "

    conversation = talk(models=QueueModels(reply))
    with pytest.raises(NothingAskedError, match=r"3 questions in a row were empty.*--max-tokens"):
        run(play, agent(), conversation)
    assert [turn.question for turn in conversation.turns] == [NO_QUESTION] * 3


def test_a_model_that_cannot_be_reached_leaves_the_dialog_without_verdicts():
    with pytest.raises(InfrastructureError):
        run(play, DIRECT(), talk(models=QueueModels([])))


def test_what_users_and_agents_say_is_cleaned():
    conversation = talk(user=QueueUser("Yes\x1b[2J \ud800" + "9" * 400))
    answer = run(conversation.ask, "Why\x00?\ud800")
    assert answer == "Yes ?" + "9" * MOST_DIGITS
    assert conversation.turns[0].question == "Why??"


def test_an_endless_answer_is_cut():
    conversation = talk(user=QueueUser("word " * 10_000))
    answer = run(conversation.ask, "Why?")
    assert 1990 < len(answer) <= 2000
    assert conversation.failures[0].kind == "answer_cut"


class TwoSteps:
    """An agent of somebody else's, with plain methods."""

    def __init__(self):
        self.steps = 0

    def ask(self, conversation):
        return f"Question {len(conversation.turns) + 1}?"

    def ready(self, conversation):
        return len(conversation.turns) == 2

    def predict(self, conversation):
        return dict.fromkeys(conversation.programs, True)


class Liar:
    def run(self, conversation):
        return {"FairFaresNYC": "yes"}


def test_an_agent_of_somebody_elses_needs_no_base_class():
    make = find_agent("tests.evaluation.test_conversation:TwoSteps")
    conversation = talk(user=QueueUser("yes"))
    assert run(play, make(), conversation) == {"FairFaresNYC": True}
    assert len(conversation.turns) == 2


def test_an_agent_that_returns_no_bool_is_told_what_to_return():
    with pytest.raises(EvaluationError, match=r"expected \{program: True or False\}"):
        run(play, Liar(), talk())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", "expected one of always-no"),
        ("no_such_module:Agent", "No module named .*Expected module:Class"),
        ("no_such_file.py:Agent", "Expected module:Class"),
        ("tests.evaluation.test_conversation:missing", "no attribute"),
        ("tests.evaluation.test_conversation:QueueUser", "neither run"),
    ],
)
def test_an_agent_that_cannot_be_found_is_explained(name, message):
    with pytest.raises(EvaluationError, match=message):
        find_agent(name)


def test_random_asks_nothing_and_tosses_a_coin():
    agent = find_agent("random")
    conversation = talk([f"p{number}" for number in range(400)])
    verdicts = run(play, agent(), conversation)
    assert 150 < sum(verdicts.values()) < 250
    assert conversation.turns == []


def test_the_baselines_ask_nothing_and_prior_says_what_is_likelier_in_the_city():
    programs = list(load_edition(2024).programs)
    said = {}
    for name in ("always-no", "always-yes", "prior"):
        conversation = talk(programs)
        said[name] = run(play, find_agent(name)(), conversation)
        assert conversation.turns == []
        assert used_roles(name) == ()
    assert set(said["always-no"].values()) == {False}
    assert set(said["always-yes"].values()) == {True}
    shares = city_shares(2024)
    assert said["prior"] == {program: shares[program] > 0.5 for program in programs}
    assert len(set(said["prior"].values())) == 2


def test_an_edition_nobody_has_counted_is_refused_until_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EvaluationError, match="population eligibility --edition 2031"):
        city_shares(2031)
    (tmp_path / "output" / "2031").mkdir(parents=True)
    table = "program,edition,share,note\nIDNYC,2031,0.99,x\nHeadStart,2031,0.3,\n"
    (tmp_path / "output" / "2031" / "eligibility.csv").write_text(table)
    assert city_shares(2031) == {"IDNYC": 0.99, "HeadStart": 0.3}


def test_every_prompt_renders_with_the_variables_of_the_paper():
    variables = dict.fromkeys(VARIABLES, "MARK")
    for name in names():
        assert Prompts().render(name, attempt_no=2, **variables)


def test_a_folder_of_prompts_replaces_ours_by_name(tmp_path):
    (tmp_path / "ask.jinja").write_text("Ask about {{ eligibility_requirements }}!")
    prompts = Prompts(tmp_path)
    assert prompts.render("ask", eligibility_requirements="rent") == "Ask about rent!"
    ours = (FOLDER / "ready.jinja").read_text().strip()
    assert prompts.render("ready", eligibility_requirements="") == ours


def test_a_misspelt_variable_or_name_in_a_prompt_is_an_error(tmp_path):
    (tmp_path / "ask.jinja").write_text("{{ eligibilty }}")
    with pytest.raises(EvaluationError, match="eligibilty"):
        Prompts(tmp_path).render("ask", eligibility_requirements="")
    (tmp_path / "aks.jinja").write_text("")
    with pytest.raises(EvaluationError, match="replaces no prompt"):
        Prompts(tmp_path)


def test_roles_default_to_players_that_need_neither_gpu_nor_key():
    assert choose_roles() == choose_roles(models="reference")
    assert choose_roles() == {**dict.fromkeys(ROLES[:3], "reference"), "reader": "none"}
    assert choose_roles(models="openai/a", user="human")["user"] == "human"


def test_a_role_nobody_can_play_is_refused():
    with pytest.raises(EvaluationError, match="--code-model human"):
        choose_roles(code="human")


def test_the_banner_warns_where_scores_mean_little():
    text = "\n".join(describe_roles(choose_roles(dialog="openai/gpt-4o")))
    assert "a ceiling on F1, no score" in text
    assert "ceiling" not in "\n".join(describe_roles(choose_roles(models="openai/gpt-4o")))


@pytest.mark.parametrize(
    ("agent", "is_said"),
    [
        ("proada", True),
        ("planner", False),
        ("prior", False),
        ("tests.evaluation.example_agents:Endless", False),
    ],
)
def test_what_perfect_programs_reach_is_said_of_agents_that_write_them(agent, is_said):
    roles = choose_roles()
    text = "\n".join(describe_roles(roles, playing_roles(agent, roles)))
    assert ("what perfect programs reach" in text) is is_said


def test_agents_say_which_roles_they_use():
    assert used_roles("random") == ()
    assert used_roles("direct") == ("dialog", "user", "reader")
    assert used_roles("proada-without-clarity") == ROLES


@pytest.mark.parametrize(
    ("module", "name", "answers", "needed"),
    [
        ("my_module", "MyAgent", ("There is 1 person.", "$9,000 a year."), ()),
        ("my_model_module", "MyModelAgent", ("Two of us.",), ("dialog",)),
    ],
)
def test_an_agent_of_the_documentation_works_as_printed(
    module, name, answers, needed, tmp_path, monkeypatch
):
    page = (Path(__file__).parents[2] / "docs" / "tutorial-evaluate.md").read_text(encoding="utf-8")
    (code,) = re.findall(rf"```python file={module}.py\n(.*?)```", page, flags=re.DOTALL)
    assert len(code.splitlines()) <= 32
    (tmp_path / f"{module}.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    make = find_agent(f"{module}:{name}")
    assert model_roles(f"{module}:{name}") == needed
    models = QueueModels(['{"FairFaresNYC": true}'] if needed else [])
    conversation = talk(user=QueueUser(*answers), models=models)
    assert run(play, make(), conversation) == {"FairFaresNYC": True}
    assert [turn.question for turn in conversation.turns] == list(make.QUESTIONS)


def test_the_simulated_user_knows_the_profile_and_the_whole_dialog():
    models = QueueModels(["I am 34."])
    turns = [Turn(f"Question {n}?", f"Answer {n}.") for n in range(30)]
    user = ModelUser("Ana is 34.", models, Prompts())
    assert run(user.answer, "How old are you?", turns).text == "I am 34."
    (role, system, prompt, schema), (earlier,) = models.asked[0], models.earlier
    assert (role, prompt, schema) == ("user", "How old are you?", None)
    assert "Ana is 34." in system
    assert system.endswith("Do not speak of the text above, and ask nothing.")
    assert earlier == [(turn.question, turn.answer) for turn in turns]
