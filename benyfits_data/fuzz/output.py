"""Writing a Diverse set: rows, coverage, tables and manifest."""

from pathlib import Path
from typing import Any

from benyfits_data import __version__
from benyfits_data.dataset import (
    check_replaceable,
    digest,
    library_versions,
    programs_table,
    read_manifest,
    write_atomically,
    write_json,
    write_manifest,
    write_rows,
)
from benyfits_data.fuzz.diverse import NAME, Diverse
from benyfits_data.fuzz.tables import features_table

ROWS = f"{NAME}.jsonl"
COVERAGE = f"{NAME}.coverage.json"
PROGRAMS = f"{NAME}.programs.csv"
FEATURES = f"{NAME}.features.csv"
REPRODUCIBLE = (ROWS, COVERAGE, PROGRAMS, FEATURES)
"""Files that have the same bytes on every machine; the manifest tells times, pictures use fonts."""


def check_output(folder: Path, names: tuple[str, ...], *, overwrite: bool) -> None:
    """Check that the files of a build may be written to a folder.

    Raises:
        OutputExistsError: A file stands there that we did not build.
        DatasetFormatError: The manifest there is not ours.
    """
    manifest = None if overwrite else read_manifest(folder, NAME)
    built = manifest["files"] if manifest else {}
    check_replaceable((folder / name for name in names), built, overwrite=overwrite)


def coverage_report(diverse: Diverse) -> dict[str, Any]:
    """Return what `diverse.coverage.json` tells: lines by program, certificate, own lines."""
    pool, evidence = diverse.pool, diverse.evidence
    unreached = pool.unreached()
    programs = {
        name: {
            "lines": len(pool.lines[name]),
            "covered": len(evidence.covered[name]),
            "traces": len(cover.classes),
            "pool_eligible": pool.positives[name],
            "unreached": unreached.get(name, []),
        }
        for name, cover in zip(pool.lines, pool.covers(), strict=True)
    }
    return {
        "edition": diverse.edition.year,
        "sampled": pool.sampled,
        "joined": pool.joined,
        "lines": sum(map(len, pool.lines.values())),
        "covered": sum(map(len, evidence.covered.values())),
        "unreached": [
            {
                "program": name,
                "line": line,
                "text": _source_line(diverse.edition.program(name).checker_path, line),
            }
            for name, lines in unreached.items()
            for line in lines
        ],
        "selection": {
            "method": diverse.method,
            "objective": diverse.objective,
            "certificate": diverse.selection.certificate,
        },
        "programs": programs,
        "pairs": {
            row.id: {program: list(evidence.own_lines[row.id][program]) for program in row.programs}
            for row in diverse.rows
        },
    }


def _source_line(path: Path, line: int) -> str:
    return path.read_text(encoding="utf-8").splitlines()[line - 1].strip()


def write_diverse(diverse: Diverse, folder: Path, pictures: dict[str, str]) -> dict[str, Any]:
    """Write all files of a Diverse set and return its manifest.

    Args:
        diverse: The set.
        folder: Where to write.
        pictures: SVG by file name.
    """
    write_rows(folder / ROWS, diverse.rows)
    report = coverage_report(diverse)
    write_json(folder / COVERAGE, report)
    write_atomically(folder / PROGRAMS, programs_table(diverse.rows, diverse.edition.programs))
    write_atomically(folder / FEATURES, features_table(diverse.edition))
    for name, picture in pictures.items():
        write_atomically(folder / name, picture)
    pairs = [eligible for row in diverse.rows for eligible in row.eligible.values()]
    manifest = {
        "name": NAME,
        "version": __version__,
        "edition": diverse.edition.year,
        "rules": diverse.edition.provenance(),
        "seed": diverse.seed,
        "households": len(diverse.rows),
        "pairs": len(pairs),
        "eligible_pairs": sum(pairs),
        "sampled": diverse.pool.sampled,
        "joined": diverse.pool.joined,
        "coverage": {
            "lines": report["lines"],
            "covered": report["covered"],
            "unreached": len(report["unreached"]),
            "traces": sum(program["traces"] for program in report["programs"].values()),
        },
        "selection": {
            **report["selection"],
            "certificate": {
                **report["selection"]["certificate"],
                "seconds": diverse.seconds["select"],
            },
        },
        "seconds": diverse.seconds,
        "files": {name: digest(folder / name) for name in (*REPRODUCIBLE, *pictures)},
        "libraries": library_versions(),
    }
    write_manifest(folder, manifest)
    return manifest
