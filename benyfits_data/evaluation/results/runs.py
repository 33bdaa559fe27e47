"""Runs read back from their logs: every planned dialog, scored or named as unscored."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.conversation import describe_exception
from benyfits_data.evaluation.models import REFERENCE
from benyfits_data.evaluation.record import RECORD, Dialog, Failure
from benyfits_data.evaluation.run_manifest import (
    Manifest,
    compare_manifests,
    digest,
    list_settings,
    manifest_of,
)
from benyfits_data.recorded import city_shares

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

LOG_SUFFIX = ".eval"
UNREAD = {"attachments", "events", "events_data", "messages"}
"""Parts of a logged dialog that are there for `inspect view`: most of a log."""
DIGITS = 4
"""Of a digest, where two of them are told apart."""
_DIGEST = re.compile(r"[0-9a-f]{16}")
_REPRESENTED = re.compile(r"^\w+\((['\"])(.*)\1\)$", re.DOTALL)

KINDS = tomllib.loads((Path(__file__).parent / "kinds.toml").read_text(encoding="utf-8"))
ERRORS: Mapping[str, str] = KINDS["errors"]
"""Where a wrong verdict comes from, in the words of the tables."""
FAILURES: Mapping[str, str] = KINDS["failures"]
"""What each kind of failure means."""
OF_DIALOG = (
    *("household", "trial", "edition", "size", "asked", "turns", "clarifications", "facts_asked"),
    *("par", "failures", "dialog"),
)
OF_PROGRAM = (
    *("dialog", "program", "label", "verdict", "weight", "contested"),
    *("error", "whose", "city_share"),
)


@dataclass
class Run:
    """Every dialog of one manifest: one agent, one dataset, one set of players and settings.

    Attributes:
        manifest: What was played, and how.
        dialogs: The scored dialogs, by household and trial.
        unscored: Why each planned dialog that is not scored is not, by household and trial.
        name: The dataset's name in tables.
        mark: What else tells the run apart from others with the same agent and players.
        data: What was played.
        settings: How it was played: the same for both of the benchmark's datasets.
        roles: Who played each role.
        texts: What agents read: `decided`, `plain`, or the name of a file of texts.
        profiles: What the user read: `short` or `full` profiles.
        planned: How many dialogs were planned.
    """

    manifest: Manifest
    dialogs: list[Dialog] = field(default_factory=list)
    unscored: dict[tuple[str, int], str] = field(default_factory=dict)
    name: str = ""
    mark: str = ""

    def __post_init__(self) -> None:
        of = self.manifest
        self.data: dict[str, Any] = dict(of["dataset"])
        self.settings = {key: value for key, value in of.items() if key != "dataset"}
        self.roles = {role: str(player["model"]) for role, player in of["roles"].items()}
        self.texts, self.profiles = of.get("texts", "decided"), of.get("profiles", "short")
        self.planned = int(self.data["dialogs"]) * int(of["trials"])
        self.name = str(self.data["column"] or self.data["name"])
        if self.data["dialogs"] != self.data["of"]:
            self.name += f" ({self.data['dialogs']} of {self.data['of']})"

    @property
    def pairs(self) -> pd.DataFrame:
        """The pairs of all scored dialogs; see `pairs_of`."""
        return pairs_of(self.dialogs)

    @property
    def agent(self) -> str:
        """The agent's name; of somebody else's agent, that of its class."""
        name = str(self.manifest["agent"]["name"]).rpartition(":")[2]
        limit = self.manifest.get("limits", {}).get("max_turns")
        # Turns under other limits are no comparison: another agent.
        return name + (f" --max-turns {limit}" if limit else "")

    @property
    def players(self) -> str:
        """The model of each role without its provider, once where all are the same."""
        players = {role: name.rpartition("/")[2] for role, name in self.roles.items()}
        names = set(players.values())
        if len(names) < 2:
            return "".join(names) or "none"
        if self.roles.get("reader", "") == self.roles.get("user"):
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
    def short_title(self) -> str:
        """The run in one line, without models where none plays."""
        return self.title if self.roles else self.agent

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
    return sorted(log_files, key=_began)


def _began(path: Path) -> tuple[str, int, str]:
    """The second in which a log began, as its name has it; of one second, the file written last."""
    second, _, _ = path.name.partition("_")
    return second, path.stat().st_mtime_ns, str(path)


def read_runs(paths: Iterable[Path | str]) -> list[Run]:
    """Return the runs of some logs, with every planned dialog: scored, or named as unscored.

    Args:
        paths: Log files, oldest first: a dialog that was played again replaces the earlier one.

    Raises:
        EvaluationError: A log is not of this benchmark.
        MissingExtraError: inspect-ai is not installed.
    """
    runs: dict[str, Run] = {}
    played: dict[str, dict[tuple[str, int], Dialog]] = {}
    for log in map(open_log, paths):
        manifest = _with_reader(log)
        identity = digest(manifest)
        run, dialogs = runs.setdefault(identity, Run(manifest)), played.setdefault(identity, {})
        reason = log.error.message if log.error else "not played yet"
        for household in log.eval.dataset.sample_ids or []:
            for trial in range(1, manifest["trials"] + 1):
                run.unscored.setdefault((str(household), trial), reason)
        for sample in log.samples or []:
            key = str(sample.id), sample.epoch
            if sample.error:
                run.unscored[key] = _REPRESENTED.sub(r"\2", sample.error.message)
            elif (dialog := dialog_of(sample)) is not None:
                dialogs[key] = dialog
    for identity, run in runs.items():
        dialogs = played[identity]
        run.dialogs = [dialog for _, dialog in sorted(dialogs.items())]
        run.unscored = {key: why for key, why in run.unscored.items() if key not in dialogs}
    return mark_differences(runs.values())


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
            f"{key.removeprefix('roles.')} {_DIGEST.sub(_first_digits, str(settings[key]))}"
            for key in sorted(differing)
            if settings.get(key) is not None and settings[key] is not False
        )
        others = (
            each
            for each in alike
            if (each.name, each.texts, each.profiles) == (run.name, run.texts, run.profiles)
        )
        is_ambiguous = any(each.data != run.data for each in others)
        names[id(run)] = f"{run.name} {digest(run.data)[:DIGITS]}" if is_ambiguous else run.name
    for run in ordered:
        run.name = names[id(run)]
    return ordered


def _first_digits(digest: re.Match[str]) -> str:
    return digest[0][:DIGITS]


def dialogs_of(dialogs: Iterable[Dialog]) -> pd.DataFrame:
    """Return a row for each dialog.

    Columns: `household`, `trial`, `edition`, `size` (members), `asked` (programs), `turns`,
    `clarifications`, `facts_asked`, `par`, `failures` (their kinds), `dialog` (its number).
    """
    rows = (
        (
            *(
                dialog.household,
                dialog.trial,
                dialog.edition,
                dialog.size,
                len(dialog.labels),
                len(dialog.turns),
            ),
            sum(turn.kind == "clarification" for turn in dialog.turns),
            *(
                dialog.facts_asked,
                dialog.par,
                [failure.kind for failure in dialog.failures],
                number,
            ),
        )
        for number, dialog in enumerate(dialogs)
    )
    kinds = {"facts_asked": float, "par": float, "dialog": int}
    return pd.DataFrame(rows, columns=OF_DIALOG).astype(kinds)


def pairs_of(dialogs: Sequence[Dialog]) -> pd.DataFrame:
    """Return a row for each program that a dialog asks about.

    Columns of the dialog are those of `dialogs_of`. Of the pair: `program`, `label`, `verdict`,
    `weight`, `contested`, `error` (where a wrong verdict comes from) and `whose` it is, and
    `city_share` (of the city, eligible for the program; not-a-number where it is not known).
    """
    rows = []
    for number, dialog in enumerate(dialogs):
        blame, shares = dialog.blame(), _shares(dialog.edition)
        rows += [
            (
                *(number, name, label, dialog.verdicts[name], dialog.weights.get(name, 1.0)),
                *(name in dialog.contested, dialog.errors.get(name), blame.get(name)),
                shares.get(name, np.nan),
            )
            for name, label in dialog.labels.items()
        ]
    of_programs = pd.DataFrame(rows, columns=OF_PROGRAM).astype({"dialog": int})
    return dialogs_of(dialogs).merge(of_programs, on="dialog")


def turns_of(dialogs: Iterable[Dialog]) -> pd.DataFrame:
    """Return a row for each turn: its dialog, its number, and what its record says."""
    return pd.DataFrame(
        {"household": dialog.household, "trial": dialog.trial, "turn": number, **asdict(turn)}
        for dialog in dialogs
        for number, turn in enumerate(dialog.turns, 1)
    )


def failures_of(dialogs: Iterable[Dialog]) -> pd.DataFrame:
    """Return a row for each failure: its dialog, and what its record says."""
    return pd.DataFrame(
        {"household": dialog.household, "trial": dialog.trial, **asdict(failure)}
        for dialog in dialogs
        for failure in dialog.failures
    )


def calls_of(dialogs: Iterable[Dialog]) -> pd.DataFrame:
    """Return a row for each role of a dialog: who played it, its calls, and its tokens in all."""
    return pd.DataFrame(
        {
            "household": dialog.household,
            "role": role,
            "model": dialog.roles.get(role),
            **asdict(usage),
            "tokens": usage.input_tokens + usage.output_tokens,
        }
        for dialog in dialogs
        for role, usage in dialog.usage.items()
    )


def _shares(edition: int) -> Mapping[str, float]:
    try:
        return city_shares(edition)
    except EvaluationError:
        return {}


def stack(
    runs: Sequence[Run], rows_of: Callable[[Sequence[Dialog]], pd.DataFrame] = pairs_of
) -> pd.DataFrame:
    """Return the rows of some runs in one frame.

    Columns before them: `number` of the run, `agent`, `run` (its title), `dataset`, `n` dialogs.

    Args:
        runs: The runs.
        rows_of: What a row is.
    """
    frames = []
    for number, run in enumerate(runs):
        of_run = {"number": number, "agent": run.agent, "run": run.title, "dataset": run.name}
        of_run["n"] = len(run.dialogs)
        rows = rows_of(run.dialogs)
        if len(rows):
            before = pd.DataFrame([of_run] * len(rows), index=rows.index)
            frames.append(pd.concat([before, rows], axis=1))
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
