"""What one dialog leaves behind: the record every score, table and transcript is made of."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from benyfits_data.errors import EvaluationError
from benyfits_data.understanding.claims import Claims, Verdict
from benyfits_data.understanding.query import Queries, Query

TurnKind = Literal["question", "clarification"]
Faithfulness = Verdict | Literal["not_understood", "not_read"]
VERDICTS: tuple[Faithfulness, ...] = (*get_args(Verdict), "not_understood", "not_read")
Use = Literal["relevant", "irrelevant", "repeated", "unmapped"]

RECORD = "dialog"
"""Where a sample's store keeps the record of its dialog."""

RECORD_VERSION = 4
"""Raised when a field changes its meaning; older logs are then refused, not misread."""


NO_USER = "no-user"
"""The agent that reads the profile: no question of its tells what a verdict rests on."""
CANONICAL = "canonical"
"""Who read a turn whose words are our own: exact, and no model."""


@dataclass
class Unsent:
    """What a user said that was held against the household first, and was not sent.

    Attributes:
        text: Its words.
        claims: What they say, as plain data; nothing where that was not understood.
        wrong: What was wrong with them.
    """

    text: str
    claims: dict[str, Any] | None
    wrong: list[str]


@dataclass
class Turn:
    """One question and its answer: for which program, fact and member it was asked.

    What a reader read is kept as plain data, so that all that is derived from it can be derived
    again: `faithfulness`, `fact` and `use` are no more than that.

    Attributes:
        member: The member's number; nothing for the household, or where the agent does not know.
        line: The line of the generated program that read the key.
        code: The text of that line.
        value: The value stored, as text; nothing when none was found.
        queries: What the question asks; empty where the reader did not understand it, nothing
            where nobody read it.
        claims: What the answer says; nothing where it was not read, or not understood.
        reader: Who read question and answer; empty where not both were read.
        unsent: What a proven user said before and did not send.
        is_replaced: Whether our own sentence stands in for what a proven user said.
        faithfulness: The answer held against the household.
        fact: What the question asks for, and what is so.
        use: `repeated`: asked for what was answered before; `irrelevant`: could change no verdict
            any more, given the answers so far; `unmapped`: no fact of the household was found in
            it; nothing where it was not measured.
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
    queries: list[dict[str, Any]] | None = None
    claims: dict[str, Any] | None = None
    reader: str = ""
    unsent: list[Unsent] = field(default_factory=list)
    is_replaced: bool = False
    faithfulness: Faithfulness = "not_read"
    fact: str | None = None
    use: Use | None = None

    @property
    def asked(self) -> Queries:
        """What the question asks; nothing where it was not read or not understood."""
        return tuple(map(Query.from_record, self.queries or ()))

    @property
    def said(self) -> Claims | None:
        """What the answer says; nothing where it was not read or not understood."""
        return None if self.claims is None else Claims.from_record(self.claims)


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
class Replay:
    """Verdicts that turned out wrong, decided again on proven answers.

    Attributes:
        kept: The turns that were faithful, whose answers stood as they were.
        verdicts: The new verdicts by program; empty where the agent could not decide again.
        is_proven: Whether every other answer was evaluated on the household.
    """

    kept: list[int]
    verdicts: dict[str, bool] = field(default_factory=dict)
    is_proven: bool = False


@dataclass
class Dialog:
    """One finished dialog; `household` is the dataset row's id, `size` its members.

    Attributes:
        labels: The checker's verdict per program of interest.
        verdicts: The agent's.
        trial: Which repetition this is, from 1.
        code: The program written for each benefit program.
        traces: Lines of that program which ran in the end, in order of first execution.
        replay: What the agent decided on proven answers; nothing where that could tell nothing.
        errors: Where each wrong verdict comes from, by program.
        acquitted: Whether each wrong verdict turns right on proven answers; nothing if unknown.
        edition: Year of the rules.
        contested: The programs whose label is contested.
        flips: The options under which a label would be the other one, by program.
        weights: How many pairs of the city each program stands for; empty in sets that are no
            sample.
        par: The fewest questions that force its labels, on the agent's track; nothing if unknown.
        proven: Whether the answers prove each verdict; nothing where not all answers could be read.
            Empty where it was not measured.
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
    replay: Replay | None = None
    errors: dict[str, str] = field(default_factory=dict)
    acquitted: dict[str, bool | None] = field(default_factory=dict)
    edition: int = 0
    contested: list[str] = field(default_factory=list)
    flips: dict[str, list[str]] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    par: int | None = None
    proven: dict[str, bool | None] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, float]:
        """True and false positives and negatives, turns and clarifications of this dialog.

        Pairs count by their weights where they have any: scores are then those of the city.
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
        """Return whose each wrong verdict is, by program: the agent's, the user's, or unknown."""
        whose = {True: "user", False: "agent", None: "unknown"}
        return {name: whose[self.acquitted.get(name)] for name in self.errors}

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
        data["turns"] = [
            Turn(**{**turn, "unsent": [Unsent(**said) for said in turn["unsent"]]})
            for turn in data["turns"]
        ]
        data["replay"] = data["replay"] and Replay(**data["replay"])
        data["failures"] = [Failure(**failure) for failure in data["failures"]]
        data["usage"] = {role: Usage(**usage) for role, usage in data["usage"].items()}
        return cls(**data)
