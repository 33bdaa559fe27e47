"""Large corpora: the first household of each unique trace, wherever the chunks are drawn."""

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.errors import MissingExtraError
from benyfits_data.fuzz.corpus import Corpus, collect
from benyfits_data.fuzz.distributed import in_processes, on_ray, runner_of
from benyfits_data.fuzz.inputs.limits import boundaries
from benyfits_data.fuzz.parts import (
    gather,
    is_repeated,
    merge,
    parts_of,
    sample_part,
)
from benyfits_data.fuzz.sample import sample_chunk
from benyfits_data.household.columns import Households
from benyfits_data.language.numpy_backend import label_and_trace

EDITION = load_edition(2024)
N, CHUNK = 2_300, 500
JOBS = parts_of(N, EDITION, 3, CHUNK)


def bytes_of(found: Corpus) -> list[bytes]:
    columns = [found.households.size, *found.households.shared.values()]
    columns += [*found.households.member.values(), found.origin]
    columns += [*found.answers.traces.values(), *found.answers.labels.values()]
    told = repr((found.positives, found.sampled, found.joined))
    return [*(column.tobytes() for column in columns), told.encode()]


@pytest.fixture(scope="module")
def parts() -> list[Corpus]:
    return list(map(sample_part, JOBS))


@pytest.fixture(scope="module")
def drawn() -> Households:
    """All households of the jobs, the ones without a new trace too."""
    limits = boundaries(EDITION)
    return Households.concatenate(sample_chunk(job.n, limits, job.seed, job.chunk) for job in JOBS)


@pytest.mark.slow
def test_each_unique_trace_is_found_with_its_first_household(
    parts: list[Corpus], drawn: Households
) -> None:
    found = gather(parts)
    every = label_and_trace(EDITION, drawn)
    first: set[int] = set()
    for name, traces in every.traces.items():
        seen: dict[bytes, int] = {}
        for position, trace in enumerate(traces):
            seen.setdefault(trace.tobytes(), position)
        first.update(seen.values())
        assert found.positives[name] == every.labels[name].sum()
    assert found.origin.tolist() == sorted(first)
    assert found.sampled == len(drawn) == N
    for name, traces in every.traces.items():
        assert (found.answers.traces[name] == traces[found.origin]).all()
    for name, column in drawn.member.items():
        assert np.array_equal(found.households.member[name], column[:, found.origin])


@pytest.mark.slow
def test_the_order_and_grouping_of_parts_changes_nothing(parts: list[Corpus]) -> None:
    expected = bytes_of(merge(parts))
    assert bytes_of(merge(parts[::-1])) == expected
    assert bytes_of(merge([merge(parts[3:]), merge(parts[:1]), merge(parts[1:3])])) == expected
    assert bytes_of(gather(parts[2:] + parts[:2])) == expected


@pytest.mark.parametrize("words", [1, 2, 3])
def test_a_trace_is_repeated_only_if_all_its_words_are(words: int) -> None:
    row = np.arange(words, dtype=np.uint64)
    other = row.copy()
    other[-1] += 1
    assert is_repeated(np.array([row, other, row, other, row + 9])).tolist() == [
        False,
        False,
        True,
        True,
        False,
    ]


@pytest.mark.slow
def test_two_processes_give_the_same_bytes_as_one(parts: list[Corpus]) -> None:
    assert bytes_of(gather(in_processes(JOBS, 2))) == bytes_of(gather(parts))


def test_households_that_join_come_last_and_are_told_apart() -> None:
    built = replace(collect(EDITION, [sample_part(JOBS[0]).households]), sampled=500)
    joined = built.joined_by(built.take([0])).joined_by(built.take([1]))
    assert (joined.sampled, joined.joined) == (500, 2)
    assert joined.origin[len(built) :].tolist() == [500, 501]
    assert joined.positives == built.positives
    for name, traces in built.answers.traces.items():
        assert (joined.answers.traces[name] == np.concatenate([traces, traces[:2]])).all()


def test_without_ray_the_install_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"pip install -e '.*\[cluster\]'"):
        list(runner_of("ray", 1)(JOBS))


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two nodes of one processor each, on this machine."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    nodes = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False)
    nodes.wait_for_nodes()
    yield ray
    ray.shutdown()
    nodes.shutdown()


@pytest.mark.slow
def test_a_ray_cluster_gives_the_same_bytes_though_a_worker_is_killed_half_way(
    cluster: Any, parts: list[Corpus]
) -> None:
    assert sum(node["Alive"] for node in cluster.nodes()) == 2
    found: list[Corpus] = []
    killed: list[int] = []
    for part in on_ray(JOBS):
        found.append(part)
        # Between two jobs no worker is busy for a moment: the next part finds one.
        if not killed:
            killed = _busy_workers()[:1]
            for worker in killed:
                os.kill(worker, signal.SIGKILL)
    assert len(killed) == 1
    assert bytes_of(gather(found)) == bytes_of(gather(parts))
    assert cluster.is_initialized()


def _busy_workers() -> list[int]:
    """Return the processes below this one that are at work on a job."""
    parent: dict[int, int] = {}
    busy: list[int] = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            command = (folder / "cmdline").read_bytes()
            status = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parent[int(folder.name)] = int(status[1])
        if command.startswith(b"ray::sample_part"):
            busy.append(int(folder.name))

    def is_below(process: int) -> bool:
        while process not in (0, os.getpid()):
            process = parent.get(process, 0)
        return process == os.getpid()

    return sorted(filter(is_below, busy))
