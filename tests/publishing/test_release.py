"""A release, validated offline with the packages that its readers use."""

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from click.testing import CliRunner

from benyfits_data.cli.main import main
from benyfits_data.dataset.rows import read_rows
from benyfits_data.editions import load_edition
from benyfits_data.errors import BenyfitsError
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results.metrics import score
from benyfits_data.evaluation.results.runs import pairs_of
from benyfits_data.publishing import hidden
from benyfits_data.publishing.release import ADDRESS, CANARY, commit, read_sets, write_release
from tests.commands import invoke
from tests.docs.runner import read_blocks
from tests.publishing.validators import VALIDATORS
from tests.publishing.validators import main as validate_release
from tests.recorded_output import write_output

SECRET = "a secret of more than sixteen characters"


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    """Return a folder with three households of the recorded Diverse set."""
    return write_output(tmp_path_factory.mktemp("output"))


@pytest.fixture(scope="module")
def files(output):
    """Return the release's files by their paths."""
    found = {}
    write_release(found.__setitem__, read_sets([output]), SECRET)
    return found


@pytest.fixture(scope="module")
def release(files, tmp_path_factory):
    """Return the release's folder."""
    folder = tmp_path_factory.mktemp("release")
    for address, content in files.items():
        (folder / address).parent.mkdir(parents=True, exist_ok=True)
        (folder / address).write_bytes(content)
    return folder


@pytest.mark.slow
def test_the_same_sets_give_the_same_bytes(output, files):
    again = {}
    write_release(again.__setitem__, read_sets([output]), SECRET)
    assert again == files


def test_every_row_and_text_carries_the_canary(files):
    for address, content in files.items():
        if address.endswith((".jsonl", ".md")):
            lines = (
                content.decode().splitlines() if address.endswith(".jsonl") else [content.decode()]
            )
            assert all(CANARY in line for line in lines), address
    assert f"texts/2024/plain/{next(iter(load_edition(2024)))}.md" in files


def test_rows_play_as_before(release, output):
    assert read_rows(release / "data/diverse-2026.jsonl") == read_rows(output / "diverse.jsonl")


@pytest.mark.slow
def test_the_folder_loads_as_a_hugging_face_dataset(release, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    from datasets import get_dataset_config_names, load_dataset

    names = ["diverse-2026", "diverse-2026-pairs"]
    assert get_dataset_config_names(str(release)) == names
    rows = load_dataset(str(release), "diverse-2026", split="test", cache_dir=str(tmp_path))
    assert len(rows) == 3
    built = read_rows(release / "data/diverse-2026.jsonl")
    assert [row["programs"] for row in rows] == [list(it.programs) for it in built]
    assert rows[0]["household"] == built[0].household.facts()
    assert rows[0]["labels"] == built[0].labels
    assert rows[0]["weights"] == [1.0] * len(built[0].programs)
    pairs = load_dataset(str(release), "diverse-2026-pairs", split="test", cache_dir=str(tmp_path))
    answers = {"yes": True, "no": False}
    labels = {(it.id, name): label for it in built for name, label in it.eligible.items()}
    assert labels == {(it["household"], it["program"]): answers[it["target"]] for it in pairs}


def test_the_citys_f1_follows_from_either_table_of_a_sample(tmp_path):
    output = write_output(tmp_path, 25, "representative")
    files = {}
    write_release(files.__setitem__, read_sets([output]))
    tables = {
        name: pq.read_table(
            io.BytesIO(files[f"data/representative-2026{name}.parquet"])
        ).to_pylist()
        for name in ("", "-pairs")
    }
    # Who says that every household is eligible for what begins with a letter up to H.
    guessed = "ABCDEFGH"
    rows = read_rows(output / "representative.jsonl")
    verdicts = [{name: name[0] in guessed for name in row.programs} for row in rows]
    dialogs = [
        Dialog(row.id, "", "", {}, 1, {name: row.eligible[name] for name in row.programs}, said,
               weights=row.weights)
        for row, said in zip(rows, verdicts, strict=True)
    ]  # fmt: skip
    of_pairs = [
        (pair["target"] == "yes", pair["program"][0] in guessed, pair["weight"])
        for pair in tables["-pairs"]
    ]
    of_rows = [
        (label, name[0] in guessed, weight)
        for row in tables[""]
        for name, label, weight in zip(
            row["programs"], row["eligible"], row["weights"], strict=True
        )
    ]
    for found in (of_pairs, of_rows):
        both = sum(weight for label, said, weight in found if label and said)
        either = sum(weight * (label + said) for label, said, weight in found)
        assert 200 * both / either == pytest.approx(score(pairs_of(dialogs)))
    assert len({weight for *_, weight in of_pairs}) > 1
    assert tables[""][0]["labels"] == rows[0].labels


@pytest.mark.slow
@pytest.mark.parametrize("name", ["diverse", "representative"])
def test_the_blocks_of_the_card_run(name, tmp_path, monkeypatch):
    """As a reader runs them, where the address of the data set is a folder."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "output").mkdir()
    place = tmp_path / ADDRESS.removeprefix("https://huggingface.co/datasets/")
    files = {}
    write_release(files.__setitem__, read_sets([write_output(tmp_path / "output", 5, name)]))
    for address, content in files.items():
        (place / address).parent.mkdir(parents=True, exist_ok=True)
        (place / address).write_bytes(content)
    blocks = [
        step for step in read_blocks(files["README.md"].decode()) if step.language == "python"
    ]
    printed = "".join(
        subprocess.run(
            [sys.executable, "-c", step.code],
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for step in blocks
    )
    pairs = pq.read_table(io.BytesIO(files[f"data/{name}-2026-pairs.parquet"])).to_pylist()
    eligible = sum(pair["weight"] for pair in pairs if pair["target"] == "yes")
    f1 = 2 * eligible / (eligible + sum(pair["weight"] for pair in pairs))
    assert len(blocks) == 2
    assert printed == f"F1 {100 * f1:.1f}\n"


@pytest.mark.slow
def test_sets_with_and_without_a_sample_load_together(tmp_path, monkeypatch):
    """As docs/data.md says, whose blocks run where `datasets` is not installed."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    from datasets import load_dataset

    names = ["diverse", "representative"]
    for name in names:
        write_output(tmp_path, 250, name)
    files = [str(tmp_path / f"{name}.jsonl") for name in names]
    rows = load_dataset("json", data_files=files, split="train", cache_dir=str(tmp_path / "cache"))
    assert [set(row["weights"]) for row in rows] == [set(row["programs"]) for row in rows]
    assert {weight for row in rows.select(range(50)) for weight in row["weights"].values()} == {1}


def test_tasks_are_those_that_inspect_reads(release):
    from inspect_ai._eval.task.hf import HFTask, _record_to_sample_hf

    tasks = [
        HFTask.model_validate(it)
        for it in yaml.safe_load((release / "eval.yaml").read_text())["tasks"]
    ]
    assert [task.config for task in tasks] == ["diverse-2026-pairs"]
    record = {"input": "Is it?", "target": "yes"}
    assert _record_to_sample_hf(record, tasks[0].field_spec).target == "yes"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("", "", ""),
        ("CITATION.cff", "cff-version: 1.2.0", "cff-version: 9"),
        (".zenodo.json", "isDerivedFrom", "isMadeFrom"),
        ("register/eval.yaml", "benyfits_data/diverse", "benyfits_data/divers"),
        ("data/diverse-2026.jsonl", "diverse-2026-01", "diverse-2026-99"),
        ("hidden.json", '"digest"', '"seed": "another", "digest"'),
    ],
)
def test_one_command_tells_what_all_validators_say(
    release, tmp_path, capsys, monkeypatch, name, before, after
):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    shutil.copytree(release, tmp_path / "copy")
    if name:
        path = tmp_path / "copy" / name
        path.write_text(path.read_text("utf-8").replace(before, after), encoding="utf-8")
    n_refused = validate_release(tmp_path / "copy")
    told = capsys.readouterr().out.splitlines()
    assert len(told) == len(VALIDATORS)
    assert n_refused == sum(line.startswith("REFUSED") for line in told)
    assert (n_refused > 0) == bool(name), told


def test_a_seed_that_could_be_guessed_is_refused(tmp_path):
    with pytest.raises(BenyfitsError, match="found by trying"):
        commit("42")


@pytest.mark.slow
def test_a_hidden_split_is_committed_to_and_revealed(output, release, tmp_path, monkeypatch):
    monkeypatch.setattr(hidden, "EDITIONS", hidden.EDITIONS[-1:])  # Two take twice as long.
    folder = tmp_path / "release"
    shutil.copytree(release, folder)
    command = ["publish", str(output), "--output", str(folder)]
    wrong = invoke(*command, "--reveal", f"not {SECRET}")
    assert "committed to another seed" in wrong.output
    assert SECRET not in (folder / "hidden.json").read_text()
    CliRunner().invoke(main, [*command, "--reveal", SECRET], catch_exceptions=False)
    rows = read_rows(folder / "data/hidden-representative-2026.jsonl")
    assert len(rows) == 250
    assert any(row.eligible != {} for row in rows)
    revealed = json.loads((folder / "hidden.json").read_text())
    assert revealed["seed"] == SECRET
    assert revealed["digest"] == json.loads((release / "hidden.json").read_text())["digest"]
    assert "  hidden.json\n" in (folder / "CHECKSUMS").read_text()


def test_a_folder_without_sets_is_refused(tmp_path):
    with pytest.raises(BenyfitsError, match="benyfits-data representative"):
        read_sets([tmp_path])


def test_a_set_of_other_rules_than_those_published_is_refused(output, tmp_path):
    manifest = next(Path(output).rglob("*.manifest.json"))
    content = json.loads(manifest.read_text())
    content["rules"] = {"status": "draft", "digest": "", "corrections": []}
    for path in manifest.parent.glob(f"{manifest.name.removesuffix('.manifest.json')}.*"):
        shutil.copy(path, tmp_path)
    (tmp_path / manifest.name).write_text(json.dumps(content))
    with pytest.raises(BenyfitsError, match=r"digest of a draft.*Build the set again"):
        read_sets([tmp_path])
