"""No input ends in a traceback: commands exit with 0 to 3 and say in three lines what is wrong."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest

from benyfits_data.editions.edition import forget_editions
from benyfits_data.editions.workspace import init_workspace, use_workspace
from tests.commands import invoke
from tests.mutated import mutated_bytes, mutated_rows, sampled, write

Input = tuple[str, list[str], bytes, Path]
"""What was changed, the command, the changed content, and where it is written."""
TRIED = 40
"""Inputs of each kind that are tried."""


def complaint(arguments: list[str]) -> str | None:
    """Return what is wrong with how a command ended; nothing if it ended as it should."""
    result = invoke(*arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return f"{type(result.exception).__name__}: {result.exception}"[:300]
    if result.exit_code not in (0, 1, 2, 3):
        return f"exit code {result.exit_code}"
    if "Traceback" in result.output:
        return "a traceback"
    lines = result.stderr.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("Error")]
    if starts and len(lines) - starts[0] > 3:
        return f"{len(lines) - starts[0]} lines: {lines[starts[0]][:100]}"
    return None


def _row(folder: Path, layout: str) -> dict:  # type: ignore[type-arg]
    path = folder / f"{layout}.jsonl"
    words = ["households", "sample", "-n", "1", "--format", layout, "--output", str(path)]
    assert invoke(*words).exit_code == 0
    row = json.loads(path.read_text(encoding="utf-8"))
    if layout == "ours":
        row["labels"] = dict(list(row["labels"].items())[:2])
        row["eligible"], row["programs"] = dict(row["labels"]), list(row["labels"])
    return row


def rows_of_ours(folder: Path) -> Iterator[Input]:
    path, whole = folder / "rows.jsonl", json.dumps(_row(folder, "ours")).encode()
    small = {
        "id": "a",
        "edition": 2024,
        "household": {
            "members": [{"age": 30, "gpa": 2.5}, {"relation": "child", "age": 5}],
            "tenure": "renter",
            "monthly_rent_spending": 100,
        },
        "programs": ["IDNYC"],
        "eligible": {"IDNYC": True},
        "labels": {"IDNYC": True},
        "profile": "You.",
    }
    commands = [
        ["label", str(path), "--overwrite"],
        ["label", str(path), "--lenient", "--overwrite"],
        ["audit", str(path)],
        ["audit", str(path), "--json"],
        ["explain", str(path), "a", "IDNYC"],
    ]
    for seed, command in enumerate(commands):
        for what, content in mutated_rows(small, seed):
            yield what, command, content, path
        for what, content in mutated_bytes(whole, seed):
            yield what, command, content, path


def rows_of_the_published_layout(folder: Path) -> Iterator[Input]:
    path, row = folder / "rows.jsonl", _row(folder, "published")
    members = row["hh"]["features"]["members"][:1]
    members[0]["features"] = dict(list(members[0]["features"].items())[:8])
    row["hh"]["features"]["members"] = members
    for key in list(row)[6:]:
        if key not in ("hh", "edge_case_programs"):
            del row[key]
    for seed, words in enumerate(("label {} --overwrite", "audit {}")):
        command = [*words.format(path).split(), "--format", "published"]
        for what, content in mutated_rows(row, seed):
            yield what, command, content, path


def tables(folder: Path) -> Iterator[Input]:
    table = (
        "household,relation,age,tenure,has_ssn\n1,self,30,renter,yes\n1,child,5,,\n2,self,70,,no\n"
    )
    cells = [",", '"', "=1+1", "1e999", "9" * 500, "-1", "NaN", "\x00", "é", "\n\n", "renter"]
    path = folder / "table.csv"
    for command in (["label", str(path), "--overwrite"], ["audit", str(path)]):
        for what, content in mutated_bytes(table.encode(), 1):
            yield what, command, content, path
        for cell in cells:
            for old in ("household", "age", "30", "self", "renter", "yes"):
                text = table.replace(old, cell, 1)
                yield f"{old} is {cell[:20]!r}", command, text.encode(), path
        binary = folder / "table.parquet"
        for what, content in mutated_bytes(b"PAR1" + bytes(200) + b"PAR1", 2, n=6):
            yield what, [command[0], str(binary), *command[2:]], content, binary


def logs(folder: Path) -> Iterator[Input]:
    rows, run = folder / "rows.jsonl", folder / "logs" / "run"
    words = f"households sample -n 1 --output {rows}"
    assert invoke(*words.split()).exit_code == 0
    words = f"eval --agent random --dataset {rows} --log-dir {run}"
    assert invoke(*words.split()).exit_code == 0
    [log] = run.glob("*.eval")
    whole = log.read_bytes()
    for words in ("results", "runs bundle"):
        command = [*words.split(), str(folder / "logs")]
        if words == "runs bundle":
            command += ["--output", str(folder / "bundle.zip")]
        for what, content in mutated_bytes(whole, 5, n=12):
            yield what, command, content, log
        write(log, whole)
    bundle = folder / "whole.zip"
    words = f"runs bundle {folder / 'logs'} --output {bundle}"
    assert invoke(*words.split()).exit_code == 0
    for what, content in mutated_bytes(bundle.read_bytes(), 7, n=12):
        yield what, ["runs", "check", str(bundle)], content, bundle


def spreadsheets(folder: Path) -> Iterator[Input]:
    init_workspace(folder / "own")
    use_workspace(folder / "own")
    assert invoke("editions", "new", "2027", "--from", "2026").exit_code == 0
    path = folder / "values.csv"
    words = ["editions", "export", "2027", "--output", str(path)]
    assert invoke(*words).exit_code == 0
    whole = b"".join(path.read_bytes().splitlines(keepends=True)[:40])
    for what, content in mutated_bytes(whole, 8, n=60):
        yield what, ["editions", "import", "--dry-run", str(path)], content, path
    for old in (b"2027", b"threshold", b"value", b"FairFares", b"verified", b","):
        for new in (b"", b"x", b"9" * 500, b'"', b"-1", b"1e999", b"\xff", b"2024-02-31"):
            changed = whole.replace(old, new)
            yield (
                f"{old!r} is {new[:9]!r}",
                ["editions", "import", "--dry-run", str(path)],
                changed,
                path,
            )


def program_folders(folder: Path) -> Iterator[Input]:
    own = folder / "own"
    init_workspace(own)
    use_workspace(own)
    assert invoke("editions", "new", "2027", "--from", "2026").exit_code == 0
    assert invoke("programs", "edit", "FairFaresNYC").exit_code == 0
    files = [path for path in sorted(own.rglob("*")) if path.suffix in (".toml", ".md", ".py")]
    for path in files:
        whole = path.read_bytes()
        for command in (["programs", "lint", "FairFaresNYC"], ["programs", "show", "FairFaresNYC"]):
            for what, content in mutated_bytes(whole, 9, n=6):
                yield f"{path.name}: {what}", command, content, path
        for old, new in ((b"= ", b"= ["), (b"[", b"[["), (b"20", b"9999"), (b" = ", b" == ")):
            content = whole.replace(old, new, 1)
            yield f"{path.name}: {new!r}", ["editions", "status", "2027"], content, path
        write(path, whole)


def city_texts(folder: Path) -> Iterator[Input]:
    table = (
        "unique_id_number,program_code,program_name,plain_language_eligibility,language\n"
        '1,P001,"Fair Fares NYC","You are 18 or older. Your income is at most $15,060.",en\n'
    )
    rows = [
        {"program_name": "IDNYC", "plain_language_eligibility": "You are 10.", "language": "en"}
    ]
    for name, whole in (("city.csv", table), ("city.json", json.dumps(rows))):
        path = folder / name
        for what, content in mutated_bytes(whole.encode(), 10, n=24):
            yield f"{name}: {what}", ["city", "check", str(path)], content, path
    for what, content in mutated_rows({"rows": rows}, 11):
        yield what, ["city", "check", str(folder / "city.json")], content, folder / "city.json"


KINDS: tuple[Callable[[Path], Iterator[Input]], ...] = (
    rows_of_ours,
    rows_of_the_published_layout,
    tables,
    logs,
    spreadsheets,
    program_folders,
    city_texts,
)


@contextmanager
def in_scratch() -> Iterator[Path]:
    """Give a folder, and take back what a kind of inputs has changed besides."""
    folder = Path(mkdtemp())
    try:
        yield folder
    finally:
        use_workspace(None)
        forget_editions()
        shutil.rmtree(folder)


def tried(kind: Callable[[Path], Iterator[Input]], n: int) -> tuple[int, list[str]]:
    """Return how many inputs of a kind were tried, and what is wrong with how commands ended."""
    wrong, count = [], 0
    with in_scratch() as folder:
        chosen = sampled(n, sum(1 for _ in kind(folder)), 0)
    with in_scratch() as folder:
        for number, (what, command, content, path) in enumerate(kind(folder)):
            if number not in chosen:
                continue
            write(path, content)
            forget_editions()
            count += 1
            found = complaint(command)
            if found is not None:
                wrong.append(f"{' '.join(command[:2])}, {what}: {found}")
    return count, wrong


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_some_broken_inputs_end_in_a_sentence(kind: Callable[[Path], Iterator[Input]]) -> None:
    count, wrong = tried(kind, TRIED)
    assert count == TRIED
    assert not wrong, "\n".join(wrong)


def test_a_traceback_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from benyfits_data.cli.cmd_labels import audit

    path = write(tmp_path / "rows.jsonl", b"{}")

    def broken(*arguments: object, **options: object) -> None:
        raise KeyError("members")

    monkeypatch.setattr(audit, "callback", broken)
    found = complaint(["audit", str(path)])
    assert found is not None
    assert "KeyError" in found
