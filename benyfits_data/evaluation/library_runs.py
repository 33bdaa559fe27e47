"""Evaluations that Python code and notebooks start."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from benyfits_data.dataset import Dataset
from benyfits_data.evaluation.agents import check_players, check_track, give_agent, needs_par
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.planned import PlannedDialog, load_rows, plan_rows, recognise
from benyfits_data.evaluation.recorded import NAMES, find_dataset
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.row_par import add_par, known_par
from benyfits_data.evaluation.run import UnscoredError, play_run
from benyfits_data.evaluation.run_options import Options
from benyfits_data.par.par_file import KnownPar

Outcome = TypeVar("Outcome")


def play_agent(
    agent: str | type,
    dataset: Path | Dataset | None,
    *,
    limit: int | None,
    models: dict[str, str | None],
    **settings: Any,
) -> Run:
    """Return the run of an agent on a dataset; see `benyfits_data.library.evaluate`."""
    name = agent if isinstance(agent, str) else give_agent(agent)
    roles = choose_roles(**models)
    check_players(name, roles)
    check_track(name, settings["questions"])
    title, rows, column, known = _find_rows(dataset)
    rows = add_par(rows, known, ["one"] if needs_par(name) else [])
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
    return path.stem, rows, recognise(path, "ours", rows), known_par(path)


def _apart_from_loops(play: Callable[[], Outcome]) -> Outcome:
    """Return what a function returns; in a thread of its own where an event loop runs already.

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
