"""What a reader replies, written down for tests, and who replays it."""

import json

from benyfits_data.evaluation.reading import DialogReading, make_reader
from tests.evaluation.players import QueueModels


def asks(*facts):
    """What a reader replies that a question asks for: facts, each with its members."""
    return [{"fact": fact, "who": who} for fact, who in facts]


def says(*claims):
    """What a reader replies that an answer says: facts, each with its members and its value."""
    return [{"fact": fact, "who": who, "value": value} for fact, who, value in claims]


def is_reading(request):
    """Whether a served model is asked to read."""
    return "You read" in request["messages"][0]["content"]


def read_all(prompt, asked=(), said=()):
    """A reader's reply that every turn of a prompt asks and says the same."""
    n_turns = prompt.count("Answer: ")
    turns = [{"turn": n + 1, "asks": list(asked), "claims": list(said)} for n in range(n_turns)]
    return json.dumps({"turns": turns} if n_turns else {"asks": list(asked)})


def replay(readings, spoken=()):
    """Models that say what was recorded: a reader by the words it reads, a user in turn.

    Args:
        readings: What a question asks, or an answer says, by its words.
        spoken: What the user says, one after the other.
    """
    left = list(spoken)

    def reply(role, prompt):
        if role != "reader":
            return left.pop(0)
        lines = [line.partition(": ") for line in prompt.splitlines()]
        asked = [readings.get(words, []) for kind, _, words in lines if kind.endswith("Question")]
        said = [readings.get(words, []) for kind, _, words in lines if kind.endswith("Answer")]
        if not said:
            return json.dumps({"asks": asked[0]})
        turns = [
            {"turn": number, "asks": question, "claims": claims}
            for number, (question, claims) in enumerate(zip(asked, said, strict=True), 1)
        ]
        return json.dumps({"turns": turns})

    return QueueModels(reply)


def reading_of(household, models):
    """Who reads a dialog by what models reply."""
    return DialogReading(household, make_reader("recorded", models))
