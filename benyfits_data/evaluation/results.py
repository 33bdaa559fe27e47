"""Runs read back from their logs: dialogs grouped by agent and by who played which role."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.dialog import RECORD, Dialog
from benyfits_data.evaluation.models import require_inspect

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

PAPER = Path(__file__).parent / "paper_results.csv"
"""The published rows, on the published data."""

LOG_SUFFIX = ".eval"


@dataclass
class Run:
    """Every dialog of one agent with the same players and the same rules.

    Attributes:
        agent: The agent.
        roles: Who played each role.
        edition: Year of the rules.
        dialogs: Its dialogs by dataset.
    """

    agent: str
    roles: dict[str, str]
    edition: int
    dialogs: dict[str, list[Dialog]] = field(default_factory=dict)

    @property
    def models(self) -> str:
        """Who plays, in few words: the dialog model, and the others where they differ."""
        if not self.roles:
            return "none"
        return ", ".join(f"{role} {name}" for role, name in self.roles.items())

    @property
    def title(self) -> str:
        """The run in one line."""
        return f"{self.agent} ({self.models})"


@dataclass(frozen=True)
class PaperRow:
    """One row of the paper's Table 1, on the published data."""

    source: str
    agent: str
    dialog_model: str
    diverse_f1: float
    diverse_turns: float
    representative_f1: float
    representative_turns: float
    average_f1: float
    average_turns: float
    turn_weighted_f1: float


def find_logs(places: Sequence[Path]) -> list[Path]:
    """Return the log files in some places, oldest first.

    Args:
        places: Log files, or folders that are searched.

    Raises:
        EvaluationError: A place does not exist or holds no log.
    """
    found: set[Path] = set()
    for place in places:
        logs = [place] if place.is_file() else sorted(place.rglob(f"*{LOG_SUFFIX}"))
        if not logs:
            raise EvaluationError(
                f"{place} holds no evaluation log ({LOG_SUFFIX}). Run `benyfits-data eval` first, "
                "or name its log folder.",
                path=str(place),
            )
        found.update(logs)
    return sorted(found, key=lambda path: (path.name, str(path)))


def read_logs(paths: Sequence[Path]) -> list[Dialog]:
    """Return the dialogs of some logs.

    Args:
        paths: Log files, oldest first.

    Raises:
        EvaluationError: A log is not of this benchmark.
        MissingExtraError: inspect-ai is not installed.
    """
    require_inspect()
    from inspect_ai.log import read_eval_log

    return read_dialogs(read_eval_log(str(path)) for path in paths)


def read_dialogs(logs: Iterable["EvalLog"]) -> list[Dialog]:
    """Return the dialogs of some logs; a repetition of the same dialog replaces the earlier one.

    Args:
        logs: Logs with their samples, oldest first.

    Raises:
        EvaluationError: A log is not of this benchmark.
    """
    dialogs: dict[tuple[object, ...], Dialog] = {}
    for log in logs:
        for sample in log.samples or []:
            if sample.error:
                continue
            record = sample.store.get(RECORD)
            if record is None:
                raise EvaluationError(
                    f"{log.location} holds samples without a dialog: it is a log of another task, "
                    f"{log.eval.task}. Name logs written by `benyfits-data eval`.",
                    log=log.location,
                )
            dialog = Dialog.from_record(record)
            dialogs[*_key(dialog), dialog.dataset, dialog.household, dialog.trial] = dialog
    return list(dialogs.values())


def group_runs(dialogs: Iterable[Dialog]) -> list[Run]:
    """Return runs: dialogs of different agents, players or editions are never mixed.

    Args:
        dialogs: Any dialogs.
    """
    runs: dict[tuple[object, ...], Run] = {}
    for dialog in dialogs:
        run = runs.setdefault(_key(dialog), Run(dialog.agent, dialog.roles, dialog.edition))
        run.dialogs.setdefault(dialog.dataset, []).append(dialog)
    return [runs[key] for key in sorted(runs, key=str)]


def read_paper() -> list[PaperRow]:
    """Return the published rows."""
    with PAPER.open(encoding="utf-8", newline="") as file:
        return [
            PaperRow(
                row["source"],
                row["agent"],
                row["dialog_model"],
                *(float(row[name]) for name in list(row)[3:]),
            )
            for row in csv.DictReader(file)
        ]


def _key(dialog: Dialog) -> tuple[object, ...]:
    return dialog.agent, tuple(sorted(dialog.roles.items())), dialog.edition
