"""Running an evaluation, from a command, Python or a notebook; and again after it was killed."""

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benyfits_data.dataset import Dataset
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents import (
    check_players,
    give_agent,
    playing_roles,
)
from benyfits_data.evaluation.conversation import BreakOffs
from benyfits_data.evaluation.models import check_understood, choose_roles
from benyfits_data.evaluation.planned import PlannedDialog, add_par, load_rows, plan_rows, recognise
from benyfits_data.evaluation.results.runs import LOG_SUFFIX, Run, open_log, read_runs
from benyfits_data.evaluation.run_manifest import compare_manifests, describe_run, digest
from benyfits_data.evaluation.run_options import LOGS, Options, make_models
from benyfits_data.par.par_file import KnownPar
from benyfits_data.progress import progress
from benyfits_data.recorded import NAMES, find_dataset, known_par
from benyfits_data.staged_writes import make_folder


class UnscoredError(EvaluationError):
    """Some dialogs of a run could not be scored, such as while a server was down.

    Attributes:
        run: The run, with the dialogs that were played and the reasons for the others.
    """

    run: Run


class AgentBrokeOffError(EvaluationError):
    """Every dialog that was played broke off, so the run was stopped.

    Attributes:
        traceback: Where the agent raised an error in the first of them.
    """

    traceback: str


def play_run(name: str, rows: Sequence[PlannedDialog], options: Options) -> Run:
    """Return a finished evaluation, continued where an earlier run was stopped.

    The logs in `log_folder(name, rows, options)` hold it too, with all that was said to models.

    Args:
        name: Name of the dataset, such as `diverse`.
        rows: The dialogs to play.
        options: How to play them.

    Raises:
        AgentBrokeOffError: The first dialogs all broke off alike, or all did.
        UnscoredError: Some dialogs could not be played; its `run` holds the others.
    """
    from inspect_ai import eval_set

    from benyfits_data.evaluation.task import build_task

    folder, manifest = log_folder(name, rows, options), describe_run(name, rows, options)
    _check_folder(folder, manifest)
    make_folder(folder)
    models = make_models(options)
    dialogs = len(rows) * options.trials
    with progress(f"dialogs of {options.agent} on {name}", dialogs) as tick:
        breaks = BreakOffs(0 if options.keep_going else dialogs, tick)
        task = build_task(name, rows, options, manifest, breaks)
        _, logs = eval_set(
            task,
            log_dir=str(folder),
            model=None,
            model_roles=models or None,
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
            # All are played whatever happens to one; with an error the run can be continued.
            fail_on_error=True,
            continue_on_fail=True,
        )
    if not logs or logs[0].status == "cancelled":
        raise EvaluationError(
            f"The run was stopped. What ended is kept in {folder}; run the same command again to "
            "go on.",
            log_dir=str(folder),
        )
    (played,) = read_runs([logs[0].location])
    place = {row.id: position for position, row in enumerate(rows)}
    played.dialogs.sort(key=lambda dialog: (place[dialog.household], dialog.trial))
    if played.is_broken and not options.keep_going:
        failure = played.broken_off[0]
        message = failure.message.rstrip(".")
        raise AgentBrokeOffError(
            f"{options.agent} broke off in each dialog that was played, {len(played.dialogs)} of "
            f"{played.planned}: {message}. Mend it, or give --keep-going; the log is in {folder}.",
            traceback=failure.traceback or failure.message,
            log_dir=str(folder),
        )
    if played.unscored:
        first = next(iter(played.unscored.values()))
        raise UnscoredError(
            f"{len(played.unscored)} of {played.planned} dialogs are unscored; the first: {first}. "
            f"The others are kept in {folder}; run the same command again to play these.",
            log_dir=str(folder),
            run=played,
        )
    return played


def _check_folder(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse a folder that holds another run: both would be lost in one log."""
    for log in sorted(folder.rglob(f"*{LOG_SUFFIX}")):
        earlier = (open_log(log, with_samples=False).eval.metadata or {})["manifest"]
        if differing := compare_manifests(earlier, manifest):
            changes = [f"{key}: {old} there, {new} now" for key, (old, new) in differing.items()]
            raise EvaluationError(
                f"{log} is the log of another run ({'; '.join(changes)[:300]}), and a folder holds "
                "one run. Name another --log-dir, or move that log away.",
                log_dir=str(folder),
            )


def log_folder(name: str, rows: Sequence[PlannedDialog], options: Options) -> Path:
    """Return the folder of a run's logs: the same for the same run, so that it can continue."""
    if options.log_dir is not None:
        return options.log_dir
    agent = options.agent.replace(":", "-").replace("/", "-")
    return LOGS / f"{name}-{agent}-{digest(describe_run(name, rows, options))[:12]}"


def play_agent(
    agent: str | type,
    dataset: Path | Dataset | None,
    *,
    limit: int | None,
    models: Mapping[str, Any],
    **settings: Any,
) -> Run:
    """Return the run of an agent on a dataset; see `benyfits_data.library.evaluate`."""
    name = agent if isinstance(agent, str) else give_agent(agent)
    roles = choose_roles(**models)
    check_players(name, roles)
    check_understood(roles, playing_roles(name, roles))
    title, rows, column, known = _find_rows(dataset)
    rows = add_par(rows, known)
    options = Options(agent=name, roles=roles, column=column, total=len(rows), **settings)
    try:
        return _apart_from_loops(lambda: play_run(title, rows[:limit], options))
    except UnscoredError as error:
        return error.run


def _find_rows(
    dataset: Path | Dataset | None,
) -> tuple[str, list[PlannedDialog], str | None, KnownPar]:
    if isinstance(dataset, Dataset):
        return dataset.name, plan_rows(dataset.rows), None, known_par()
    named = "diverse" if dataset is None else str(dataset)
    path = find_dataset(named) if named in NAMES else Path(named)
    rows = load_rows(path)
    return path.stem, rows, recognise(path, "ours"), known_par(path)


def _apart_from_loops(play: Callable[[], Run]) -> Run:
    """Return the run that is played; in a thread of its own where an event loop runs already.

    Notebooks run one, and none can be started within another.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return play()
    with _not_in_notebook(), ThreadPoolExecutor(1) as thread:
        return thread.submit(play).result()


@contextmanager
def _not_in_notebook() -> Iterator[None]:
    """Have inspect find itself in no notebook: it asks for widgets there, to nest event loops.

    It learns that from `IPython.get_ipython`; a thread without a loop needs nothing of it.
    """
    ipython: Any = sys.modules.get("IPython")
    if ipython is None:
        yield
        return
    asked = ipython.get_ipython
    ipython.get_ipython = lambda: None
    try:
        yield
    finally:
        ipython.get_ipython = asked
