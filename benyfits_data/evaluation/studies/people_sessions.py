"""Who talks with which agent about which household, in which order, and how it felt.

Workload is the raw NASA-TLX: six scales from 0 to 100, and their mean (Hart 2006, "NASA-Task Load
Index (NASA-TLX); 20 years later", doi 10.1177/154193120605000909).
"""

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from time import monotonic

import click
import numpy as np
import pandas as pd
from scipy import stats

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.evaluation.players.users import show
from benyfits_data.evaluation.results.table import Table, figure, tabulate
from benyfits_data.rng import stream

FILE = "study.csv"
SCALES = {
    "mental": ("How mentally demanding was it?", "very low", "very high"),
    "physical": ("How physically demanding was it?", "very low", "very high"),
    "temporal": ("How hurried was the pace?", "very low", "very high"),
    "performance": ("How well did you do what you were asked to?", "perfect", "failure"),
    "effort": ("How hard did you have to work for it?", "very low", "very high"),
    "frustration": ("How insecure, annoyed or stressed were you?", "very low", "very high"),
}
"""The six scales: what is asked, and what 0 and 100 mean."""
CONSENT = """
Thank you for your interest. {}: please do not tell anything about yourself. What you type and six
ratings a dialog are kept on this machine, under the number you were given and without your name.
You may stop at any time with Ctrl-C; what you finished is kept, and you can go on later. Nothing
here is an official decision.

Do you agree?"""
CONSENT_SPEAKING = """You will talk with computer programs that find out which public benefits a
household may claim. You will speak for households that are made up"""
CONSENT_ASKING = """You will find out which public benefits a household may claim, by asking a
computer program that speaks for it. The households are made up"""
SPEAKING = """You are the person below. Answer the questions from what you read. Person 2 is the
second one described, and so on."""
ASKING = """You ask: find out with as few questions as possible which of the programs below a
household may claim. Send an empty line when you can decide."""
_PARTICIPANT = re.compile(r"[A-Za-z0-9-]{1,20}")


@dataclass(frozen=True)
class StudySession:
    """One dialog of one participant.

    Attributes:
        participant: The participant's number, no name.
        position: Which of the participant's dialogs it is, from 1.
        order: In which order the participant meets the agents, such as `proada>direct`.
        agent: The agent of this dialog; `human`: the participant asks.
        household: Id of the household's row.
    """

    participant: str
    position: int
    order: str
    agent: str
    household: str


COLUMNS = (*StudySession.__dataclass_fields__, *SCALES, "remarks", "seconds", "logs")


def plan_sessions(
    participant: str,
    rows: Sequence[PlannedDialog],
    agents: Sequence[str],
    each: int,
    finished: Sequence[dict[str, str]],
    seed: int = 0,
) -> list[StudySession]:
    """Return a participant's dialogs: new households, agents in an order that others balance.

    With n agents, every n participants in turn begin with each of them once (a Latin square).

    Args:
        participant: The participant's number.
        rows: The households to choose from.
        agents: The agents.
        each: Dialogs with each agent.
        finished: The lines of the study so far.
        seed: Of the choice of households.

    Raises:
        EvaluationError: The number is no number, or there are too few households.
    """
    if not _PARTICIPANT.fullmatch(participant):
        raise EvaluationError(
            f"{participant!r} is no participant's number: use up to 20 letters, digits and "
            "hyphens, and no name."
        )
    if len(rows) < each * len(agents):
        raise EvaluationError(
            f"{len(agents)} agents with {each} dialogs each need {each * len(agents)} households; "
            f"the set has {len(rows)}. Choose fewer dialogs, or another set."
        )
    known = list(dict.fromkeys(line["participant"] for line in finished))
    place = known.index(participant) if participant in known else len(known)
    first = place % len(agents)
    turned = [*agents[first:], *agents[:first]]
    drawn = stream(seed, "study", participant).permutation(len(rows))[: each * len(agents)]
    return [
        StudySession(participant, at + 1, ">".join(turned), turned[at % len(agents)], rows[row].id)
        for at, row in enumerate(drawn)
    ]


def read_study(path: Path) -> list[dict[str, str]]:
    """Return the finished dialogs of a study; none where it has not begun.

    Raises:
        EvaluationError: The file has other columns.
    """
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise EvaluationError(f"{path} is no study: expected the columns {', '.join(COLUMNS)}.")
        return list(reader)


def hold_study(
    sessions: Sequence[StudySession], path: Path, play: Callable[[StudySession], str]
) -> int:
    """Return how many dialogs were held: those of the plan that are not finished yet.

    Args:
        sessions: The plan of the participant, who is at this terminal.
        path: The study's file; a line is added after every dialog.
        play: Plays a dialog and returns the folder of its logs.

    Raises:
        click.Abort: The participant does not agree, or stops.
    """
    done = {(line["participant"], int(line["position"])) for line in read_study(path)}
    left = [session for session in sessions if (session.participant, session.position) not in done]
    if left:
        is_asking = all(session.agent == "human" for session in left)
        consent = CONSENT.format(CONSENT_ASKING if is_asking else CONSENT_SPEAKING)
        click.confirm(consent, abort=True, err=True)
    for session in left:
        click.clear()
        instruction = ASKING if session.agent == "human" else SPEAKING
        show(f"Dialog {session.position} of {len(sessions)}. {instruction}")
        began = monotonic()
        logs = play(session)
        seconds = round(monotonic() - began)
        show("\nPlease rate the dialog that you just had, each from 0 to 100.")
        line: dict[str, object] = {**asdict(session), "seconds": seconds, "logs": logs}
        for name, (asked, low, high) in SCALES.items():
            asked = f"{asked} 0: {low}, 100: {high}"
            line[name] = click.prompt(asked, type=click.IntRange(0, 100), err=True)
        line["remarks"] = click.prompt(
            "Anything else that you noticed?", default="", show_default=False, err=True
        )
        _add(path, line)
    show("That was all. Thank you very much.")
    return len(left)


def _add(path: Path, line: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(line)


NOTE = (
    "Raw NASA-TLX: the mean of six scales from 0 to 100, lower is less demanding; 95% "
    "bootstrap intervals over participants."
)
TEST_NOTE = "p of a paired permutation test (signs of differences exchanged), two-sided."
_SMALLEST = 2
"""Participants of an interval or a test."""


def workload_tables(lines: Sequence[dict[str, str]]) -> list[Table]:
    """Return a study's workload by agent, and the agents compared within participants.

    Args:
        lines: The lines of `study.csv`.
    """
    frame = pd.DataFrame(lines).astype(dict.fromkeys(SCALES, float))
    frame["workload"] = frame[list(SCALES)].mean(axis=1)
    means = frame.pivot_table("workload", "participant", "agent")
    rows = []
    for agent, held in frame.groupby("agent"):
        values = means[agent].dropna()
        low, high = _interval(values)
        workload = f"{figure(values.mean())} [{figure(low)}, {figure(high)}]"
        scales = [figure(held[name].mean()) for name in SCALES]
        rows.append((agent, len(values), len(held), workload, *scales))
    columns = "; ".join(("agent", "participants", "dialogs", "workload", *SCALES))
    tables = [tabulate("Workload of people", columns, rows, NOTE)]
    compared = []
    for first, second in combinations(means, 2):
        differences = (means[second] - means[first]).dropna()
        if len(differences) >= _SMALLEST:
            test = stats.permutation_test(
                (differences,), np.mean, permutation_type="samples", rng=np.random.default_rng(0)
            )
            shown = f"{differences.mean():+.1f}", figure(float(test.pvalue), 3)
            compared.append((f"{second} - {first}", len(differences), *shown))
    title, columns = "Workload compared within participants", "agents; participants; difference; p"
    tables.append(tabulate(title, columns, compared, TEST_NOTE))
    return [table for table in tables if table.rows]


def _interval(values: "pd.Series[float]") -> tuple[float, float]:
    if len(values) < _SMALLEST or np.ptp(values) == 0:
        return float("nan"), float("nan")
    low, high = stats.bootstrap(
        (values,), np.mean, method="percentile", rng=np.random.default_rng(0)
    ).confidence_interval
    return float(low), float(high)
