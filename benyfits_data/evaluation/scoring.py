"""Scores inside inspect, and what follows from a dialog and its household: whence errors come.

Metrics are of the sums of all dialogs, whatever reduces inspect's trials. What answers are, and
where errors come from, is derived from what was read of each turn, so that any log can be held
again: `faithfulness` can be run by `inspect score` with another reader.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from inspect_ai.model import get_model
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from benyfits_data.editions import Program, load_edition
from benyfits_data.evaluation.model_calls import InspectModels, ServerState
from benyfits_data.evaluation.reading import DialogReading, Reader
from benyfits_data.evaluation.record import CANONICAL, NO_USER, RECORD, VERDICTS, Dialog, Turn
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.par.questions import GIVEN
from benyfits_data.understanding.claims import judge
from benyfits_data.understanding.facts import (
    BaseFact,
    base_facts,
    look_up,
)


@metric(scores="unreduced")
def micro_f1() -> Metric:
    """Return the metric of micro F1, in percent, over the pairs of all dialogs."""

    def compute(scores: list[SampleScore]) -> float:
        tp = _total(scores, "tp")
        wrong = _total(scores, "fp") + _total(scores, "fn")
        return 200 * tp / (2 * tp + wrong) if tp or wrong else float("nan")

    return compute


@metric(scores="unreduced")
def turns() -> Metric:
    """Return the metric of turns per dialog, clarifications included."""

    def compute(scores: list[SampleScore]) -> float:
        return _total(scores, "turns") / max(1, len(scores))

    return compute


@metric(scores="unreduced")
def faithful() -> Metric:
    """Return the metric of faithful answers, in percent of those that were read."""

    def compute(scores: list[SampleScore]) -> float:
        read = sum(_total(scores, kind) for kind in VERDICTS[:-1])
        return 100 * _total(scores, "faithful") / read if read else float("nan")

    return compute


@scorer(metrics=[micro_f1(), turns()])
def pairs() -> Scorer:
    """Return the scorer of true and false positives and negatives, and turns, of a dialog."""

    async def score(state: TaskState, target: Target) -> Score:
        dialog = Dialog.from_record(state.store.get(RECORD))
        wrong = [
            f"{name} ({dialog.errors[name].replace('_', ' ')}; the {whose}'s)"
            for name, whose in dialog.blame().items()
        ]
        reasons = [f"{failure.kind}: {failure.message}" for failure in dialog.failures]
        return Score(
            value=dict(dialog.counts),
            answer=", ".join(name for name, verdict in dialog.verdicts.items() if verdict),
            explanation="\n".join([f"Wrong: {', '.join(wrong) or 'none'}.", *reasons]),
        )

    return score


@scorer(metrics=[faithful()])
def faithfulness(reader: str | None = None) -> Scorer:
    """Return the scorer of how the user's answers hold against the household.

    Args:
        reader: A model that reads the dialog anew; what the run's own reader read unless given.
            The score then holds the dialog as it was read, and `results` goes by that.
    """

    async def score(state: TaskState, target: Target) -> Score:
        dialog = Dialog.from_record(state.store.get(RECORD))
        metadata: dict[str, Any] = {"reader": reader or dialog.roles.get("reader", "none")}
        if reader:
            household = Household.from_facts(state.metadata["household"], constrained=False)
            reading = DialogReading(household, open_reader(reader))
            for turn in dialog.turns:
                if turn.reader != CANONICAL:
                    turn.asks, turn.claims, turn.reader = None, None, ""
                reading.read_exactly(turn)
            await reading.read(dialog.turns)
            derive(dialog, household)
            dialog.roles["reader"] = reader
            metadata[RECORD] = dialog.to_record()
        counts = Counter(turn.faithfulness for turn in dialog.turns)
        return Score(value={kind: counts[kind] for kind in VERDICTS}, metadata=metadata)

    return score


def open_reader(name: str) -> Reader:
    """Return a model of inspect by its name as a reader."""
    return Reader(name, InspectModels({"reader": get_model(name)}, ServerState()))


def _total(scores: list[SampleScore], name: str) -> float:
    return float(sum(float(item.score.as_dict()[name] or 0) for item in scores))


def derive(dialog: Dialog, household: Household) -> None:
    """Give a dialog its verdicts on answers, the facts it asked for, and its errors.

    Args:
        dialog: A dialog whose turns were read.
        household: The household it was about.
    """
    for turn in dialog.turns:
        judge_turn(turn, household)
    are_read = all(turn.asks is not None for turn in dialog.turns)
    n_facts = sum(len(facts_asked(turn, household)) for turn in dialog.turns)
    dialog.facts_asked = n_facts if are_read else None
    dialog.errors = explain_errors(dialog, household, load_edition(dialog.edition).programs)


def judge_turn(turn: Turn, household: Household) -> None:
    """Give a turn how its answer holds against the household, and what is so."""
    facts = facts_asked(turn, household)
    parts = (
        f"{name}{'' if number is None else f' of member {number}'}: "
        f"{look_up(name, number, household)}"
        for name, number in facts
    )
    turn.fact = "; ".join(parts) or None
    turn.faithfulness = "not_read"
    if turn.claims is not None:
        turn.faithfulness = judge(turn.asks or (), turn.claims, household)


def facts_asked(turn: Turn, household: Household) -> tuple[BaseFact, ...]:
    """Return the facts that a question asks for; none where it was not read, or asks for none.

    Who the applicant is, is told to nobody and known to everybody.
    """
    facts = base_facts(turn.asks or (), len(household.members))
    return tuple(fact for fact in facts if fact != GIVEN)


def explain_errors(
    dialog: Dialog, household: Household, programs: Mapping[str, Program]
) -> dict[str, str]:
    """Return the kind of each wrong verdict, by program; the first that applies.

    - `no_verdict`: the dialog broke off, or no verdict could be read.
    - `limit_reached`: the questions were used up before the program was decided.
    - `user_wrong`: an answer about a fact that decides is not so.
    - `answer_misread`: an answer about such a fact was kept as another value, or as none.
    - `not_known`: a question or an answer that may have mattered was not read.
    - `stopped_early`: some fact that decides was never asked about.
    - `program_wrong`, `reasoned_wrong`: a generated program, or the model, was wrong all the same.

    Facts that decide are those our checker reads of this household.

    Args:
        dialog: A dialog whose turns are held against the household already.
        household: The household it was about.
        programs: Our programs, by name.
    """
    return {
        name: _explain(dialog, name, household, programs)
        for name, label in dialog.labels.items()
        if dialog.verdicts[name] != label
    }


def facts_that_decide(household: Household, program: Program) -> set[BaseFact]:
    """Return the facts that a checker reads of a household."""
    read: set[BaseFact] = set()
    watched: Any = _Watched(household, read)
    program.checker(watched, program.thresholds)
    return read


class _Watched:
    """A household or a member that notes which facts are read of it."""

    def __init__(self, owner: Any, read: set[BaseFact], number: int | None = None) -> None:
        self._owner = owner
        self._read = read
        self._number = number
        self._members: list[_Watched] = []

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._owner, name)
        if name in ("members", "applicant"):
            # Made once: a checker may ask whether two members are the same.
            everybody = enumerate(self._owner.members)
            self._members = self._members or [
                _Watched(each, self._read, n) for n, each in everybody
            ]
            return self._members if name == "members" else self._members[0]
        if self._number is None and name in HOUSEHOLD_FEATURES:
            self._read.add((name, None))
        if self._number is not None and name in MEMBER_FEATURES:
            self._read.add((name, self._number))
        return value


def _explain(
    dialog: Dialog, name: str, household: Household, programs: Mapping[str, Program]
) -> str:
    kinds = {item.kind for item in dialog.failures if item.program in (None, name)}
    if kinds & {"agent_failed", "verdict_not_parsed"}:
        return "no_verdict"
    if "limit_reached" in kinds:
        return "limit_reached"
    if dialog.agent == NO_USER:
        return "reasoned_wrong"
    decide = facts_that_decide(household, programs[name]) if name in programs else set()
    asked = [(turn, set(facts_asked(turn, household))) for turn in dialog.turns]
    about = [turn for turn, facts in asked if facts & decide or turn.program == name]
    if any(turn.faithfulness == "unfaithful" for turn in about):
        return "user_wrong"
    if any(_is_misread(turn, household) for turn in about):
        return "answer_misread"
    if any(turn.faithfulness == "not_read" for turn in about):
        return "not_known"
    if name in dialog.code and not kinds & {"code_crashed", "code_looped"}:
        return "program_wrong"
    if decide - {GIVEN}.union(*(facts for _, facts in asked)):
        return (
            "stopped_early" if all(turn.asks is not None for turn in dialog.turns) else "not_known"
        )
    return "reasoned_wrong"


def _is_misread(turn: Turn, household: Household) -> bool:
    """Whether the value kept of an answer differs from the household's, where both are known."""
    facts = facts_asked(turn, household)
    if turn.value is None or len(facts) != 1 or turn.faithfulness != "faithful":
        return False
    return _plain(turn.value) != _plain(str(look_up(*facts[0], household)))


def _plain(value: str) -> str:
    word = value.strip().lower().replace("_", " ")
    word = {"true": "yes", "false": "no"}.get(word, word)
    digits = word.replace("-", "")
    try:
        return str(float(digits if len(digits) == 8 and digits.isdigit() else word))
    except ValueError:
        return word
