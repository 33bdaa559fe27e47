import json
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval

from benyfits_data import recorded
from benyfits_data.dataset import digest, read_checksums, read_rows
from benyfits_data.editions import DEFAULT_EDITION
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.codegen.python_guest import prepare
from benyfits_data.evaluation.planned import recognise
from benyfits_data.evaluation.results.runs import find_logs, read_runs
from benyfits_data.evaluation.run import play_run
from benyfits_data.evaluation.run_options import Options
from benyfits_data.evaluation.task import diverse
from benyfits_data.par import RowPar, par_path, row_digest, write_par
from benyfits_data.publishing.packing import pack
from benyfits_data.user_cache import VARIABLE
from tests.commands import invoke
from tests.copies import ROOT
from tests.evaluation.players import example_rows
from tests.evaluation.test_results import write_dataset


@pytest.fixture(scope="module")
def packed_once(tmp_path_factory):
    """A folder with small sets, their manifests, and a package that carries them."""
    prepare()  # Before another cache is named, in which nothing is compiled yet.
    top = tmp_path_factory.mktemp("recorded")
    folder = top / "output" / str(DEFAULT_EDITION)
    folder.mkdir(parents=True)
    for name in (*recorded.NAMES, recorded.THOROUGH):
        path = write_dataset(folder / f"{name}.jsonl", example_rows("FairFaresNYC", limit=3))
        known = [RowPar(row.id, row_digest(row), ("members",)) for row in read_rows(path)]
        write_par(par_path(path), known)
        manifest = {"name": name, "files": {path.name: digest(path)}}
        (folder / f"{name}.manifest.json").write_text(json.dumps(manifest))
    table = f"program,title,edition,share\nIDNYC,A card,{DEFAULT_EDITION},0.99\n"
    (folder / recorded.SHARES).write_text(table)
    (top / "package" / str(DEFAULT_EDITION)).mkdir(parents=True)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(recorded, "FOLDER", top / "package")
        pack(folder.parent, [DEFAULT_EDITION])
    return top


@pytest.fixture
def built(packed_once, tmp_path):
    """A copy of these sets and manifests."""
    copy = shutil.copytree(packed_once / "output", tmp_path / "output")
    return copy / str(DEFAULT_EDITION)


@pytest.fixture
def packed(packed_once, tmp_path, monkeypatch):
    """A copy of the package that carries them, seen from an empty folder."""
    shutil.copytree(packed_once / "package", tmp_path / "package")
    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(recorded, "FOLDER", tmp_path / "package")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    recorded.read_recorded_par.cache_clear()
    monkeypatch.chdir(tmp_path / "empty")
    yield tmp_path / "package" / str(DEFAULT_EDITION)
    # What is kept of these sets is not for the tests that follow.
    recorded.read_recorded_par.cache_clear()


def test_sets_are_unpacked_as_they_were_built(built, packed):
    path = recorded.find_dataset("diverse")
    assert path.read_bytes() == (built / "diverse.jsonl").read_bytes()
    assert recognise(path, "ours") == "diverse"


def test_who_may_claim_what_is_packed_beside_them(built, packed):
    assert (packed / recorded.SHARES).read_text() == (
        f"program,edition,share\nIDNYC,{DEFAULT_EDITION},0.99\n"
    )
    (built / recorded.SHARES).unlink()
    with pytest.raises(EvaluationError, match="population eligibility"):
        pack(built.parent, [DEFAULT_EDITION])


def test_par_is_packed_beside_them(built, packed):
    (row,) = {row_digest(row): row for row in read_rows(built / "diverse.jsonl")[:1]}.values()
    assert recorded.read_recorded_par()[row_digest(row)].turns == 1
    par_path(built / "diverse.jsonl").unlink()
    with pytest.raises(EvaluationError, match="lacks rows"):
        pack(built.parent, [DEFAULT_EDITION])


def test_what_lies_in_the_output_folder_comes_first(built, packed, monkeypatch):
    monkeypatch.chdir(built.parents[1])
    assert recorded.find_dataset("diverse").parts[0] == "output"


def test_a_broken_copy_is_unpacked_again(packed):
    path = recorded.find_dataset("diverse")
    expected = path.read_bytes()
    path.write_text("broken")
    assert recorded.find_dataset("diverse").read_bytes() == expected


def test_the_manifest_beside_an_unpacked_set_is_the_packages(packed):
    path, manifest = recorded.find_dataset("diverse"), packed / "diverse.manifest.json"
    content = manifest.read_text().replace('{"name"', '{"corrected": true, "name"')
    manifest.write_text(content)
    again = recorded.find_dataset("diverse")
    assert again.read_bytes() == path.read_bytes()
    assert (again.parent / manifest.name).read_text() == content


def test_a_set_that_is_not_the_recorded_one_is_refused(built, packed):
    manifest = packed / "diverse.manifest.json"
    manifest.write_text(manifest.read_text().replace(digest(built / "diverse.jsonl"), "0" * 64))
    with pytest.raises(EvaluationError, match="another file than its manifest names"):
        recorded.find_dataset("diverse")
    (built / "diverse.jsonl").write_text("changed")
    with pytest.raises(EvaluationError, match="Build it again"):
        pack(built.parent, [DEFAULT_EDITION])


def test_a_file_is_known_by_its_digest_and_not_by_its_name(built, tmp_path):
    path = built / "diverse.jsonl"
    assert recognise(path, "ours") == "diverse"
    path.write_text(path.read_text() + path.read_text())
    assert recognise(path, "ours") is None
    assert recognise(tmp_path / "diverse.jsonl", "ours") is None


def test_inspect_plays_the_recorded_set_in_an_empty_folder(packed):
    task = diverse(agent="random")
    (log,) = inspect_eval(task, model=None, log_dir="logs", display="none")
    assert log.status == "success"
    assert str(log.eval.task_version) == str(task.version)
    assert task.version != diverse(agent="random", dataset=str(other_set())).version
    (played,) = read_runs(find_logs([Path("logs")]))
    assert played.is_complete


def other_set():
    return write_dataset(Path("other.jsonl"), example_rows("FairFaresNYC", limit=2))


def test_the_first_command_needs_no_setting_and_says_what_it_means(packed):
    done = invoke("eval")
    assert done.exit_code == 0, done.output
    assert "No model plays: F1 is what perfect programs reach" in done.stderr
    assert "n counts dialogs" in done.stdout
    assert "100.0 (-)" in done.stdout


def test_progress_hears_of_every_turn_and_dialog(tmp_path, monkeypatch):
    heard, rows = [], example_rows("FairFaresNYC", limit=3)
    monkeypatch.setattr(
        "benyfits_data.evaluation.run.progress", lambda *named: nullcontext(heard.append)
    )
    played = play_run("x", rows, Options(log_dir=tmp_path))
    assert heard.count(1) == 3
    # So that a line can be printed although no dialog has ended yet.
    assert heard.count(0) == sum(len(dialog.turns) for dialog in played.dialogs) > 3


@pytest.mark.parametrize("edition", recorded.carried_editions())
def test_the_package_carries_the_sets_whose_digests_are_recorded(edition):
    recorded_digests = read_checksums(ROOT / "output" / str(edition) / "CHECKSUMS")
    for name in recorded.NAMES:
        assert digest(recorded.unpack(name, edition)) == recorded_digests[f"{name}.jsonl"], (
            "the recorded sets changed: python -m benyfits_data.publishing.packing output"
        )
