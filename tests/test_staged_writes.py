"""Several files written whole or not at all."""

import multiprocessing
import os
import re
import resource
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from benyfits_data.errors import FolderInUseError, WriteFailedError
from benyfits_data.staged_writes import (
    PRIVATE,
    is_left_unfinished,
    locked,
    settle,
    staged,
    write_atomically,
)


def test_all_files_appear_when_the_last_is_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with staged(tmp_path) as stage:
        write_atomically(stage / "a", "new")
        write_atomically(stage / "deep" / "b", "new")
        assert (tmp_path / "a").read_text() == "old"
        assert not (tmp_path / "deep").exists()
    assert (tmp_path / "a").read_text() == (tmp_path / "deep" / "b").read_text() == "new"
    assert not (tmp_path / PRIVATE).exists()


def test_none_appears_when_something_fails(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")

    def fail() -> None:
        with staged(tmp_path) as stage:
            write_atomically(stage / "a", "new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_text() == "old"


def test_none_appears_when_one_cannot(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "b").mkdir()
    with ExitStack() as stack:
        stage = stack.enter_context(staged(tmp_path))
        write_atomically(stage / "a", "new")
        write_atomically(stage / "b", "new")
        with pytest.raises(WriteFailedError, match="a file and a folder"):
            stack.close()
    assert (tmp_path / "a").read_text() == "old"


def test_what_was_decided_is_finished_by_whoever_comes_next(tmp_path: Path) -> None:
    whole = tmp_path / PRIVATE / "whole"
    whole.mkdir(parents=True)
    (whole / "a").write_text("new")
    settle(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_what_was_not_decided_is_thrown_away(tmp_path: Path) -> None:
    new = tmp_path / PRIVATE / "new"
    new.mkdir(parents=True)
    (new / "a").write_text("new")
    settle(tmp_path)
    assert new.exists()
    with locked(tmp_path):
        assert not new.exists()
    assert not list(tmp_path.iterdir())


def _hold(folder: Path, is_held, is_done) -> None:  # type: ignore[no-untyped-def]
    with locked(folder):
        is_held.set()
        is_done.wait(60)


def test_another_process_is_named_that_writes_there(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    is_held, is_done = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(tmp_path, is_held, is_done))
    other.start()
    try:
        assert is_held.wait(60)
        with pytest.raises(FolderInUseError, match=rf"{tmp_path} is .* process {other.pid} \("):
            staged(tmp_path).__enter__()
    finally:
        is_done.set()
        other.join()
    with locked(tmp_path):
        pass


def test_a_file_in_work_is_refused_to_others_and_left_overs_are_written_over(
    tmp_path: Path,
) -> None:
    path = tmp_path / "labels.jsonl"
    part = tmp_path / ".labels.jsonl.part"
    part.write_text("half of a longer text")
    assert is_left_unfinished(path)
    write_atomically(path, "whole")
    assert path.read_text() == "whole"
    assert not part.exists()


def test_a_file_too_large_for_the_disk_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    program = (
        "from pathlib import Path\n"
        "from benyfits_data.staged_writes import staged, write_atomically\n"
        "with staged(Path()) as stage:\n"
        "    write_atomically(stage / 'b', 'new')\n"
        "    write_atomically(stage / 'a', 'x' * 100_000)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000)),
    )
    assert done.returncode == 1
    told = done.stderr.splitlines()[-1]
    assert re.search(r"WriteFailedError: .* cannot be written: File too large\. Nothing was", told)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_text() == "old"


def test_files_are_as_readable_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    with staged(tmp_path) as stage:
        write_atomically(stage / "ours", "")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode
