"""No input ends in a traceback: commands exit with 0, 1 or 3 and explain in three lines."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benyfits_data.dataset import read_rows
from benyfits_data.editions.edition import forget_editions
from benyfits_data.editions.workspace import init_workspace, use_workspace
from tests.commands import invoke
from tests.dataset.published_rows import to_published
from tests.mutated import OTHER, broken_files
from tests.upkeep import city_sample

COMMANDS = {
    "rows.jsonl": (
        *("label {} --overwrite", "label {} --lenient --overwrite"),
        *("audit {}", "audit {} --json", "explain {} a IDNYC"),
    ),
    "published.jsonl": ("label {} --format published --overwrite", "audit {} --format published"),
    "run.eval": ("results {}",),
    "values.csv": ("editions import --dry-run {}",),
    "city.csv": ("editions compare {}",),
    "own": ("programs lint FairFaresNYC", "programs show FairFaresNYC", "editions status 2027"),
}
"""What is tried on a file, or on those of a workspace."""


def complaint(words: list[str]) -> str | None:
    """Return what is wrong with how a command ended; nothing if it ended as it should."""
    result = invoke(*words)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return f"{type(result.exception).__name__}: {result.exception}"[:300]
    lines = result.stderr.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("Error")]
    if result.exit_code not in (0, 1, 3) or (starts and len(lines) - starts[0] > 3):
        return f"exit code {result.exit_code}: {result.output[:300]}"
    return None


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[Path]]]:
    """Files of each kind."""
    folder = tmp_path_factory.mktemp("inputs")
    paths, own = {name: folder / name for name in COMMANDS}, folder / "own"
    init_workspace(own)
    rows = paths["rows.jsonl"]
    paths["city.csv"].write_text(city_sample.as_csv(), encoding="utf-8")
    use_workspace(own)
    for words in (
        f"households sample -n 1 --output {rows}",
        f"eval --agent random --dataset {rows} --log-dir {folder}",
        "editions new 2027 --from 2026",
        "programs edit FairFaresNYC",
        f"editions export 2027 --output {paths['values.csv']}",
    ):
        assert invoke(*words.split()).exit_code == 0
    [log] = folder.glob("*.eval")
    log.rename(paths["run.eval"])
    paths["published.jsonl"].write_text(json.dumps(to_published(read_rows(rows)[0])))
    files = [it for it in sorted(own.rglob("*")) if it.suffix in (".toml", ".md", ".py")]
    yield {name: files if name == "own" else [path] for name, path in paths.items()}
    use_workspace(None)
    forget_editions()


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMMANDS)
@settings(max_examples=40)
@given(data=st.data())
def test_broken_inputs_end_in_a_sentence(
    kind: str, data: st.DataObject, inputs: dict[str, list[Path]]
) -> None:
    path = data.draw(st.sampled_from(inputs[kind]))
    whole = path.read_bytes()
    path.write_bytes(data.draw(broken_files(whole)))
    forget_editions()
    try:
        command = data.draw(st.sampled_from(COMMANDS[kind]))
        assert complaint(command.format(path).split()) is None
    finally:
        path.write_bytes(whole)


def test_what_is_no_row_is_said_in_a_sentence_and_a_traceback_is_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "rows.jsonl"
    for content in OTHER:
        path.write_bytes(content)
        assert complaint(["audit", str(path)]) is None, content
    monkeypatch.delattr("benyfits_data.dataset.audit_rows")
    assert "Error" in str(complaint(["audit", str(path)]))
