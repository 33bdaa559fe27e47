"""`benyfits-data diverse` hands large pools to the engine that was asked for."""

from pathlib import Path
from typing import Any

import pytest

from benyfits_data.fuzz.distributed import in_processes, on_ray
from tests.commands import invoke


class AskedError(Exception):
    """What a build was asked for; nothing is built."""


@pytest.mark.parametrize(
    ("options", "runner", "workers"),
    [
        (["--workers", "3"], in_processes, 3),
        (["--workers", "1"], in_processes, 1),
        (["--engine", "ray"], on_ray, None),
        (["--engine", "ray", "--workers", "5"], on_ray, 5),
    ],
)
def test_the_engine_and_its_workers_are_handed_on(
    options: list[str],
    runner: Any,
    workers: int | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def build(*_: Any, households: int, run: Any, **__: Any) -> None:
        assert households == 10_000_000
        assert getattr(run, "func", run) is runner
        assert getattr(run, "keywords", {}).get("workers") == workers
        raise AskedError

    monkeypatch.setattr("benyfits_data.fuzz.build.build_diverse", build)
    arguments = ["diverse", "--households", "10_000_000", "--output", str(tmp_path), *options]
    result = invoke(*arguments, "--plausible", "off")
    assert isinstance(result.exception, AskedError), result.output


def test_a_cluster_for_a_small_corpus_is_refused(tmp_path: Path) -> None:
    arguments = ["diverse", "--engine", "ray", "--output", str(tmp_path)]
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert "more than 100,000 households" in " ".join(result.stderr.split())
    assert list(tmp_path.iterdir()) == []
