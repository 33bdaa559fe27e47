"""What studies share: one model's calls side by side, shares with intervals, result files."""

import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import anyio
import click

from benyfits_data.dataset import write_atomically
from benyfits_data.errors import OutputExistsError
from benyfits_data.evaluation.model_calls import InspectModels, ServerState
from benyfits_data.evaluation.models import is_model
from benyfits_data.evaluation.run_options import Options, make_models
from benyfits_data.intervals import wilson
from benyfits_data.version import __version__

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")
TOLD_EVERY = 20
"""Results between two lines about the progress: a small model on a busy CPU needs minutes."""


def completers(options: Options, trials: int = 1) -> list[InspectModels]:
    """Return whoever completes the prompts of each trial; without a model it cannot reply."""
    models = make_models(options)
    return [
        InspectModels(
            models,
            ServerState.of(options.describe_roles()),
            options.seed,
            trial,
            cached_roles=frozenset(),
        )
        for trial in range(1, trials + 1)
    ]


def call_all(
    call: Callable[[ItemT], Awaitable[ResultT]], items: Sequence[ItemT], options: Options
) -> list[ResultT]:
    """Return what a call gives for each item, in their order; some run at the same time."""
    results: dict[int, ResultT] = {}

    async def keep(limiter: anyio.CapacityLimiter, number: int, item: ItemT) -> None:
        async with limiter:
            results[number] = await call(item)
        if len(results) % TOLD_EVERY == 0:
            click.echo(f"{len(results)} of {len(items)} answers", err=True)

    async def run() -> None:
        limiter = anyio.CapacityLimiter(options.concurrency)
        async with anyio.create_task_group() as group:
            for number, item in enumerate(items):
                group.start_soon(keep, limiter, number, item)

    try:
        anyio.run(run)
    except BaseExceptionGroup as errors:
        # One call that failed cancels the others; its own message says what to do.
        raise errors.exceptions[0] from None
    return [results[number] for number in range(len(items))]


def share(part: int, whole: int) -> tuple[float, float, float]:
    """Return a share in percent with its 95% interval.

    Items are taken to be independent; those of one household are only nearly so.
    """
    if not whole:
        return (float("nan"),) * 3
    low, high = wilson(part, whole)
    return 100 * part / whole, 100 * low, 100 * high


def describe_player(options: Options, role: str) -> dict[str, Any]:
    """Return what a result says of who played a role, its settings included."""
    player = dict(options.describe_roles()[role])
    return {**player, "seed": options.seed} if is_model(role, options.roles[role]) else player


def write_result(path: Path, study: str, content: dict[str, Any]) -> None:
    """Write the result of a study as JSON.

    Raises:
        OutputExistsError: A file stands there that no study wrote.
    """
    try:
        is_ours = {"study", "version"} <= json.loads(path.read_text("utf-8")).keys()
    except FileNotFoundError:
        is_ours = True
    except (ValueError, AttributeError, RecursionError):
        is_ours = False
    if not is_ours:
        raise OutputExistsError(
            f"{path} exists and is no result of a study. Give another --output.", path=path
        )
    result = {"study": study, "version": __version__, **content}
    write_atomically(path, json.dumps(result, indent=1, ensure_ascii=False, default=str) + "\n")
