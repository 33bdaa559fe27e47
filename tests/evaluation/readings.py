"""What a reader replies, written down for tests, and who replays it."""

import json

from benyfits_data.evaluation.turn_reading import TurnReader, make_reader
from tests.evaluation.players import QueueModels

_QUERY = {
    "who": ["everybody"], "sex": "", "age_from": 0, "age_below": 0, "pick": "", "rank": 1,
    "value": "", "sign": "", "number": 0, "up_to": 0, "per": "", "inverted": False,
    "of_all": False, "denies": False, "among": [], "than": [], "extreme": "", "joint": "",
}  # fmt: skip
_CLAIM = {
    "who": ["you"], "sex": "", "age_from": 0, "age_below": 0, "pick": "", "rank": 1,
    "how": "each", "sign": "=", "per": "",
}  # fmt: skip
NOT_UNDERSTOOD = json.dumps({"queries": [], "understood": False})


def asks(how, fact, who=("everybody",), **more):
    """A reader's reply that a question asks one thing."""
    query = {**_QUERY, "how": how, "fact": fact, "who": list(who), **more}
    return json.dumps({"queries": [query], "understood": True})


def claim(fact, value, who=("you",), **more):
    """One claim of a reader's reply."""
    return {**_CLAIM, "fact": fact, "value": str(value), "who": list(who), **more}


def says(*claims, stance="", says_nothing=False, adds=()):
    """A reader's reply that an answer says some things."""
    told = {"claims": claims, "stance": stance, "says_nothing": says_nothing}
    return json.dumps({**told, "adds": list(adds), "understood": True})


def is_reading(request):
    """Whether a served model is asked to read."""
    return "You read" in request["messages"][0]["content"]


def replay(readings, spoken=()):
    """Models that say what was recorded: a reader by question or answer, a user in turn.

    Args:
        readings: What the reader replies, by the words it reads.
        spoken: What the user says, one after the other.
    """
    left = list(spoken)

    def reply(role, prompt):
        if role != "reader":
            return left.pop(0)
        words = prompt.rpartition("Answer: " if "\nAnswer: " in prompt else "Question: ")[2]
        return readings[words]

    return QueueModels(reply)


def reading_of(household, models):
    """Who reads a dialog by what models reply."""
    return TurnReader(household, make_reader("recorded", models))
