"""Runs read back from their logs: dialogs grouped by agent and by who played which role."""

import csv
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.models import describe_error, require_inspect
from benyfits_data.evaluation.record import RECORD, Dialog
from benyfits_data.evaluation.run_manifest import (
    Manifest,
    compare_manifests,
    digest,
    list_settings,
    settings_of,
)

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

PAPER = Path(__file__).parent / "paper_results.csv"
"""The published rows, on the published data."""

LOG_SUFFIX = ".eval"
_REPRESENTED = re.compile(r"^\w+\((['\"])(.*)\1\)$", re.DOTALL)


@dataclass
class Run:
    """Every dialog that was played in the same way: by one agent, one set of players and settings.

    Attributes:
        settings: How they were played: the manifest without the dataset.
        data: What was played, by the name that tables show.
        dialogs: The scored dialogs, by the same names.
        unscored: Why each planned dialog that is not scored is not, by the same names.
    """

    settings: dict[str, Any]
    data: dict[str, dict[str, Any]] = field(default_factory=dict)
    dialogs: dict[str, list[Dialog]] = field(default_factory=dict)
    unscored: dict[str, dict[tuple[str, int], str]] = field(default_factory=dict)
    mark: str = ""

    @property
    def agent(self) -> str:
        """The agent's name."""
        return str(self.settings["agent"]["name"])

    @property
    def roles(self) -> dict[str, str]:
        """Who played each role."""
        return {role: str(told["model"]) for role, told in self.settings["roles"].items()}

    @property
    def models(self) -> str:
        """Who plays, in few words: the model of each role, and what else tells runs apart."""
        played = ", ".join(f"{role} {name}" for role, name in self.roles.items()) or "none"
        return f"{played}; {self.mark}" if self.mark else played

    @property
    def title(self) -> str:
        """The run in one line."""
        return f"{self.agent} ({self.models})"

    @property
    def editions(self) -> str:
        """Years of the rules it was played by."""
        return ", ".join(
            str(year) for year in sorted({y for d in self.data.values() for y in d["editions"]})
        )

    @property
    def digest(self) -> str:
        """Digest of the settings."""
        return digest(self.settings)

    def planned(self, name: str) -> int:
        """Return how many dialogs of a dataset were planned."""
        return int(self.data[name]["dialogs"]) * int(self.settings["trials"])

    def failed(self, name: str) -> int:
        """Return how many scored dialogs of a dataset broke off."""
        return sum(
            any(failure.kind == "agent_failed" for failure in dialog.failures)
            for dialog in self.dialogs[name]
        )

    def is_complete(self, name: str) -> bool:
        """Return whether every dialog of the whole dataset is scored."""
        told = self.data[name]
        return not self.unscored[name] and told["dialogs"] == told["of"]


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
    """Return the dialogs of some logs, oldest first; see `read_runs` for those without a score.

    Raises:
        EvaluationError: A log is not of this benchmark.
        MissingExtraError: inspect-ai is not installed.
    """
    # Together: a run that was killed and continued has two logs, and one dialog in both.
    return read_dialogs(open_logs(paths))


def read_runs(paths: Sequence[Path]) -> list[Run]:
    """Return the runs of some logs, with every planned dialog: scored, or named as unscored.

    Args:
        paths: Log files, oldest first.

    Raises:
        EvaluationError: A log is not of this benchmark.
        MissingExtraError: inspect-ai is not installed.
    """
    logs = list(open_logs(paths))
    planned: dict[str, tuple[Manifest, dict[tuple[str, int], str]]] = {}
    for log in logs:
        manifest, reasons = read_manifest(log), read_reasons(log)
        earlier = planned.setdefault(digest(manifest), (manifest, {}))[1]
        for household in log.eval.dataset.sample_ids or []:
            for trial in range(1, manifest["trials"] + 1):
                key = (str(household), trial)
                earlier[key] = reasons.get(key, earlier.get(key, "not played yet"))
    return group_runs(read_dialogs(logs), planned.values())


def read_manifest(log: "EvalLog") -> dict[str, Any]:
    """Return the manifest that a log holds.

    Raises:
        EvaluationError: It holds none.
    """
    manifest = (log.eval.metadata or {}).get("manifest")
    if not isinstance(manifest, dict) or not {"dataset", "agent", "roles"} <= manifest.keys():
        raise EvaluationError(
            f"{log.location} holds no manifest: it is a log of another task, {log.eval.task}, or "
            "of an older release. Name logs written by `benyfits-data eval`.",
            log=log.location,
        )
    return manifest


def read_reasons(log: "EvalLog") -> dict[tuple[str, int], str]:
    """Return why dialogs of a log were not scored, by household and trial."""
    return {
        (str(sample.id), sample.epoch): _REPRESENTED.sub(r"\2", sample.error.message)
        for sample in log.samples or []
        if sample.error
    }


def read_dialogs(logs: Iterable["EvalLog"]) -> list[Dialog]:
    """Return the dialogs of some logs; a repetition of the same dialog replaces the earlier one.

    Raises:
        EvaluationError: A log is not of this benchmark.
    """
    dialogs: dict[tuple[str, str, int], Dialog] = {}
    for log in logs:
        manifest = read_manifest(log)
        identity = digest(manifest)
        for sample in log.samples or []:
            if sample.error or RECORD not in sample.store:
                continue
            dialog = Dialog.from_record(sample.store[RECORD])
            dialog.manifest = manifest
            dialogs[identity, dialog.household, dialog.trial] = dialog
    return list(dialogs.values())


def group_runs(
    dialogs: Iterable[Dialog],
    planned: Iterable[tuple[Manifest, Mapping[tuple[str, int], str]]] = (),
) -> list[Run]:
    """Return runs: dialogs whose manifests differ in anything but the dataset are never mixed.

    Args:
        dialogs: The scored dialogs.
        planned: What each run planned, with why a dialog would be unscored.
    """
    runs: dict[str, Run] = {}
    names: dict[tuple[str, str], str] = {}

    def place(manifest: Manifest) -> tuple[Run, str]:
        settings = settings_of(manifest)
        run = runs.setdefault(digest(settings), Run(settings))
        key = digest(settings), digest(manifest["dataset"])
        if key not in names:
            names[key] = _name_data(manifest["dataset"], run.data)
            run.data[names[key]] = manifest["dataset"]
            run.dialogs[names[key]], run.unscored[names[key]] = [], {}
        return run, names[key]

    scored = set[tuple[str, str, str, int]]()
    for dialog in dialogs:
        run, name = place(dialog.manifest)
        run.dialogs[name].append(dialog)
        scored.add((run.digest, name, dialog.household, dialog.trial))
    for manifest, reasons in planned:
        run, name = place(manifest)
        run.unscored[name] |= {
            key: reason for key, reason in reasons.items() if (run.digest, name, *key) not in scored
        }
    found = sorted(runs.values(), key=lambda run: (run.agent, run.models, run.digest))
    _mark_differences(found)
    return found


def open_logs(paths: Sequence[Path]) -> Iterator["EvalLog"]:
    """Give the logs with their samples, in order.

    Raises:
        EvaluationError: A file is no log.
    """
    require_inspect()
    from inspect_ai.log import read_eval_log

    for path in paths:
        try:
            yield read_eval_log(str(path))
        except (ValueError, OSError, KeyError, zipfile.BadZipFile) as error:
            raise EvaluationError(
                f"{path} is no evaluation log: {describe_error(error)}. Name logs written by "
                "`benyfits-data eval`, or delete it.",
                path=str(path),
            ) from error


def _name_data(told: Mapping[str, Any], taken: Mapping[str, Any]) -> str:
    """What tables call a dataset: the benchmark's name, or the file's with what tells it apart."""
    name = str(told["column"] or told["name"])
    if told["dialogs"] != told["of"]:
        name += f" ({told['dialogs']} of {told['of']})"
    return f"{name} {digest(told)[:6]}" if name in taken else name


def _mark_differences(runs: Sequence[Run]) -> None:
    """Say of runs with the same agent and players in what else they differ."""
    alike: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        alike.setdefault((run.agent, run.models), []).append(run)
    for group in alike.values():
        differing = {
            name for run in group[1:] for name in compare_manifests(group[0].settings, run.settings)
        }
        for run in group:
            told = list_settings(run.settings)
            run.mark = ", ".join(f"{name} {told.get(name)}" for name in sorted(differing))


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
