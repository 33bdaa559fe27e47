"""Differences of editions for the terminal, as Markdown, and as a part of the report page."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2

from benyfits_data.upkeep.edition_diff import (
    KINDS,
    Flips,
    ProgramDiff,
    ValueChange,
    print_threshold,
)
from benyfits_data.upkeep.text_diff import ParagraphPair, TextPiece
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
        """How many programs each thing happened to, in the order of `KINDS`."""
        found = Counter(diff.kind for diff in self.diffs)
        return [(label, found[kind]) for kind, label in KINDS.items() if found[kind]]

    @property
    def ranked(self) -> list[tuple[str, Flips]]:
        """The programs whose answers change most in the city, largest first."""
        moved = [(name, flips) for name, flips in self.city.items() if flips.share]
        return sorted(moved, key=lambda item: (-item[1].share, item[0]))[:_LARGEST]

    @property
    def told(self) -> list[ProgramDiff]:
        """The diffs worth telling: all when few were asked for, else those that changed."""
        changed = [diff for diff in self.diffs if diff.is_changed]
        return changed or list(self.diffs)


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


def _values(diff: ProgramDiff) -> list[ValueChange]:
    return [change for change in diff.values if change.is_changed]


def _evidence(change: ValueChange, side: str) -> str:
    threshold = change.old if side == "old" else change.new
    return "" if threshold is None else f"{threshold.source}, verified {threshold.verified}"


def _stretches(pairs: Sequence[ParagraphPair]) -> Iterator[ParagraphPair | int]:
    """Yield changed pairs, and how many unchanged ones lie between them."""
    unchanged = 0
    for pair in pairs:
        if not pair.is_changed:
            unchanged += 1
            continue
        if unchanged:
            yield unchanged
        unchanged = 0
        yield pair
    if unchanged:
        yield unchanged


def _unchanged(n: int) -> str:
    return f"{n} paragraph{'s' if n > 1 else ''} unchanged"


def _marked(pieces: Sequence[TextPiece], opening: str, closing: str) -> str:
    return " ".join(
        f"{opening}{piece.text}{closing}" if piece.is_changed else piece.text for piece in pieces
    )


def to_terminal(report: EditionDiff, width: int = 120) -> str:
    """Return the report as plain text; old words stand in [-...-], new ones in {+...+}."""
    old, new = report.years
    half = (width - 3) // 2
    lines = [f"Edition {old} and edition {new}", ""]
    lines += [f"{n:>4}  {label}" for label, n in report.counts]
    if report.ranked:
        lines += ["", "Share of New York City households whose answer changes:"]
        lines += [f"  {name}: {say_flips(flips)}" for name, flips in report.ranked]
    for diff in report.told:
        lines += ["", f"== {diff.title} ({diff.name}): {KINDS[diff.kind]}"]
        lines += [f"households: {say_flips(report.city.get(diff.name))}"]
        if diff.name in report.rows:
            lines.append(f"dataset: {say_rows(report.rows[diff.name])}")
        for witness in report.witnesses.get(diff.name, ()):
            lines.append(say_witness(witness, report.years))
            lines += [f"  {fact}" for fact in witness.facts]
        for change in _values(diff):
            lines.append(f"{change.name}:")
            for year, side, threshold in ((old, "old", change.old), (new, "new", change.new)):
                lines.append(f"  {year}: {print_threshold(threshold)}")
                if threshold is not None:
                    lines.append(f"        {_evidence(change, side)}")
        for stretch in _stretches(diff.pairs):
            if isinstance(stretch, int):
                lines.append(f"{'':>{half // 2}}... {_unchanged(stretch)} ...")
                continue
            left = textwrap.wrap(_marked(stretch.old, "[-", "-]"), half) or [""]
            right = textwrap.wrap(_marked(stretch.new, "{+", "+}"), half) or [""]
            for position in range(max(len(left), len(right))):
                one = left[position] if position < len(left) else ""
                other = right[position] if position < len(right) else ""
                lines.append(f"{one:<{half}} | {other}".rstrip())
    return "\n".join(lines) + "\n"


def to_markdown(report: EditionDiff) -> str:
    """Return the report as Markdown; old words are struck through, new ones bold."""
    old, new = report.years
    lines = [f"# Edition {old} and edition {new}", "", "| what happened | programs |", "|---|---:|"]
    lines += [f"| {label} | {n} |" for label, n in report.counts]
    if report.ranked:
        lines += ["", "| program | households whose answer changes |", "|---|---|"]
        lines += [f"| {name} | {say_flips(flips)} |" for name, flips in report.ranked]
    for diff in report.told:
        lines += ["", f"## {diff.title} ({diff.name})", ""]
        lines += [f"{KINDS[diff.kind].capitalize()}.", ""]
        lines += [f"- households: {say_flips(report.city.get(diff.name))}"]
        if diff.name in report.rows:
            lines.append(f"- dataset: {say_rows(report.rows[diff.name])}")
        for witness in report.witnesses.get(diff.name, ()):
            lines.append(f"- {say_witness(witness, report.years)}")
            lines += [f"  - {fact}" for fact in witness.facts]
        if _values(diff):
            lines += ["", f"| threshold | {old} | {new} |", "|---|---|---|"]
        for change in _values(diff):
            cells = [
                f"{print_threshold(threshold)}<br>{_evidence(change, side)}"
                for side, threshold in (("old", change.old), ("new", change.new))
            ]
            lines.append(f"| {change.name} | {' | '.join(cells)} |")
        lines += ["", f"| {old} | {new} |", "|---|---|"]
        for stretch in _stretches(diff.pairs):
            if isinstance(stretch, int):
                lines.append(f"| *{_unchanged(stretch)}* | |")
                continue
            one = _marked(stretch.old, "~~", "~~").replace("|", "\\|")
            other = _marked(stretch.new, "**", "**").replace("|", "\\|")
            lines.append(f"| {one.strip()} | {other.strip()} |")
    return "\n".join(lines) + "\n"


def to_html(report: EditionDiff) -> str:
    """Return the report as a fragment of the report page; every paragraph is shown."""
    template = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
    ).get_template("edition_diff.jinja")
    entries = [
        {
            "diff": diff,
            "label": KINDS[diff.kind],
            "city": report.city.get(diff.name),
            "rows": report.rows.get(diff.name),
            "witnesses": [
                {"title": say_witness(witness, report.years), "facts": witness.facts}
                for witness in report.witnesses.get(diff.name, ())
            ],
            "thresholds": [
                {
                    "name": change.name,
                    "old": print_threshold(change.old),
                    "new": print_threshold(change.new),
                    "old_source": _evidence(change, "old"),
                    "new_source": _evidence(change, "new"),
                }
                for change in _values(diff)
            ],
        }
        for diff in report.told
    ]
    old, new = report.years
    return template.render(
        old=old, new=new, counts=report.counts, ranked=report.ranked, entries=entries
    )
