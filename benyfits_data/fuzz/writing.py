"""What is written of a finished set: rows, what they cover, tables, pictures and the manifest."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benyfits_data.dataset import (
    digest,
    library_versions,
    programs_table,
    to_csv,
    write_atomically,
    write_json,
    write_manifest,
    write_rows,
)
from benyfits_data.dataset.rows import described
from benyfits_data.editions import Edition
from benyfits_data.fuzz.build import Diverse
from benyfits_data.fuzz.coverage import line_coverage
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.language.source import Element, features_read, named, place

FEATURE_COUNTS = "diverse.features.csv"
COUNTS = ("lines", "covered", "branches", "branches_covered")


def reproducible(name: str) -> tuple[str, ...]:
    """Return the files that have the same bytes on every machine.

    The manifest tells times, and pictures use fonts.
    """
    files = (f"{name}.jsonl", f"{name}.coverage.json", f"{name}.programs.csv")
    return (*files, FEATURE_COUNTS) if name == "diverse" else files


def coverage_report(diverse: Diverse) -> dict[str, Any]:
    """Return what `NAME.coverage.json` tells: elements by program, certificate, pairs' elements.

    Elements that are proven dead are named, and not counted.
    """
    corpus, evidence, selection = diverse.corpus, diverse.evidence, diverse.selection
    dead, missing = diverse.unreached["dead"], corpus.missing(diverse.unreached["dead"])
    programs = {
        of_program.program: {
            **_counted(
                of_program.elements,
                dead.get(of_program.program, ()),
                evidence.covered[of_program.program],
            ),
            "traces": len(lines.classes),
            "sampled_eligible": corpus.positives[of_program.program],
            "unreached": missing.get(of_program.program, []),
        }
        for of_program, lines in zip(corpus.coverage, line_coverage(corpus.coverage), strict=True)
    }
    return {
        "edition": diverse.edition.year,
        "sampled": corpus.sampled,
        "joined": corpus.joined,
        **{name: sum(program[name] for program in programs.values()) for name in COUNTS},
        "unreached": _described(diverse.edition, missing),
        "dead": _described(diverse.edition, dead),
        **diverse.counts,
        "selection": {
            "method": diverse.method,
            "objective": diverse.objective.name,
            "certificate": selection.certificate,
            "beyond_limits": list(selection.broken),
        },
        "programs": programs,
        "pairs": {
            row.id: {program: list(evidence.alone[row.id][program]) for program in row.programs}
            for row in diverse.rows
        },
    }


def _counted(
    elements: Sequence[Element], dead: Sequence[Element], covered: frozenset[Element]
) -> dict[str, int]:
    """Return how many lines and branches are not dead, and how many are covered."""
    all_of_them, never, ran = ([type(one) for one in some] for some in (elements, dead, covered))
    return {
        "lines": all_of_them.count(int) - never.count(int),
        "covered": ran.count(int),
        "branches": all_of_them.count(tuple) - never.count(tuple),
        "branches_covered": ran.count(tuple),
    }


def _described(edition: Edition, asked: Mapping[str, Sequence[Element]]) -> list[dict[str, str]]:
    """Return elements by program, in words and with the text of their lines."""
    texts = []
    for name, elements in asked.items():
        text = edition.program(name).checker_path.read_text(encoding="utf-8").splitlines()
        texts += [
            {"program": name, "what": named(one), "text": text[place(one)[0] - 1].strip()}
            for one in elements
        ]
    return texts


def feature_counts(edition: Edition) -> list[tuple[str, int]]:
    """Return how many programs depend on each feature, through measures too; most first."""
    counts = dict.fromkeys(FEATURES, 0)
    for program in edition.programs.values():
        for name in features_read(program.checker):
            counts[name] += 1
    order = list(FEATURES)
    return sorted(counts.items(), key=lambda item: (-item[1], order.index(item[0])))


def say_coverage(counts: Mapping[str, Any]) -> str:
    """Return what the pairs of a manifest run and notice, in words."""
    says = "{covered} of {lines} lines, {branches_covered} of {branches} branches".format(**counts)
    if "mutants" in counts:
        pairs, mutants = counts["independence_pairs"], counts["mutants"]
        says += ", {covered} of {made} independence pairs ({impossible} proven impossible)".format(
            **pairs
        )
        says += ", {covered} of {made} mutants ({impossible} proven equivalent)".format(**mutants)
    return says


def write_diverse(diverse: Diverse, folder: Path, pictures: dict[str, str]) -> dict[str, Any]:
    """Write all files of a set and return its manifest.

    Args:
        diverse: The set.
        folder: Where to write.
        pictures: SVG by file name.
    """
    name, report = diverse.name, coverage_report(diverse)
    write_rows(folder / f"{name}.jsonl", diverse.rows)
    write_json(folder / f"{name}.coverage.json", report)
    table = programs_table(diverse.rows, diverse.edition.programs)
    write_atomically(folder / f"{name}.programs.csv", table)
    if FEATURE_COUNTS in reproducible(name):
        counts = feature_counts(diverse.edition)
        lines = [(feature, FEATURES[feature].level, count) for feature, count in counts]
        write_atomically(folder / FEATURE_COUNTS, to_csv(("feature", "level", "programs"), lines))
    for file, picture in pictures.items():
        write_atomically(folder / file, picture)
    selection = report["selection"]
    manifest = described(name, diverse.edition, diverse.seed, diverse.rows) | {
        "sampled": report["sampled"],
        "joined": report["joined"],
        "coverage": {
            **{count: report[count] for count in COUNTS},
            "unreached": len(report["unreached"]),
            "dead": report["dead"],
            **diverse.counts,
            "traces": sum(program["traces"] for program in report["programs"].values()),
        },
        "selection": {
            **selection,
            "certificate": {**selection["certificate"], "seconds": diverse.seconds["select"]},
        },
        "seconds": diverse.seconds,
        "files": {file: digest(folder / file) for file in (*reproducible(name), *pictures)},
        "libraries": library_versions(),
    }
    if diverse.plausibility:
        homes = Households.from_households([row.household for row in diverse.rows])
        manifest["plausibility"] = diverse.plausibility.described(
            homes, [row.id for row in diverse.rows]
        )
    write_manifest(folder, manifest)
    return manifest
