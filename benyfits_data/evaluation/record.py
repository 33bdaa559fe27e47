"""What one dialog leaves behind: the record every score, table and transcript is made of."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from benyfits_data.errors import EvaluationError
from benyfits_data.understanding.claims import Verdict
from benyfits_data.understanding.facts import Json

TurnKind = Literal["question", "clarification"]
Faithfulness = Verdict | Literal["not_read"]
VERDICTS: tuple[Faithfulness, ...] = (*get_args(Verdict), "not_read")

RECORD = "dialog"
"""Where a sample's store keeps the record of its dialog."""

RECORD_VERSION = 6
"""Raised when a field changes its meaning; older logs are then refused, not misread."""


NO_USER = "no-user"
"""The agent that reads the profile: no question of its tells what a verdict rests on."""
CANONICAL = "canonical"
"""Who read a turn whose words are our own: exact, and no model."""


@dataclass
class Turn:
    """One question and its answer: for which program, fact and member it was asked.

    What a reader read is kept as plain data, so that all that is derived from it can be derived
    again: `faithfulness` and `fact` are no more than that.

    Attributes:
        member: The member's number; nothing for the household, or where the agent does not know.
        line: The line of the generated program that read the key.
        code: The text of that line.
        value: The value stored, as text; nothing when none was found.
        asks: The facts that the question asks for, a `understanding.facts.Question`;
            empty where it is not about facts, `None` where it was not read.
        claims: What the answer says of facts, `understanding.claims.Claims`;
            `None` where it was not read.
        reader: Who read question and answer; empty where not both were read.
        faithfulness: The answer held against the household.
        fact: What the question asks for, and what is so.
    """

    question: str
    answer: str
    kind: TurnKind = "question"
    program: str | None = None
    key: str | None = None
    member: int | None = None
    line: int | None = None
    code: str | None = None
    value: str | None = None
    asks: list[Json] | None = None
    claims: list[Json] | None = None
    reader: str = ""
    faithfulness: Faithfulness = "not_read"
    fact: str | None = None


@dataclass
class Failure:
    """Something that went wrong and was survived: its kind, what happened, and where.

    Attributes:
        traceback: Where the agent raised what it broke off with.
    """

    kind: str
    message: str
    program: str | None = None
    line: int | None = None
    traceback: str | None = None


@dataclass
class Usage:
    """Calls and tokens of one role; calls answered by a kept reply are counted apart.

    Attributes:
        input_tokens: Tokens read, those among them that the server had in its cache included.
        cached_tokens: Those.
        uncounted_calls: Calls of which the server did not say all tokens; the sums lack these.
        served: The models that replied, as the servers name them.
    """

    calls: int = 0
    cached_calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    uncounted_calls: int = 0
    served: list[str] = field(default_factory=list)


@dataclass
class Dialog:
    """One finished dialog; `household` is the dataset row's id, `size` its members.

    Attributes:
        labels: The checker's verdict per program of interest.
        verdicts: The agent's.
        trial: Which repetition this is, from 1.
        code: The program written for each benefit program.
        traces: Lines of that program which ran in the end, in order of first execution.
        errors: Where each wrong verdict comes from, by program.
        edition: Year of the rules.
        contested: The programs whose label is contested.
        weights: How much each program counts; those that are not there count 1.
        par: The fewest questions that force its labels; nothing if unknown.
        facts_asked: How many facts of members and the household its questions ask for, a fact that
            is asked for again counted again; nothing where a question was not read.
    """

    household: str
    dataset: str
    agent: str
    roles: dict[str, str]
    size: int
    labels: dict[str, bool]
    verdicts: dict[str, bool]
    trial: int = 1
    turns: list[Turn] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    code: dict[str, str] = field(default_factory=dict)
    traces: dict[str, list[int]] = field(default_factory=dict)
    usage: dict[str, Usage] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    edition: int = 0
    contested: list[str] = field(default_factory=list)
    weights: dict[str, float] = field(default_factory=dict)
    par: int | None = None
    facts_asked: int | None = None

    @property
    def counts(self) -> dict[str, float]:
        """True and false positives and negatives, turns and clarifications of this dialog.

        Pairs count by their weights: scores of a sample are those of the city.
        """
        confusion: dict[tuple[bool, bool], float] = defaultdict(int)
        for name, label in self.labels.items():
            confusion[label, self.verdicts[name]] += self.weights.get(name, 1)
        return {
            "tp": confusion[True, True],
            "fp": confusion[False, True],
            "fn": confusion[True, False],
            "tn": confusion[False, False],
            "turns": len(self.turns),
            "clarifications": sum(turn.kind == "clarification" for turn in self.turns),
        }

    def blame(self) -> dict[str, str]:
        """Return whose each wrong verdict is: `user` after an unfaithful answer, else `agent`.

        Verdicts come at the end of a dialog, but those of generated programs one by one.
        """
        crashed = {item.program for item in self.failures if item.kind.startswith("code_")}
        names, whose = list(self.labels), {}
        for name in self.errors:
            is_decided_early = name in self.traces and name not in crashed
            later = names[names.index(name) + 1 :] if is_decided_early else ()
            before = (turn for turn in self.turns if turn.program not in later)
            misled = any(turn.faithfulness == "unfaithful" for turn in before)
            whose[name] = "user" if misled else "agent"
        return whose

    def to_record(self) -> dict[str, Any]:
        """Return the dialog as plain data for a log."""
        return {"version": RECORD_VERSION, **asdict(self)}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Dialog":
        """Return the dialog that `to_record` wrote down.

        Raises:
            EvaluationError: The record is of another version.
        """
        data = dict(record)
        version = data.pop("version", None)
        if version != RECORD_VERSION:
            raise EvaluationError(
                f"This log holds dialogs of version {version}, expected {RECORD_VERSION}. "
                "Read it with the release that wrote it, or run the evaluation again.",
                version=version,
            )
        data["turns"] = [Turn(**turn) for turn in data["turns"]]
        data["failures"] = [Failure(**failure) for failure in data["failures"]]
        data["usage"] = {role: Usage(**usage) for role, usage in data["usage"].items()}
        return cls(**data)
