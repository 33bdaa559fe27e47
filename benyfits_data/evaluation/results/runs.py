"""Runs read back from their logs: every planned dialog, scored or named as unscored."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pandas as pd

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.break_offs import describe_exception
from benyfits_data.evaluation.models import REFERENCE
from benyfits_data.evaluation.record import CANONICAL, RECORD, Dialog, Failure
from benyfits_data.evaluation.results.frames import pairs_of
from benyfits_data.evaluation.row_par import Shown, fill_par, silent
from benyfits_data.evaluation.run_manifest import (
    Manifest,
    compare_manifests,
    digest,
    list_settings,
    manifest_of,
)
from benyfits_data.par.tracks import Track

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

LOG_SUFFIX = ".eval"
UNREAD = {"attachments", "events", "events_data", "messages"}
"""Parts of a logged dialog that are there for `inspect view`: most of a log."""
_REPRESENTED = re.compile(r"^\w+\((['\"])(.*)\1\)$", re.DOTALL)


@dataclass
class Run:
    """Every dialog of one manifest: one agent, one dataset, one set of players and settings.

    Attributes:
        manifest: What was played, and how.
        dialogs: The scored dialogs, by household and trial.
        unscored: Why each planned dialog that is not scored is not, by household and trial.
        name: The dataset's name in tables.
        mark: What else tells the run apart from others with the same agent and players.
        asked: The row that each dialog is about, as its log keeps it, by household.
    """

    manifest: Manifest
    dialogs: list[Dialog] = field(default_factory=list)
    unscored: dict[tuple[str, int], str] = field(default_factory=dict)
    name: str = ""
    mark: str = ""
    asked: dict[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        data = self.data
        self.name = str(data["column"] or data["name"])
        if data["dialogs"] != data["of"]:
            self.name += f" ({data['dialogs']} of {data['of']})"

    @property
    def data(self) -> dict[str, Any]:
        """What was played."""
        return dict(self.manifest["dataset"])

    @property
    def pairs(self) -> pd.DataFrame:
        """The pairs of all scored dialogs; see `frames.pairs_of`."""
        return pairs_of(self.dialogs)

    @property
    def settings(self) -> dict[str, Any]:
        """How it was played: the same for both of the benchmark's datasets."""
        return {key: value for key, value in self.manifest.items() if key != "dataset"}

    @property
    def agent(self) -> str:
        """The agent's name."""
        agent, limit = self.manifest["agent"], self.manifest.get("limits", {}).get("max_turns")
        # Turns of different tracks, or under other limits, are no comparison: other agents.
        track = f" --track {agent['questions']}" if "questions" in agent else ""
        return f"{agent['name']}{track}" + (f" --max-turns {limit}" if limit else "")

    @property
    def track(self) -> str:
        """What one question may ask; agents without tracks are held against single facts."""
        return str(self.manifest["agent"].get("questions", "one"))

    @property
    def roles(self) -> dict[str, str]:
        """Who played each role."""
        return {role: str(player["model"]) for role, player in self.manifest["roles"].items()}

    @property
    def texts(self) -> str:
        """What agents read: `decided`, `plain`, or the name of a file of texts."""
        return str(self.manifest.get("texts", "decided"))

    @property
    def profiles(self) -> str:
        """What the user read: `short` or `full` profiles."""
        return str(self.manifest.get("profiles", "short"))

    @property
    def players(self) -> str:
        """The model of each role, once where all are the same; with the manner of the user."""
        players = self.roles
        user = self.manifest["roles"].get("user", {})
        manners = ["proven"] if user.get("is_proven") else []
        manners += [user["style"]] if user.get("style", "plain") != "plain" else []
        if manners:
            players["user"] = ", ".join([players["user"], *manners])
        names = set(players.values())
        if len(names) < 2:
            return "".join(names) or "none"
        if players.get("reader", "") == self.roles.get("user"):
            del players["reader"]
        return ", ".join(f"{role} {name}" for role, name in players.items() if name != REFERENCE)

    @property
    def models(self) -> str:
        """Who plays, in few words: models, and what else tells runs apart."""
        return f"{self.players}; {self.mark}" if self.mark else self.players

    @property
    def title(self) -> str:
        """The run in one line."""
        return f"{self.agent} ({self.models})"

    @property
    def planned(self) -> int:
        """How many dialogs were planned."""
        return int(self.data["dialogs"]) * int(self.manifest["trials"])

    @property
    def broken_off(self) -> list[Failure]:
        """What happened in each scored dialog that broke off."""
        failures = (failure for dialog in self.dialogs for failure in dialog.failures)
        return [failure for failure in failures if failure.kind == "agent_failed"]

    @property
    def is_broken(self) -> bool:
        """Whether the agent broke off in every dialog that is scored."""
        return len(self.broken_off) == len(self.dialogs) > 0

    @property
    def is_complete(self) -> bool:
        """Whether every dialog of the whole dataset is scored, and the agent ended some."""
        is_whole = not self.unscored and self.data["dialogs"] == self.data["of"]
        return is_whole and not self.is_broken


def find_logs(places: Sequence[Path]) -> list[Path]:
    """Return the log files in some places, oldest first.

    Args:
        places: Log files, or folders that are searched.

    Raises:
        EvaluationError: A place does not exist or holds no log.
    """
    log_files: set[Path] = set()
    for place in places:
        logs = [place] if place.is_file() else sorted(place.rglob(f"*{LOG_SUFFIX}"))
        if not logs:
            raise EvaluationError(
                f"{place} holds no evaluation log ({LOG_SUFFIX}). Run `benyfits-data eval` first, "
                "or name its log folder.",
                path=str(place),
            )
        log_files.update(logs)
    return sorted(log_files, key=lambda path: (path.name, str(path)))


def read_runs(paths: Iterable[Path | str]) -> list[Run]:
    """Return the runs of some logs, with every planned dialog: scored, or named as unscored.

    Args:
        paths: Log files, oldest first: a dialog that was played again replaces the earlier one.

    Raises:
        EvaluationError: A log is not of this benchmark.
        MissingExtraError: inspect-ai is not installed.
    """
    runs: dict[str, Run] = {}
    played: dict[str, list[tuple[tuple[str, int], Dialog]]] = {}
    for log in map(open_log, paths):
        manifest = _with_reader(log)
        identity = digest(manifest)
        run, dialogs = runs.setdefault(identity, Run(manifest)), played.setdefault(identity, [])
        reason = log.error.message if log.error else "not played yet"
        for household in log.eval.dataset.sample_ids or []:
            for trial in range(1, manifest["trials"] + 1):
                run.unscored.setdefault((str(household), trial), reason)
        for sample in log.samples or []:
            key = str(sample.id), sample.epoch
            if sample.error:
                run.unscored[key] = _REPRESENTED.sub(r"\2", sample.error.message)
            elif (dialog := dialog_of(sample)) is not None:
                dialogs.append((key, dialog))
                run.asked[str(sample.id)] = sample.metadata
    parts = [part for each, run in runs.items() for part in _part_by_server(run, played[each])]
    return mark_differences(parts)


def _part_by_server(run: Run, played: Sequence[tuple[tuple[str, int], Dialog]]) -> list[Run]:
    """Return a run for each combination of models that servers named: they may have changed.

    A dialog in which a role was never called goes with any model of that role.
    """
    served: dict[str, Counter[str]] = {role: Counter() for role in run.manifest["roles"]}
    for _, dialog in played:
        for role, counts in served.items():
            if name := _served_name(dialog, role):
                counts[name] += 1
    usual = {role: names.most_common(1)[0][0] for role, names in served.items() if names}
    parts: dict[tuple[str, ...], dict[tuple[str, int], Dialog]] = {}
    for key, dialog in played:
        names = tuple(_served_name(dialog, role) or name for role, name in usual.items())
        # A dialog that was played again replaces the earlier one.
        parts.setdefault(names, {})[key] = dialog
    runs = []
    for names, dialogs in parts.items():
        roles = {role: dict(player) for role, player in run.manifest["roles"].items()}
        for role, name in zip(usual, names, strict=True):
            roles[role] |= {"served": name} if name else {}
        part = replace(run, manifest={**run.manifest, "roles": roles})
        part.dialogs = [dialog for _, dialog in sorted(dialogs.items())]
        part.unscored = {key: why for key, why in run.unscored.items() if key not in dialogs}
        runs.append(part)
    return runs or [run]


def _served_name(dialog: Dialog, role: str) -> str:
    """Return the models that replied in a role; empty if it was not called, or nothing replied."""
    return "+".join(dialog.usage[role].served) if role in dialog.usage else ""


def complete_runs(runs: Sequence[Run], show: Shown = silent) -> None:
    """Set the par of dialogs that were played before it was known; compute what is missing.

    Args:
        runs: The runs; their dialogs are changed in place.
        show: Shows that floors are computed.
    """
    fill_par(
        (
            (dialog, run.asked[dialog.household], cast(Track, run.track))
            for run in runs
            for dialog in run.dialogs
            if dialog.par is None and dialog.household in run.asked
        ),
        show,
    )


def dialog_of(sample: "EvalSample") -> Dialog | None:
    """Return the dialog of a logged sample, as it was read last; nothing of one without a record.

    Raises:
        EvaluationError: The record is of another version.
    """
    again = _read_again(sample)
    record = again[RECORD] if again else sample.store.get(RECORD)
    return None if record is None else Dialog.from_record(record)


def _with_reader(log: "EvalLog") -> Manifest:
    """Return a log's manifest, with the reader who read its dialogs again, if one did."""
    manifest = manifest_of(log)
    for again in filter(None, map(_read_again, log.samples or [])):
        reader = {"model": again["reader"], "reads_again": True}
        return {**manifest, "roles": {**manifest["roles"], "reader": reader}}
    return manifest


def _read_again(sample: "EvalSample") -> dict[str, Any] | None:
    """Return what the last scorer left that read a dialog anew."""
    left = [score.metadata or {} for score in (sample.scores or {}).values()]
    return next((metadata for metadata in reversed(left) if RECORD in metadata), None)


def open_log(path: Path | str, *, with_samples: bool = True) -> "EvalLog":
    """Return a log of ours, but without what was said to the models.

    Args:
        path: The log.
        with_samples: Whether the dialogs are read.

    Raises:
        EvaluationError: The file is no log, or one of another task or release.
    """
    from inspect_ai.log import read_eval_log, read_eval_log_samples

    try:
        log = read_eval_log(str(path), header_only=True)
        if with_samples:
            samples = read_eval_log_samples(
                str(path), all_samples_required=False, exclude_fields=UNREAD
            )
            log.samples = list(samples)
    except Exception as error:  # Whatever the libraries raise that read a damaged file.
        raise EvaluationError(
            f"{path} is no evaluation log: {describe_exception(error)}. Name logs written by "
            "`benyfits-data eval`, or delete it.",
            path=str(path),
        ) from error
    manifest = (log.eval.metadata or {}).get("manifest")
    if not isinstance(manifest, dict) or not {"dataset", "agent", "roles"} <= manifest.keys():
        raise EvaluationError(
            f"{path} holds no manifest: it is a log of another task, {log.eval.task}, or "
            "of an older release. Name logs written by `benyfits-data eval`.",
            log=str(path),
        )
    return log


def mark_differences(runs: Iterable[Run]) -> list[Run]:
    """Return the runs in order; those with the same agent and players say in what they differ."""
    ordered = sorted(runs, key=lambda run: (run.agent, run.models, run.name, digest(run.manifest)))
    names = {}
    for run in ordered:
        alike = [each for each in ordered if (each.agent, each.players) == (run.agent, run.players)]
        differing = {
            key for each in alike for key in compare_manifests(run.settings, each.settings)
        }
        settings = list_settings(run.settings)
        run.mark = ", ".join(
            f"{key.removeprefix('roles.')} {settings[key]}"
            for key in sorted(differing)
            if settings.get(key) is not None and settings[key] is not False
        )
        others = (
            each
            for each in alike
            if (each.name, each.texts, each.profiles) == (run.name, run.texts, run.profiles)
        )
        is_ambiguous = any(each.data != run.data for each in others)
        names[id(run)] = f"{run.name} {digest(run.data)[:6]}" if is_ambiguous else run.name
    for run in ordered:
        run.name = names[id(run)]
    return ordered


def stack(
    runs: Sequence[Run], rows_of: Callable[[Sequence[Dialog]], pd.DataFrame] = pairs_of
) -> pd.DataFrame:
    """Return the rows of some runs in one frame.

    Columns before them: `number` of the run, `agent`, `run` (its title), `dataset`, `track`,
    `n` dialogs, and `read_by`: who read its turns.

    Args:
        runs: The runs.
        rows_of: What a row is.
    """
    frames = []
    for number, run in enumerate(runs):
        of_run = {"number": number, "agent": run.agent, "run": run.title, "dataset": run.name}
        of_run |= {
            "track": run.track,
            "n": len(run.dialogs),
            "read_by": _describe_reader(run.dialogs),
        }
        rows = rows_of(run.dialogs)
        if len(rows):
            before = pd.DataFrame([of_run] * len(rows), index=rows.index)
            frames.append(pd.concat([before, rows], axis=1))
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def _describe_reader(dialogs: Iterable[Dialog]) -> str:
    """Who read some dialogs: our own words are read exactly, others by a model."""
    counts = Counter(turn.reader for dialog in dialogs for turn in dialog.turns)
    readers = []
    for name, count in counts.most_common():
        share = "" if len(counts) == 1 else f"{100 * count / counts.total():.0f}% "
        how = "our own words (exact)" if name == CANONICAL else name or "not read"
        readers.append(share + how)
    return "; ".join(readers) or "-"
