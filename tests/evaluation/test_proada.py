import json
import re

import anyio
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.agents.proada import (
    ProadaAgent,
    ProadaWithoutClarityAgent,
    name_member,
)
from benyfits_data.evaluation.codegen.coding import Coder, suggested_questions
from benyfits_data.evaluation.conversation import (
    InfrastructureError,
    NothingAskedError,
    QuestionLimitReached,
)
from benyfits_data.evaluation.players.interpreters import (
    Interpreter,
    ReferenceCoder,
    guess_household,
)
from tests.evaluation.players import EDITION, QueueModels, QueueUser, talk

PROGRAM = """def check_eligibility(hh):
    if hh["lives_in_city"] == "yes":  # "Do you live in the city?"
        for i in range(hh["members"]):
            if hh[i]["age"] < 18:  # "How old is this member?"
                return True
    return False
"""


class Script:
    """A code model that sends programs in turn, and a dialog model that reads answers as told."""

    def __init__(self, *programs, values=None):
        self.programs = list(programs)
        self.values = values or {}
        self.prompts = []

    def __call__(self, role, prompt):
        self.prompts.append(prompt)
        if role == "code":
            if "What kind of value" in prompt:
                return json.dumps({"type": "int" if "ag" in key_of(prompt) else "choice"})
            if "Which values" in prompt:
                return json.dumps({"values": ["yes", "no"]})
            return self.programs.pop(0) if len(self.programs) > 1 else self.programs[0]
        if "Reply with the value of" in prompt:
            answer = prompt.rpartition("Answer: ")[2].splitlines()[0]
            return json.dumps({"value": self.values.get(answer, answer)})
        if "Decide for each of the" in prompt:
            return json.dumps(dict.fromkeys(json.loads(prompt.splitlines()[-1]), True))
        return "What about it?"


def key_of(prompt):
    return "ag" if '"age"' in prompt.rpartition("key ")[2] or '"members"' in prompt else "other"


def play(sandbox, script, user, programs=("A",), agent=ProadaAgent):
    models = QueueModels(script)
    conversation = talk(programs, user=user, models=models)
    player = agent(Coder(sandbox), Interpreter(), sandbox)
    return conversation, anyio.run(player.run, conversation), models


def kinds(conversation):
    return [failure.kind for failure in conversation.failures]


def test_each_missing_key_becomes_a_question_and_its_answer_a_value(sandbox):
    script = Script(PROGRAM, values={"Two of us": 2, "I am 40": 40, "Seven": 7})
    user = QueueUser("yes", "Two of us", "I am 40", "Seven")
    conversation, verdicts, models = play(sandbox, script, user)
    assert verdicts == {"A": True}
    # Who words a question sees what was said before.
    asking = [prompt for _, _, prompt, _ in models.asked if "Write the question that" in prompt]
    assert [prompt.count("The user said: ") for prompt in asking] == [0, 1, 2, 3]
    assert [(turn.key, turn.member, turn.value, turn.line) for turn in conversation.turns] == [
        ("lives_in_city", None, "yes", 2),
        ("members", None, "2", 3),
        ("age", 0, "40", 4),
        ("age", 1, "7", 4),
    ]
    assert conversation.traces["A"] == [1, 2, 3, 4, 5]
    assert conversation.code["A"] == PROGRAM
    assert kinds(conversation) == []


def test_known_keys_are_shared_between_programs(sandbox):
    script = Script(PROGRAM, PROGRAM, values={"2": 2, "40": 40, "7": 7})
    conversation, verdicts, models = play(
        sandbox, script, QueueUser("yes", "2", "40", "7"), programs=("A", "B")
    )
    assert verdicts == {"A": True, "B": True}
    assert len(conversation.turns) == 4
    second = [prompt for role, _, prompt, _ in models.asked if "These keys are in use" in prompt]
    assert len(second) == 1
    assert 'hh["lives_in_city"]: yes, no' in second[0]
    assert 'hh[i]["age"]: int' in second[0]


class Counted(QueueModels):
    """Counts calls at the same time; each lets the others go first."""

    now = most_at_once = 0

    async def complete(self, role, system, prompt, schema, max_tokens, earlier=()):
        self.now += 1
        self.most_at_once = max(self.most_at_once, self.now)
        await anyio.sleep(0)
        self.now -= 1
        return await super().complete(role, system, prompt, schema, max_tokens, earlier)


def test_the_keys_of_a_program_are_typed_at_the_same_time_and_programs_in_turn(sandbox):
    models = Counted(Script(PROGRAM, PROGRAM, values={"2": 2, "40": 40, "7": 7}))
    conversation = talk(["A", "B"], user=QueueUser("yes", "2", "40", "7"), models=models)
    coder = Coder(sandbox)
    written = anyio.run(ProadaAgent(coder, Interpreter(), sandbox)._write, conversation)
    assert models.most_at_once == 3
    assert list(written["A"].types) == ["lives_in_city", "members", "age"]
    (first, second) = [it for _, _, it, _ in models.asked if "Turn these" in it]
    assert 'hh["lives_in_city"]: ' in second
    assert 'hh["lives_in_city"]: ' not in first


def test_an_outage_among_them_is_one_outage_and_no_fault_of_the_agent(sandbox):
    models = Counted([f"```python\n{PROGRAM}```"])
    player = ProadaAgent(Coder(sandbox), Interpreter(), sandbox)
    with pytest.raises(InfrastructureError, match="queue is empty"):
        anyio.run(player.run, talk(["A"], models=models))
    assert len(models.asked) == 2


def test_a_program_whose_questions_are_used_up_is_decided_by_the_model(sandbox):
    class Tired:
        async def answer(self, question, turns):
            raise QuestionLimitReached("That was enough.")

    conversation, verdicts, _ = play(sandbox, Script(PROGRAM), Tired())
    assert kinds(conversation) == ["limit_reached"]
    assert verdicts == {"A": True}


def test_a_program_that_breaks_a_rule_is_sent_back_with_the_error(sandbox):
    broken = 'def check_eligibility(hh):\n    return hh.get("age") == 3\n'
    conversation, verdicts, models = play(
        sandbox,
        Script(broken, PROGRAM, values={"1": 1, "9": 9}),
        QueueUser("yes", "1", "9"),
    )
    assert verdicts == {"A": True}
    repairs = [prompt for role, _, prompt, _ in models.asked if "attempt 2" in prompt]
    assert len(repairs) == 1
    assert "line 2: .get is not allowed" in repairs[0]
    assert kinds(conversation) == []


def test_a_code_model_that_returns_prose_ends_in_the_dialog_models_verdict(sandbox):
    conversation, verdicts, models = play(
        sandbox, Script("Certainly! I would ask for the age."), QueueUser("yes")
    )
    assert verdicts == {"A": True}
    assert kinds(conversation) == ["code_not_parsed"]
    assert sum("Turn these eligibility rules" in prompt for _, _, prompt, _ in models.asked) == 4


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("while True:\n        pass\n    return True", "code_looped"),
        ("return 1 / 0 > 1", "code_crashed"),
        ("return 3", "code_not_boolean"),
    ],
)
def test_a_program_that_fails_ends_in_the_dialog_models_verdict(sandbox, body, kind):
    conversation, verdicts, _ = play(
        sandbox, Script(f"def check_eligibility(hh):\n    {body}\n"), QueueUser("yes")
    )
    assert verdicts == {"A": True}
    assert kinds(conversation) == [kind]


def test_an_answer_without_a_value_is_asked_about_three_times_and_then_unknown(sandbox):
    conversation, verdicts, models = play(
        sandbox,
        Script(PROGRAM, values={"I don't know.": "unknown"}),
        QueueUser("I don't know."),
    )
    assert verdicts == {"A": False}
    assert [turn.kind for turn in conversation.turns] == ["question"] + ["clarification"] * 3
    assert conversation.turns[-1].value == "unknown"
    assert kinds(conversation) == ["answer_not_parsed"]
    # Each time the model sees what was asked before, and what came of it.
    again = [prompt for _, _, prompt, _ in models.asked if "Write a simpler question" in prompt]
    assert [prompt.count("The user said: I don't know.") for prompt in again] == [1, 2, 3]


def test_a_dialog_model_that_words_no_question_ends_the_dialog(sandbox):
    class Mute(Script):
        def __call__(self, role, prompt):
            return super().__call__(role, prompt) if role == "code" else ""

    with pytest.raises(NothingAskedError, match="3 questions in a row were empty"):
        play(sandbox, Mute(PROGRAM), QueueUser("yes"))


def test_a_number_that_nobody_knows_is_what_the_prompt_promises(sandbox):
    conversation, verdicts, models = play(
        sandbox,
        Script(PROGRAM, values={"I don't know.": "unknown"}),
        QueueUser("yes", "I don't know."),
    )
    # range(hh["members"]) is empty, so no age is asked for and nothing crashes.
    assert verdicts == {"A": False}
    assert kinds(conversation) == ["answer_not_parsed"]
    assert "`range` of it is empty" in models.asked[0][2]


def test_without_clarity_the_same_fact_is_asked_about_once_and_must_become_a_value(sandbox):
    conversation, _, models = play(
        sandbox,
        Script(PROGRAM, values={"I don't know.": "no"}),
        QueueUser("I don't know."),
        agent=ProadaWithoutClarityAgent,
    )
    assert [turn.kind for turn in conversation.turns] == ["question"]
    schemas = [schema for _, _, prompt, schema in models.asked if "Reply with the value" in prompt]
    assert schemas[0]["properties"]["value"] == {"enum": ["yes", "no"]}


def test_a_program_that_asks_without_end_stops_at_the_limit(sandbox):
    endless = (
        "def check_eligibility(hh):\n"
        "    for i in range(29):\n"
        '        if hh[i]["age"] < 0:\n'
        "            return False\n"
        "    return True\n"
    )
    conversation, verdicts, _ = play(sandbox, Script(endless, values={"5": 5}), QueueUser("5"))
    assert len(conversation.turns) == 20
    assert "limit_reached" in kinds(conversation)
    assert verdicts == {"A": True}


def test_a_member_is_called_by_name_once_it_is_known():
    assert name_member(None, {}) == ""
    assert name_member(0, {}) == "you"
    assert name_member(2, {}) == "person 3 in your household"
    assert name_member(2, {(2, "first_name"): "Cleo"}) == "Cleo"
    assert name_member(2, {(2, "first_name"): "unknown"}) == "person 3 in your household"


def test_suggested_questions_are_read_from_comments():
    assert suggested_questions(PROGRAM) == {
        "lives_in_city": "Do you live in the city?",
        "age": "How old is this member?",
    }


def test_the_dialog_model_is_suggested_a_question_that_names_the_member(sandbox):
    edition = load_edition(EDITION)

    def reply(role, prompt):
        if "Reply with the value of" in prompt:
            return json.dumps({"value": 2})
        return "What about it?"

    models = QueueModels(reply)
    conversation = talk(["BeaconPrograms"], models=models)
    coder = ReferenceCoder(edition.programs)
    anyio.run(ProadaAgent(coder, Interpreter(), sandbox).run, conversation)
    suggested = {
        re.search("^Fact it lacks: (.*)$", prompt, re.M)[1]: found[1]
        for _, _, prompt, _ in models.asked
        if (found := re.search("program suggests: (.*)$", prompt, re.M))
    }
    assert not any("this person" in prompt for _, _, prompt, _ in models.asked)
    assert suggested == {
        "number_of_members": "How many people live in your household, counting yourself?",
        "age of you": "How old are you?",
        "age of person 2 in your household": "How old is person 2 in your household?",
    }


def test_a_household_is_guessed_from_what_was_found_out():
    household = guess_household(
        {
            (None, "number_of_members"): 3,
            (0, "relation"): "self",
            (1, "relation"): "child",
            (1, "disabled"): "yes",
            (1, "age"): 7,
            (2, "age"): float("nan"),
            (None, "monthly_rent_spending"): 900,
            (0, "shoe_size"): 44,
        }
    )
    assert len(household.members) == 3
    assert household.members[1].disabled
    assert household.members[1].age == 7
    assert household.monthly_rent_spending == 900
