"""Running an evaluation, and running it again after it was killed."""

import gc
import hashlib
import inspect
import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benyfits_data import __version__
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents import find_agent
from benyfits_data.evaluation.dialog import Dialog
from benyfits_data.evaluation.models import (
    REFERENCE,
    ROLES,
    choose_roles,
    is_model,
    require_inspect,
    shared_config,
)
from benyfits_data.evaluation.processes import play_apart
from benyfits_data.evaluation.progress import listen, show_progress
from benyfits_data.evaluation.results import read_dialogs
from benyfits_data.evaluation.rows import PlayedRow

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog
    from inspect_ai.model import Model

LOGS = Path("logs")
RETRIES = 4
RETRY_PAUSES = 60
"""Seconds that may pass between attempts, on top of the attempts themselves."""
CONCURRENCY = 64
DIALOGS_A_PROCESS = 8
"""Fewer are not worth another process."""
SERVED_ELSEWHERE = (
    "compatible",
    "openai",
    "openai-api",
    "anthropic",
    "google",
    "mistral",
    "azureai",
)
"""Providers that ask a server over the network."""
UNREAD = {"attachments", "events", "events_data", "messages"}
"""Parts of a logged dialog that are there for `inspect view`."""
COLLECTOR_THRESHOLDS = (100_000, 50, 50)
"""New objects before the garbage collector looks at them: everything a log holds is alive."""


@dataclass(frozen=True)
class Options:
    """How an evaluation is run.

    Attributes:
        agent: A bundled agent or `my_module:MyAgent`.
        roles: Who plays each role.
        trials: Repetitions of every dialog.
        seed: Seed of the agents' random streams.
        prompts: Folder of prompts that replace ours.
        concurrency: Dialogs held at the same time, at most.
        processes: Processes that share the dialogs. With more than one, a script must start the
            run under `if __name__ == "__main__":`.
        timeout: Seconds a model may take for one reply, before a retry.
        temperature: Sampling temperature of every model; the provider's default if not given.
        log_dir: Folder of the logs; one named after the run in `logs/` if not given.
        model_args: Arguments of the providers, such as vLLM's `tensor_parallel_size`.
        base_url: Address of the server of every model, for compatible servers.
        models: Models by role that are handed over ready made; for tests and scripts.
    """

    agent: str = "proada"
    roles: Mapping[str, str] = field(default_factory=choose_roles)
    trials: int = 1
    seed: int = 0
    prompts: Path | None = None
    concurrency: int = CONCURRENCY
    processes: int = 1
    timeout: int = 120
    temperature: float | None = 0.0
    log_dir: Path | None = None
    model_args: Mapping[str, Any] = field(default_factory=dict)
    base_url: str | None = None
    models: Mapping[str, "Model"] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """Some dialogs of an evaluation, with a folder of logs of their own.

    Attributes:
        name: Name of the dataset.
        rows: The dialogs to play.
        options: How to play them.
    """

    name: str
    rows: Sequence[PlayedRow]
    options: Options


@dataclass(frozen=True)
class Played:
    """What playing gave.

    Attributes:
        dialogs: The dialogs.
        errors: What stopped those that could not be played.
    """

    dialogs: list[Dialog]
    errors: list[str]


def run(name: str, rows: Sequence[PlayedRow], options: Options) -> list[Dialog]:
    """Return the dialogs of an evaluation, continued where an earlier run was stopped.

    The logs in `log_folder(name, rows, options)` hold them too, with all that was said to models.

    Args:
        name: Name of the dataset, such as `diverse`.
        rows: The dialogs to play.
        options: How to play them.

    Raises:
        EvaluationError: Some dialog could not be played at all, such as by a faulty agent.
        MissingExtraError: inspect-ai is not installed.
    """
    require_inspect()
    folder = log_folder(name, rows, options)
    parts = share_out(name, rows, options, folder)
    if len(parts) > 1 and options.models:
        raise EvaluationError(
            "Models that are handed over ready made cannot be sent to other processes. Name them "
            "in `roles`, or take one process."
        )
    with show_progress(f"{options.agent} on {name}", len(rows) * options.trials):
        played = play_apart(play_part, parts) if len(parts) > 1 else [play_part(parts[0])]
    dialogs = [dialog for part in played for dialog in part.dialogs]
    errors = [error for part in played for error in part.errors]
    if errors:
        raise EvaluationError(
            f"{len(errors)} of {len(dialogs) + len(errors)} dialogs could not be played; the "
            f"first: {errors[0]}. Finished dialogs are kept in {folder}; run the same command to "
            "continue.",
            log_dir=str(folder),
        )
    return dialogs


def share_out(name: str, rows: Sequence[PlayedRow], options: Options, folder: Path) -> list[Part]:
    """Return the parts of an evaluation, one for each process, as long as one another.

    A run that is continued keeps its parts, whatever number of processes is asked for.

    Args:
        name: Name of the dataset.
        rows: The dialogs to play.
        options: How to play them.
        folder: The folder of the run's logs.
    """
    n = max(1, min(options.processes, len(rows)))
    started = [int(there.name.rpartition("-")[2]) for there in folder.glob("part-*-of-*")]
    if started or any(folder.glob("*.eval")):
        n = max(started, default=1)
    ordered = longest_first(rows)
    at_once = -(-dialogs_at_once(options) // n)
    return [
        Part(
            name,
            ordered[part::n],
            replace(
                options,
                log_dir=folder / f"part-{part + 1}-of-{n}" if n > 1 else folder,
                concurrency=at_once,
            ),
        )
        for part in range(n)
    ]


def play_part(part: Part) -> Played:
    """Return what playing some dialogs in this process gave.

    Args:
        part: The dialogs; their options say where the logs go.
    """
    from inspect_ai import eval_set

    from benyfits_data.evaluation.task import build_task

    options = part.options
    roles = {role: options.roles[role] for role in ROLES}
    task = build_task(
        part.name,
        list(part.rows),
        options.agent,
        roles,
        str(options.prompts) if options.prompts else None,
        options.seed,
    )
    finished: list[Dialog] = []
    with listen(finished.append), _light_bookkeeping():
        succeeded, logs = eval_set(
            task,
            log_dir=str(options.log_dir),
            model=None,
            model_roles=dict(_models(roles, options)) or None,
            epochs=options.trials,
            retry_attempts=0,
            retry_cleanup=True,
            retry_immediate=False,
            max_samples=options.concurrency,
            # Each dialog is written when it ends, so that a kill loses none that is finished.
            log_buffer=1,
            log_realtime=False,
            log_model_api=False,
            display="none",
            log_level="error",
            log_level_transcript="error",
            ctl_server=False,
            fail_on_error=False,
        )
    n = len(part.rows) * options.trials
    results = logs[0].results
    if succeeded and len(finished) == n and results and results.completed_samples == n:
        return Played(_in_order(finished, part.rows), [])
    # Some were played before, or could not be.
    log = _read_records(logs[0].location)
    errors = [sample.error.message for sample in log.samples or [] if sample.error]
    if not succeeded and not errors:
        errors = [str(log.error)]
    return Played(_in_order(read_dialogs([log]), part.rows), errors)


def _in_order(dialogs: Iterable[Dialog], rows: Sequence[PlayedRow]) -> list[Dialog]:
    place = {row.id: position for position, row in enumerate(rows)}
    return sorted(dialogs, key=lambda dialog: (place[dialog.household], dialog.trial))


def dialogs_at_once(options: Options) -> int:
    """Return how many dialogs to hold at the same time: one where the embedded model plays.

    Its slots remember how the last prompts began. Within one dialog prompts begin alike, and only
    what is new has to be read; dialogs in turn would have each other's profiles read again.

    Args:
        options: How the dialogs are played.
    """
    is_embedded = any(name.startswith("embedded/") for name in options.roles.values())
    return 1 if is_embedded else options.concurrency


def choose_processes(roles: Mapping[str, str], dialogs: int) -> int:
    """Return among how many processes to share dialogs: one a processor, if all have work.

    One, if a model is run by the process itself, or served by it: another would do so again.

    Args:
        roles: Who plays each role.
        dialogs: How many there are.
    """
    players = {name.partition("/")[0] for name in roles.values()}
    if not players <= {REFERENCE, *SERVED_ELSEWHERE}:
        return 1
    return max(1, min(os.cpu_count() or 1, dialogs // DIALOGS_A_PROCESS))


def longest_first(rows: Sequence[PlayedRow]) -> list[PlayedRow]:
    """Return the dialogs in the order to start them in: those likely to have most turns first.

    Whatever starts last then ends soon, and nobody waits for one long dialog in the end.

    Args:
        rows: The dialogs to play.
    """
    return sorted(rows, key=lambda row: -row.likely_length)


def log_folder(name: str, rows: Sequence[PlayedRow], options: Options) -> Path:
    """Return the folder of a run's logs: the same for the same run, so that it can continue.

    Args:
        name: Name of the dataset.
        rows: The dialogs to play.
        options: How to play them.
    """
    if options.log_dir is not None:
        return options.log_dir
    identity = {
        "name": name,
        "rows": [[row.id, row.edition, dict(row.labels), dict(row.requirements)] for row in rows],
        "agent": [options.agent, *_texts([_source(options.agent)])],
        "roles": dict(options.roles),
        "trials": options.trials,
        "seed": options.seed,
        "prompts": _texts(sorted(options.prompts.glob("*"))) if options.prompts else [],
        "version": __version__,
        "temperature": options.temperature,
        "model_args": dict(options.model_args),
    }
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True, default=str).encode()).hexdigest()
    agent = options.agent.replace(":", "-").replace("/", "-")
    return LOGS / f"{name}-{agent}-{digest[:12]}"


def _read_records(location: str) -> "EvalLog":
    """The log with its samples, but without what was said to the models, which is most of it."""
    from inspect_ai.log import read_eval_log, read_eval_log_samples

    log = read_eval_log(location, header_only=True)
    log.samples = list(
        read_eval_log_samples(location, all_samples_required=False, exclude_fields=UNREAD)
    )
    return log


@contextmanager
def _light_bookkeeping() -> Iterator[None]:
    """Spare the processor what nobody reads, which adds up over thousands of calls.

    Inspect traces each model call to a file of its own besides the log; and the garbage collector
    would walk through the growing log again and again.
    """
    tracing = logging.getLogger("inspect_ai.model")
    level, thresholds = tracing.level, gc.get_threshold()
    tracing.setLevel(logging.ERROR)
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
        tracing.setLevel(level)


def _source(agent: str) -> Path:
    """Return the file of an agent: an edited agent is another one, and plays anew."""
    return Path(inspect.getfile(find_agent(agent)))


def _texts(paths: Sequence[Path]) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in paths]


def _models(roles: Mapping[str, str], options: Options) -> dict[str, Any]:
    from inspect_ai.model import get_model

    from benyfits_data.evaluation import embedded

    # A model of a role does not see the settings of the evaluation: it carries its own.
    config = shared_config(
        max_connections=options.concurrency,
        max_retries=RETRIES,
        timeout=options.timeout * (RETRIES + 1) + RETRY_PAUSES,
        attempt_timeout=options.timeout,
        temperature=options.temperature,
    )
    models: dict[str, Any] = {}
    for role, model in options.models.items():
        models[role] = copy(model)
        models[role].config = config.merge(model.config)
    for role, name in roles.items():
        if role in models or not is_model(role, name):
            continue
        if name.startswith("embedded/"):
            # More requests at once than slots would only wait, and time out waiting.
            few = config.model_copy(update={"max_connections": embedded.SLOTS})
            models[role] = get_model(name, config=few)
            continue
        # Not asked by role: inspect would answer with the model an earlier run gave that role.
        models[role] = get_model(
            name,
            config=config,
            base_url=options.base_url,
            **dict(options.model_args),
        )
    return models
