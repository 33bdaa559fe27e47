import json
import zipfile

import pytest

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.run import UnscoredError
from benyfits_data.evaluation.run_options import Options
from benyfits_data.evaluation.submission import CONTENTS, bundle, verify
from tests.commands import invoke
from tests.evaluation.players import example_rows, run, share_settings
from tests.evaluation.server import Reply, Server

ROWS = example_rows("FairFaresNYC", "HeadStart", limit=3)


@pytest.fixture(scope="module")
def submission(tmp_path_factory):
    folder = tmp_path_factory.mktemp("submission")
    run("diverse", ROWS, Options(log_dir=folder / "logs"))
    bundle([folder / "logs"], folder / "submission.zip")
    return folder / "submission.zip"


def test_a_submission_is_derived_labelled_and_replayed_again(submission):
    done = invoke("runs", "check", submission)
    assert done.exit_code == 0, done.output
    assert "Everything is as submitted" in done.output
    told = json.loads(invoke("runs", "check", submission, "--json").stdout)
    assert told["faults"] == []
    counts = told["checked"]
    assert counts["labels"] == counts["verdicts replayed"] == 6
    assert counts["lines of figures"] > 10
    assert counts["turns held against the household"] > 6


@pytest.mark.slow
def test_two_bundles_of_one_run_are_the_same_bytes(submission, tmp_path):
    bundle([submission.parent / "logs"], tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == submission.read_bytes()


def change(source, target, name, edit):
    """Copy a submission with one file edited and its digest made right again."""
    import hashlib

    with zipfile.ZipFile(source) as archive:
        files = {each: archive.read(each) for each in archive.namelist()}
    chosen = next(each for each in sorted(files) if each.startswith(name))
    files[chosen] = edit(files[chosen])
    contents = json.loads(files[CONTENTS])
    contents["files"][chosen] = hashlib.sha256(files[chosen]).hexdigest()
    files[CONTENTS] = json.dumps(contents).encode()
    with zipfile.ZipFile(target, "w") as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    return target


def edit_log(edit):
    """An edit of the record of every dialog in a log."""

    def apply(content):
        import io

        old = zipfile.ZipFile(io.BytesIO(content))
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as new:
            for name in old.namelist():
                data = old.read(name)
                if name.startswith("samples/"):
                    sample = json.loads(data)
                    edit(sample["store"]["dialog"])
                    data = json.dumps(sample).encode()
                new.writestr(name, data)
        return buffer.getvalue()

    return apply


def flip(field):
    def edit(record):
        record[field] = {name: not value for name, value in record[field].items()}

    return edit_log(edit)


def test_a_changed_figure_is_found(submission, tmp_path):
    edited = change(submission, tmp_path / "x.zip", "figures/", lambda old: old + b"more\n")
    done = invoke("runs", "check", edited)
    assert done.exit_code == 1
    assert "the logs give" in done.output
    assert "not as submitted" in done.output


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (flip("labels"), "is labelled"),
        (flip("verdicts"), "replays to"),
        pytest.param(
            edit_log(lambda record: record["turns"].clear()),
            "which no turn told",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            edit_log(lambda record: record["turns"][0].update(use="repeated")),
            "turn 1 is",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            edit_log(lambda record: record["turns"][0].update(claims=None)),
            "turn 1 is not_under",
            marks=pytest.mark.slow,
        ),
        pytest.param(flip("proven"), "proven are not what the turns give", marks=pytest.mark.slow),
    ],
)
def test_changed_logs_are_found(submission, tmp_path, edit, fault):
    edited = change(submission, tmp_path / "x.zip", "logs/", edit)
    assert any(fault in each for each in verify(edited).faults)


@pytest.mark.slow
def test_files_changed_after_bundling_are_found(submission, tmp_path):
    with zipfile.ZipFile(submission) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = next(each for each in files if each.startswith("figures/"))
    files[name] += b"more\n"
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    assert f"{name} was changed after" in verify(tmp_path / "x.zip").faults[0]


def test_what_is_no_submission_is_an_error_in_a_line(tmp_path):
    (tmp_path / "x.zip").write_bytes(b"not a zip")
    with pytest.raises(EvaluationError, match="is no submission"):
        verify(tmp_path / "x.zip")


@pytest.mark.slow
def test_an_unfinished_run_is_not_bundled(tmp_path, monkeypatch):
    monkeypatch.setattr("benyfits_data.evaluation.run_options.RETRIES", 0)
    roles = choose_roles(dialog="openai-api/local/tiny")
    with Server(lambda request, number: Reply(status=401, body=b"{}")) as server:
        settings = share_settings(roles, base_url=server.url)
        with pytest.raises(UnscoredError):
            run("diverse", ROWS, Options(roles=roles, settings=settings, log_dir=tmp_path))
    with pytest.raises(EvaluationError, match="3 unscored dialogs"):
        bundle([tmp_path], tmp_path / "x.zip")
