"""Small studies of who reads and who answers, by any model, any number of times.

Toles and others (arXiv 2502.19610) mapped 102 answers to values, and annotated 61 answers of the
simulated user by hand; both are done here with items of our own.
"""

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import anyio

from benyfits_data.dataset import write_atomically
from benyfits_data.errors import OutputExistsError
from benyfits_data.evaluation.model_calls import InspectModels, ServerState
from benyfits_data.evaluation.models import is_model
from benyfits_data.evaluation.run_options import Options, make_models
from benyfits_data.intervals import wilson
from benyfits_data.progress import progress_lines
from benyfits_data.version import __version__

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


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
    # Lines on a terminal too: a bar would stand in the way of a person who answers there.
    tick = progress_lines("answers", len(items))

    async def keep(limiter: anyio.CapacityLimiter, number: int, item: ItemT) -> None:
        async with limiter:
            results[number] = await call(item)
        tick(1)

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


def count_outcomes(
    readings: Iterable[tuple[str, Mapping[str, Any]]], outcomes: Sequence[str]
) -> list[tuple[Any, ...]]:
    """Return a row for each group: its name, n, the share of the first outcome, counts of others.

    Args:
        readings: The name of a group, and what was read, with its `outcome`.
        outcomes: All of them.
    """
    groups: dict[str, Counter[str]] = {}
    for name, reading in readings:
        groups.setdefault(name, Counter())[reading["outcome"]] += 1
    first, *others = outcomes
    return [
        (name, n.total(), *share(n[first], n.total()), *(n[other] for other in others))
        for name, n in groups.items()
    ]


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
