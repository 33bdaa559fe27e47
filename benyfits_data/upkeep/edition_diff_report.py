"""Differences of editions as Markdown, and as a part of the report page."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import jinja2

from benyfits_data.editions import Threshold
from benyfits_data.upkeep.edition_diff import (
    KINDS,
    Flips,
    ParagraphPair,
    Piece,
    ProgramDiff,
    print_threshold,
)
from benyfits_data.upkeep.witnesses import Witness

_LARGEST = 10


@dataclass(frozen=True)
class EditionDiff:
    """Everything known about the difference of two editions.

    Attributes:
        years: The two editions.
        diffs: The programs.
        witnesses: Households decided differently, by program.
        city: Answers that change in the city, by program.
        rows: Answers that change in a dataset, by program.
    """

    years: tuple[int, int]
    diffs: Sequence[ProgramDiff]
    witnesses: Mapping[str, Sequence[Witness]]
    city: Mapping[str, Flips]
    rows: Mapping[str, Flips]

    @property
    def counts(self) -> list[tuple[str, int]]:
        """How many programs there are of each kind of change, in the order of `KINDS`."""
        counts = Counter(diff.kind for diff in self.diffs)
        return [(label, counts[kind]) for kind, label in KINDS.items() if counts[kind]]

    @property
    def ranked(self) -> list[tuple[str, Flips]]:
        """The programs whose answers change most in the city, largest first."""
        moved = [(name, flips) for name, flips in self.city.items() if flips.share]
        return sorted(moved, key=lambda item: (-item[1].share, item[0]))[:_LARGEST]

    @property
    def shown(self) -> list[ProgramDiff]:
        """The diffs to print: all when few were asked for, else those that changed."""
        changed = [diff for diff in self.diffs if diff.is_changed]
        return changed or list(self.diffs)


def render_diff(report: EditionDiff, form: Literal["md", "html"]) -> str:
    """Return the report as text.

    Args:
        report: What differs.
        form: As Markdown (old words struck through, new ones bold), or as a fragment of the report
            page, with all paragraphs.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=form == "html",
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "evidence": _evidence,
        "flips": say_flips,
        "marked": _marked,
        "rows": say_rows,
        "stretches": _stretches,
        "threshold": print_threshold,
        "witness": lambda witness: say_witness(witness, report.years),
    }
    template = environment.get_template(f"edition_diff.{form}.jinja")
    return template.render(report=report, kinds=KINDS)


def as_content(report: EditionDiff) -> dict[str, Any]:
    """Return the report for JSON: all programs, the texts of those that changed."""
    return {
        "editions": report.years,
        "counts": dict(report.counts),
        "programs": [
            {
                "program": diff.name,
                "what happened": KINDS[diff.kind],
                "thresholds": {
                    name: [print_threshold(side) for side in sides]
                    for name, sides in diff.values.items()
                },
                "texts": [
                    [_marked(pair.old, "", ""), _marked(pair.new, "", "")]
                    for pair in diff.pairs
                    if pair.is_changed
                ],
                "notes": diff.notes,
                "witnesses": [
                    {"says": say_witness(witness, report.years), "facts": witness.facts}
                    for witness in report.witnesses.get(diff.name, ())
                ],
                "city": asdict(report.city[diff.name]) if diff.name in report.city else None,
                "dataset": asdict(report.rows[diff.name]) if diff.name in report.rows else None,
            }
            for diff in report.diffs
        ],
    }


def say_flips(flips: Flips | None) -> str:
    """Return how many households get another answer, in words."""
    if flips is None:
        return "not counted"
    return (
        f"{100 * flips.share:.2f}% ± {100 * flips.margin:.2f} "
        f"({flips.gained} gain, {flips.lost} lose, of {flips.of:,})"
    )


def say_rows(flips: Flips) -> str:
    """Return which rows of a dataset get another label, in words."""
    names = f": {', '.join(flips.ids)}" if flips.ids else ""
    return f"{len(flips.ids)} of {flips.of} rows{names}"


def say_witness(witness: Witness, years: tuple[int, int]) -> str:
    """Return what a witness shows, in one sentence."""
    now, then = years[::-1] if witness.direction == "gains" else years
    if witness.status == "none":
        return f"Proven: no possible household is eligible in {now} and not in {then}."
    if witness.status == "unknown":
        return f"Unknown: whether any household is eligible in {now} and not in {then}."
    return (
        f"Eligible in {now}, not in {then}. In {years[0]}: {witness.old}. "
        f"In {years[1]}: {witness.new}."
    )


def _evidence(threshold: Threshold | None) -> str:
    return "" if threshold is None else f"{threshold.source}, verified {threshold.verified}"


def _stretches(pairs: Sequence[ParagraphPair]) -> Iterator[ParagraphPair | str]:
    """Yield changed pairs, and how many unchanged ones lie between them."""
    unchanged = 0
    for pair in (*pairs, None):
        if pair is not None and not pair.is_changed:
            unchanged += 1
            continue
        if unchanged:
            yield f"{unchanged} paragraph{'s' if unchanged > 1 else ''} unchanged"
        unchanged = 0
        if pair is not None:
            yield pair


def _marked(pieces: Sequence[Piece], opening: str, closing: str) -> str:
    return " ".join(
        f"{opening}{text}{closing}" if is_changed else text for text, is_changed in pieces
    )
