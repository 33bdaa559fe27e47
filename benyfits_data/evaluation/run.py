"""Running an evaluation, and running it again after it was killed."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benyfits_data.dataset import write_json
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.dialog_progress import show_progress
from benyfits_data.evaluation.models import ROLES, require_inspect
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.replies import read_json
from benyfits_data.evaluation.results.runs import read_dialogs, read_reasons
from benyfits_data.evaluation.run_manifest import compare_manifests, describe_run, digest
from benyfits_data.evaluation.run_options import Options, make_models

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

LOGS = Path("logs")
MANIFEST = "run.json"
"""Beside the logs: everything on which their scores may depend."""
UNREAD = {"attachments", "events", "events_data", "messages"}
"""Parts of a logged dialog that are there for `inspect view`."""


class UnscoredError(EvaluationError):
    """Some dialogs of a run could not be scored, such as while a server was down.

    Attributes:
        dialogs: Those that were played.
        unscored: The reason for each that was not, by household and trial.
    """

    dialogs: list[Dialog]
    unscored: dict[tuple[str, int], str]


def run(name: str, rows: Sequence[PlannedDialog], options: Options) -> list[Dialog]:
    """Return the dialogs of an evaluation, continued where an earlier run was stopped.

    The logs in `log_folder(name, rows, options)` hold them too, with all that was said to models.

    Args:
        name: Name of the dataset, such as `diverse`.
        rows: The dialogs to play.
        options: How to play them.

    Raises:
        UnscoredError: Some dialogs could not be played; its attributes hold the others.
        MissingExtraError: inspect-ai is not installed.
    """
    require_inspect()
    from inspect_ai import eval_set

    from benyfits_data.evaluation.task import build_task

    folder, manifest = log_folder(name, rows, options), plan_run(name, rows, options)
    _check_folder(folder, manifest)
    roles = {role: options.roles[role] for role in ROLES}
    prompts = str(options.prompts) if options.prompts else None
    task = build_task(
        name, longest_first(rows), options.agent, roles, prompts, options.seed, manifest
    )
    models = make_models(options)
    write_json(folder / MANIFEST, manifest)
    with show_progress(f"{options.agent} on {name}", len(rows) * options.trials):
        _, logs = eval_set(
            task,
            log_dir=str(folder),
            model=None,
            model_roles=models or None,
            epochs=options.trials,
            retry_attempts=0,
            retry_cleanup=True,
            retry_immediate=False,
            max_samples=dialogs_at_once(options),
            # Each dialog is written when it ends, so that a kill loses none that is finished.
            log_buffer=1,
            log_realtime=False,
            log_model_api=False,
            display="none",
            log_level="error",
            log_level_transcript="error",
            ctl_server=False,
            # All are played whatever happens to one; with an error the run can be continued.
            fail_on_error=True,
            continue_on_fail=True,
        )
    log = _read_records(logs[0].location)
    dialogs = _in_order(read_dialogs([log]), rows)
    played = {(dialog.household, dialog.trial) for dialog in dialogs}
    reasons = read_reasons(log)
    unscored = {
        key: reasons.get(key, str(log.error.message if log.error else "not played"))
        for row in rows
        for trial in range(1, options.trials + 1)
        if (key := (row.id, trial)) not in played
    }
    if unscored:
        planned, first = len(rows) * options.trials, next(iter(unscored.values()))
        raise UnscoredError(
            f"{len(unscored)} of {planned} dialogs are unscored; the first: {first}. The others "
            f"are kept in {folder}; run the same command again to play these.",
            log_dir=str(folder),
            dialogs=dialogs,
            unscored=unscored,
        )
    return dialogs


def _check_folder(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse a folder that holds another run: both would be lost in one log."""
    path = folder / MANIFEST
    if not path.exists():
        return
    earlier = read_json(path.read_text(encoding="utf-8"))
    if not isinstance(earlier, dict):
        raise EvaluationError(f"{path} is no manifest of a run. Name another --log-dir.")
    differing = compare_manifests(earlier, manifest)
    if differing:
        told = "; ".join(f"{key}: {old} there, {new} now" for key, (old, new) in differing.items())
        raise EvaluationError(
            f"{folder} holds another run ({told[:300]}). Name another --log-dir.",
            log_dir=str(folder),
        )


def _in_order(dialogs: Iterable[Dialog], rows: Sequence[PlannedDialog]) -> list[Dialog]:
    place = {row.id: position for position, row in enumerate(rows)}
    return sorted(dialogs, key=lambda dialog: (place[dialog.household], dialog.trial))


def dialogs_at_once(options: Options) -> int:
    """Return how many dialogs to hold at the same time: one where the embedded model plays.

    Its slots remember how the last prompts began. Within one dialog prompts begin alike, and only
    what is new has to be read; dialogs in turn would have each other's profiles read again.
    """
    is_embedded = any(name.startswith("embedded/") for name in options.roles.values())
    return 1 if is_embedded else options.concurrency


def longest_first(rows: Sequence[PlannedDialog]) -> list[PlannedDialog]:
    """Return the dialogs in the order to start them in: those likely to have most turns first.

    Whatever starts last then ends soon, and nobody waits for one long dialog in the end.
    """
    return sorted(rows, key=lambda row: -row.likely_length)


def log_folder(name: str, rows: Sequence[PlannedDialog], options: Options) -> Path:
    """Return the folder of a run's logs: the same for the same run, so that it can continue."""
    if options.log_dir is not None:
        return options.log_dir
    agent = options.agent.replace(":", "-").replace("/", "-")
    return LOGS / f"{name}-{agent}-{digest(plan_run(name, rows, options))[:12]}"


def plan_run(name: str, rows: Sequence[PlannedDialog], options: Options) -> dict[str, Any]:
    """Return the manifest of a run before it is played."""
    return describe_run(
        name,
        rows,
        options.agent,
        options.describe_roles(),
        prompt_folder=options.prompts,
        seed=options.seed,
        trials=options.trials,
        column=options.column,
        total=options.total,
    )


def _read_records(location: str) -> "EvalLog":
    """The log with its samples, but without what was said to the models, which is most of it."""
    from inspect_ai.log import read_eval_log, read_eval_log_samples

    log = read_eval_log(location, header_only=True)
    log.samples = list(
        read_eval_log_samples(location, all_samples_required=False, exclude_fields=UNREAD)
    )
    return log
