"""Several files written whole or not at all."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from benyfits_data.staged_writes import PRIVATE, staged, write_atomically, write_files


def test_all_files_appear_when_the_last_is_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with staged(tmp_path) as stage:
        write_atomically(stage / "a", "new")
        write_atomically(stage / "deep" / "b", "new")
        assert (tmp_path / "a").read_text() == "old"
        assert not (tmp_path / "deep").exists()
    assert (tmp_path / "a").read_text() == (tmp_path / "deep" / "b").read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "deep"]


def test_files_are_written_into_folders_of_their_own_and_named(tmp_path: Path) -> None:
    paths = write_files(tmp_path, {"a": "text", "deep/b": b"bytes"})
    assert paths == [tmp_path / "a", tmp_path / "deep" / "b"]
    assert [path.read_bytes() for path in paths] == [b"text", b"bytes"]


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


def test_a_failure_leaves_no_folder_that_was_made_for_it(tmp_path: Path) -> None:
    for place in (tmp_path / "output" / "2026", tmp_path):
        with pytest.raises(KeyboardInterrupt), staged(place):
            raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    program = (
        "import os\n"
        "from pathlib import Path\n"
        "from benyfits_data.staged_writes import staged, write_atomically\n"
        "with staged(Path()) as stage:\n"
        "    write_atomically(stage / 'a', 'half')\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False, env=environment)
    (left,) = tmp_path.iterdir()
    (elsewhere := tmp_path / f"{PRIVATE}another machine+1+x").mkdir()
    with staged(tmp_path) as mine:
        assert not left.exists()
        write_atomically(tmp_path / "b", "new")
        assert mine.exists()
    assert sorted(tmp_path.iterdir()) == sorted([elsewhere, tmp_path / "b"])


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
    assert re.search(r"WriteFailedError: .* cannot be written: File too large\. Make room", told)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_text() == "old"


def test_files_are_as_readable_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    with staged(tmp_path) as stage:
        write_atomically(stage / "ours", "")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode
