"""The figure of a paper: F1 against turns with intervals, baselines, and the published points."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.comparison import (
    DATASETS,
    find_sets,
    guess_runs,
)
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.plotting import BLUE, GREEN, ORANGE, PINK, RED, SKY, figure, to_print, to_svg

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.axes import Axes

WIDTH, HEIGHT = 3.4, 2.75
"""Inches of a panel: a column of a paper of two columns, where text of 7 points is read."""
PAGE_WIDTH = "35rem"
"""On a page; less where there is no room."""
STYLES = {
    "proada": (BLUE, "o"),
    "proada-without-clarity": (SKY, "s"),
    "react": (GREEN, "^"),
    "direct": (ORANGE, "D"),
    "planner": (RED, "v"),
    "no-user": (PINK, "P"),
    "oracle-plan": ("#000000", "X"),
    "human": ("#7F4F24", "*"),
}
"""Colour and marker of the bundled agents: each has both of its own, so grey is enough."""
OTHER_STYLES = tuple(zip((PINK, RED, GREEN, BLUE, ORANGE, SKY), "<>hpHd", strict=True))
BASELINES = {"prior": "-", "random": "--", "always-yes": ":"}
"""The agents that ask nothing, and how their lines are drawn; `always-no` has an F1 of 0."""
BOTH = "both sets, averaged"
GREY = "#606060"
MARKER = 5
"""Points of type across a marker of ours."""
SHORTER = {"Llama 3.1 ": "", "GPT-o3 mini": "o3", "GPT-": "", "Claude 3.7": "C"}
PUBLISHED_NOTE = "Open: published. 8B, 70B: Llama 3.1; 4o: GPT-4o; o3: o3-mini; C: Claude 3.7."
"""What models of published points are called, for there is little room, and what tells so."""
PLACES = ((5, 0), (-5, 0), (4, 6), (4, -6), (-4, 6), (-4, -6), (0, 8), (0, -8), (5, 11), (-5, -11))
"""Where a label is tried beside its point, in points of type: the first that is free."""


@dataclass(frozen=True)
class Point:
    """F1 and turns of an agent, of a run of ours or as published; the mean par of its dialogs."""

    agent: str
    label: str
    f1: metrics.Interval
    turns: metrics.Interval
    par: float = math.nan
    is_ours: bool = True


def draw_scores(
    runs: Sequence[Run],
    paper: Sequence[Mapping[str, str]],
    kinds: Sequence[str] = ("svg", "pdf", "png"),
) -> dict[str, str | bytes]:
    """Return the paper's Figure 4, by format: F1 against turns, with intervals.

    Runs of both sets stand in a panel of averages, others in one of their set; published points
    stand in the panels whose figures were published. Partial and broken runs are left out.

    Args:
        runs: Any runs.
        paper: The published rows; see `comparison.read_paper`.
        kinds: The formats.
    """
    runs = [run for run in runs if run.is_complete and run.dialogs]
    panels = _panels(runs) or {BOTH: []}
    guessed = guess_runs(runs)
    guesses = {BOTH: _panels(guessed).get(BOTH, [])}
    for run in guessed:
        guesses.setdefault(run.name, []).extend(_panels([run])[run.name])
    agents = dict.fromkeys(
        [point.agent for points in panels.values() for point in points]
        + [row["agent"] for row in paper if row["agent"] not in BASELINES]
    )
    others = cycle(OTHER_STYLES)
    styles = {agent: STYLES.get(agent) or next(others) for agent in agents}
    with figure(WIDTH, HEIGHT * len(panels) + 0.6, small=True) as drawn:
        grid = drawn.subplots(len(panels), squeeze=False)[:, 0]
        for axes, (name, points) in zip(grid, panels.items(), strict=True):
            published = list(_published(paper, name))
            _draw_panel(axes, name, [*published, *points], guesses.get(name, []), styles)
        handles = [
            grid[0].scatter([], [], color=colour, marker=marker, s=18, label=agent)
            for agent, (colour, marker) in styles.items()
        ]
        legend: dict[str, Any] = {"loc": "outside lower center", "ncols": 3, "columnspacing": 1}
        if paper:
            legend |= {"title": PUBLISHED_NOTE, "title_fontsize": 6}
        drawn.legend(handles=handles, **legend)
        return {kind: to_svg(drawn) if kind == "svg" else to_print(drawn, kind) for kind in kinds}


def _panels(runs: Sequence[Run]) -> dict[str, list[Point]]:
    """Return the points of each panel: averages of both sets, then single sets."""
    averaged: list[Run] = []
    points: dict[str, list[Point]] = {}
    for _, both in find_sets(runs):
        if len(both) == len(DATASETS):
            averaged += both.values()
            f1, turns, _ = metrics.bootstrap_combined(
                {name: run.pairs for name, run in both.items()}
            )
            points.setdefault(BOTH, []).append(_point(list(both.values()), f1, turns))
    for run in runs:
        if run not in averaged:
            f1, turns = (
                metrics.bootstrap(run.pairs, statistic)
                for statistic in (metrics.f1, metrics.mean_turns)
            )
            points.setdefault(run.name, []).append(_point([run], f1, turns))
    return points


def _point(runs: Sequence[Run], f1: metrics.Interval, turns: metrics.Interval) -> Point:
    pars = [run.pairs.drop_duplicates("dialog").par.mean() for run in runs]
    model = runs[0].roles.get("dialog", "").rpartition("/")[2]
    return Point(runs[0].agent, model, f1, turns, float(np.mean(pars)))


def _published(paper: Sequence[Mapping[str, str]], name: str) -> Iterator[Point]:
    """Yield the published points of what a panel measures; both versions print some rows."""
    column = {BOTH: "average"}.get(name, name)
    seen = set()
    for row in paper:
        shown = row["agent"], row["dialog_model"], row.get(f"{column}_f1")
        if shown[-1] is None or shown in seen or row["agent"] in BASELINES:
            continue
        seen.add(shown)
        label = row["dialog_model"]
        for long, short in SHORTER.items():
            label = label.replace(long, short)
        f1, turns = (metrics.Interval(float(row[f"{column}_{what}"])) for what in ("f1", "turns"))
        yield Point(row["agent"], label, f1, turns, is_ours=False)


def _draw_panel(
    axes: "Axes",
    name: str,
    points: Sequence[Point],
    guesses: Sequence[Point],
    styles: Mapping[str, tuple[str, str]],
) -> None:
    axes.set_title(f"F1 of verdicts in %, {name}")
    axes.set_xlabel("turns per dialog")
    lowest = min([40.0, *(point.f1.value for point in (*points, *guesses) if point.f1.value > 0)])
    axes.set_ylim(max(0, 10 * (lowest // 10) - 10), 104)
    axes.set_xlim(0, max([10.0, *(1.15 * point.turns.value for point in points)]))
    for par in {point.par for point in points if not math.isnan(point.par)}:
        axes.axvline(par, color=GREY, linewidth=0.8, linestyle="-.")
        low = axes.get_xaxis_transform()
        axes.text(par, 0.03, f" par {par:.1f}", transform=low, color=GREY, fontsize=6)
    lines = sorted((guess.f1.value, guess.agent) for guess in guesses if guess.agent in BASELINES)
    above = -10.0
    for f1, agent in lines:
        axes.axhline(f1, color=GREY, linewidth=0.8, linestyle=BASELINES[agent])
        above = max(f1, above + 6)
        axes.annotate(
            f"{agent} {f1:.0f}",
            (1, above),
            xycoords=("axes fraction", "data"),
            xytext=(3, 0),
            textcoords="offset points",
            verticalalignment="center",
            color=GREY,
            annotation_clip=False,
        )
    for point in points:
        colour, marker = styles[point.agent]
        x, y = point.turns.value, point.f1.value
        axes.errorbar(
            x,
            y,
            xerr=_error(point.turns),
            yerr=_error(point.f1),
            color=colour,
            marker=marker,
            markersize=MARKER if point.is_ours else MARKER - 1,
            markerfacecolor=colour if point.is_ours else "none",
            markeredgewidth=0.8,
            elinewidth=0.8,
            alpha=1 if point.is_ours else 0.75,
            clip_on=False,
        )
    _place_labels(axes, points)


def _error(interval: metrics.Interval) -> Any:
    """The two arms of an error bar; none where there is no interval."""
    arms = interval.value - interval.low, interval.high - interval.value
    return None if arms[0] != arms[0] else [[max(0.0, arm)] for arm in arms]


def _place_labels(axes: "Axes", points: Sequence[Point]) -> None:
    """Write the model beside each point, ours first, where no other point or label is."""
    from matplotlib.transforms import Bbox

    axes.figure.draw_without_rendering()  # type: ignore[union-attr]
    places = [(point.turns.value, point.f1.value) for point in points]
    at: Any = axes.transData.transform(places) if places else []
    half = MARKER * axes.figure.dpi / 144
    taken = [Bbox.from_extents(*(place - half), *(place + half)) for place in at]
    for point in points:
        (_, left, right), (_, low, high) = point.turns, point.f1
        x, y = point.turns.value, point.f1.value
        bars = ((left, y), (right, y)), ((x, low), (x, high))
        # Where there is no interval its ends are not numbers, and overlap nothing.
        taken += [Bbox(axes.transData.transform(ends)).padded(1) for ends in bars]
    for point in sorted((each for each in points if each.label), key=lambda each: not each.is_ours):
        written = axes.annotate(
            point.label,
            (point.turns.value, point.f1.value),
            xytext=(0, 0),
            textcoords="offset points",
            va="center",
            color="#000000" if point.is_ours else GREY,
            fontsize=6.5 if point.is_ours else 5.5,
        )

        def place(at: tuple[int, int], written: Any = written) -> Any:
            written.set_position(at)
            written.set_ha({-1: "right", 0: "center", 1: "left"}[np.sign(at[0])])
            return written.get_window_extent()

        def count_crossed(at: tuple[int, int]) -> int:
            box = place(at)
            n_outside = sum(not axes.bbox.contains(*corner) for corner in (box.min, box.max))
            return int(sum(map(box.overlaps, taken))) + 10 * n_outside

        taken.append(place(min(PLACES, key=count_crossed)))


def inline_scores(runs: Sequence[Run], paper: Sequence[Mapping[str, str]]) -> "Markup":
    """Return the picture of scores to stand in a page; see `draw_scores`."""
    from markupsafe import Markup

    svg = str(draw_scores(runs, paper, ["svg"])["svg"])
    style = f'<svg style="width: {PAGE_WIDTH}; min-width: 0"'
    return Markup(svg[svg.index("<svg") :].replace("<svg", style, 1))
