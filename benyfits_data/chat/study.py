"""A study of people: who talks with which agent in which order, how accurate and how demanding.

Workload is the raw NASA-TLX: six scales and their mean (Hart 2006, "NASA-Task Load Index
(NASA-TLX); 20 years later", doi 10.1177/154193120605000909). The paper asked on five points.
"""

import json
import re
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.results.tables import Table, figure, tabulate
from benyfits_data.rng import stream
from benyfits_data.staged_writes import write_atomically

FILE, AGENTS = "dialogs.jsonl", "agents.txt"
PROGRAMS = 5
"""Programs of a dialog, as in the paper."""
ACCURACY = ("How accurate were the answers?", "not at all", "completely")
SCALES = {
    "mental": ("How mentally demanding was it?", "very low", "very high"),
    "physical": ("How physically demanding was it?", "very low", "very high"),
    "temporal": ("How hurried was the pace?", "very low", "very high"),
    "performance": ("How well did you do what you were asked to?", "perfect", "failure"),
    "effort": ("How hard did you have to work for it?", "very low", "very high"),
    "frustration": ("How insecure, annoyed or stressed were you?", "very low", "very high"),
}
"""The six scales: what is asked, and what the lowest and the highest point mean."""
CONSENT = """Thank you for your interest. You will talk with computer programs that find out which
public benefits a household may claim, and rate each dialog. What you type and your ratings are kept
on this machine, under the number you were given and without your name. Please type no names and no
addresses. You may stop at any time and go on later. Nothing here is an official decision."""
"""What a participant agrees to, where the study's folder has no consent.txt."""
_PARTICIPANT = re.compile(r"[A-Za-z0-9-]{1,20}")
_lock = threading.Lock()


@dataclass(frozen=True)
class StudyDialog:
    """One dialog of one participant, as a line of `dialogs.jsonl`.

    Attributes:
        participant: The participant's number, no name.
        position: Which of the participant's dialogs it is, from 1.
        order: In which order the participant meets the agents.
        agent: The agent of this dialog.
        household: Id of the made-up household, or `own`.
        programs: The programs that it was about.
        verdicts: What the agent said of each.
        turns: Questions that were answered.
        facts_asked: Facts that were asked for, where the agent asks through facts.
        accuracy: How accurate the participant found the verdicts, from 1 to `points`.
        workload: The six scales, from 1 to `points`.
        points: Points of each scale: 5 or 21.
        remarks: What else the participant noticed.
        seconds: How long the dialog took.
        logs: Folder of the log, beside the file.
    """

    participant: str
    position: int
    order: str
    agent: str
    household: str
    programs: Sequence[str]
    verdicts: dict[str, bool]
    turns: int
    facts_asked: int
    accuracy: int
    workload: dict[str, int] = field(default_factory=dict)
    points: int = 5
    remarks: str = ""
    seconds: int = 0
    logs: str = ""


class Study:
    """The folder of a study, which many participants may add to at once.

    Args:
        folder: The folder; made if it is not there.
        agents: The agents that each participant talks with.

    Raises:
        EvaluationError: The folder holds a study of other agents.
    """

    def __init__(self, folder: Path, agents: Sequence[str]) -> None:
        self.folder, self.agents = folder, tuple(agents)
        named = folder / AGENTS
        if named.exists() and (held := named.read_text(encoding="utf-8").strip()) != self._names:
            raise EvaluationError(
                f"{folder} is a study of {held}, not of {self._names}. Name these agents, or "
                "another folder."
            )
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(named, f"{self._names}\n".encode())
        self._known = list(
            dict.fromkeys(dialog["participant"] for dialog in read_study(folder / FILE))
        )

    @property
    def _names(self) -> str:
        return ",".join(self.agents)

    @property
    def consent(self) -> str:
        """What a participant agrees to."""
        path = self.folder / "consent.txt"
        return path.read_text(encoding="utf-8") if path.exists() else CONSENT

    def order(self, participant: str) -> tuple[str, ...]:
        """Return the agents in the order in which a participant meets them.

        With n agents, every n participants in turn begin with each of them once (a Latin square).

        Raises:
            EvaluationError: The number is no number.
        """
        if not _PARTICIPANT.fullmatch(participant):
            raise EvaluationError(
                f"{participant!r} is no participant's number: use up to 20 letters, digits and "
                "hyphens, and no name."
            )
        with _lock:
            if participant not in self._known:
                self._known.append(participant)
            first = self._known.index(participant) % len(self.agents)
        return (*self.agents[first:], *self.agents[:first])

    def held(self, participant: str) -> int:
        """Return how many dialogs of a participant are finished."""
        return sum(
            dialog["participant"] == participant for dialog in read_study(self.folder / FILE)
        )

    def household(self, participant: str, position: int, n_rows: int) -> int:
        """Return which made-up household a participant speaks for; none twice."""
        drawn = stream(0, "study", participant).permutation(n_rows)
        return int(drawn[(position - 1) % n_rows])

    def add(self, dialog: StudyDialog) -> None:
        """Add a finished dialog."""
        with _lock, (self.folder / FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(dialog)) + "\n")


def read_study(path: Path) -> list[dict[str, Any]]:
    """Return the finished dialogs of a study; none where it has not begun.

    Raises:
        EvaluationError: A line is none of a study.
    """
    if not path.exists():
        return []
    dialogs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            dialogs.append(asdict(StudyDialog(**json.loads(line))))
        except (ValueError, TypeError) as error:
            raise EvaluationError(
                f"{path}:{number} is no dialog of a study: {error}. Expected a JSON object with "
                f"{', '.join(StudyDialog.__dataclass_fields__)}."
            ) from error
    return dialogs


def forget(folder: Path, participant: str) -> int:
    """Return how many dialogs of a participant were deleted, with their logs."""
    import shutil

    dialogs = read_study(folder / FILE)
    kept = [dialog for dialog in dialogs if dialog["participant"] != participant]
    for dialog in dialogs:
        if dialog["participant"] == participant and dialog["logs"]:
            shutil.rmtree(folder / dialog["logs"], ignore_errors=True)
    lines = "".join(json.dumps(dialog) + "\n" for dialog in kept)
    write_atomically(folder / FILE, lines.encode())
    return len(dialogs) - len(kept)


NOTE = (
    "Workload: raw NASA-TLX, the mean of six scales from 0 to 100, lower is less demanding. "
    "Accuracy: as participants rated it, 0 to 100. 95% bootstrap intervals over participants."
)
TEST_NOTE = "p of a paired permutation test (signs of differences exchanged), two-sided."
_SMALLEST = 2
"""Participants of an interval or a test."""


def workload_tables(dialogs: Sequence[dict[str, Any]]) -> list[Table]:
    """Return a study's workload by agent, and the agents compared within participants.

    Args:
        dialogs: What `read_study` returns.
    """
    frame = pd.DataFrame(dialogs)
    top = frame["points"] - 1
    for name in SCALES:
        points = frame["workload"].map(lambda scales, name=name: scales[name])
        frame[name] = 100 * (points - 1) / top
    frame["workload"] = frame[list(SCALES)].mean(axis=1)
    frame["accuracy"] = 100 * (frame["accuracy"] - 1) / top
    rows = []
    for agent, held in frame.groupby("agent"):
        shown = []
        for name in ("workload", "accuracy"):
            values = held.groupby("participant")[name].mean()
            low, high = _interval(values)
            shown.append(f"{figure(values.mean())} [{figure(low)}, {figure(high)}]")
        burden = [figure(held[name].mean()) for name in ("turns", "facts_asked", *SCALES)]
        rows.append((agent, held["participant"].nunique(), len(held), *shown, *burden))
    columns = ("agent", "participants", "dialogs", "workload", "accuracy", "turns", "facts asked")
    tables = [tabulate("Workload of people", "; ".join((*columns, *SCALES)), rows, NOTE)]
    means = frame.pivot_table("workload", "participant", "agent")
    compared = []
    for first, second in combinations(means, 2):
        differences = (means[second] - means[first]).dropna()
        if len(differences) >= _SMALLEST:
            test = stats.permutation_test(
                (differences,), np.mean, permutation_type="samples", rng=np.random.default_rng(0)
            )
            shown = [f"{differences.mean():+.1f}", figure(float(test.pvalue), 3)]
            compared.append((f"{second} - {first}", len(differences), *shown))
    title, columns_ = "Workload compared within participants", "agents; participants; difference; p"
    tables.append(tabulate(title, columns_, compared, TEST_NOTE))
    return [table for table in tables if table.rows]


def _interval(values: "pd.Series[float]") -> tuple[float, float]:
    if len(values) < _SMALLEST or np.ptp(values) == 0:
        return float("nan"), float("nan")
    low, high = stats.bootstrap(
        (values,), np.mean, method="percentile", rng=np.random.default_rng(0)
    ).confidence_interval
    return float(low), float(high)
