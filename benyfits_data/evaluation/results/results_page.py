"""The site's section on evaluations: picture, tables, and every dialog to read."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.paper_table import (
    DATASETS,
    average_sets,
    find_sets,
)
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import Table
from benyfits_data.plotting import BLUE, GREEN, ORANGE, PINK, RED, SKY, figure, to_svg

TEMPLATES = Path(__file__).parent / "templates"
COLOURS = {
    "random": PINK,
    "direct": ORANGE,
    "react": SKY,
    "proada": BLUE,
    "proada-without-clarity": GREEN,
    "proada-planned": "#999999",
}
PAR_COLOURS = {"one": "#808080", "roster": ORANGE, "who": SKY, "all": PINK}
MARKERS = "osD^v<>Pp*hXd8H"


def draw_scores(runs: Sequence[Run], paper: Sequence[Mapping[str, str]]) -> str:
    """Return the paper's Figure 4 as SVG: F1 against turns, averaged over both datasets.

    A run of one dataset only is drawn with that dataset's figures and says so; partial and broken
    runs are left out. Colours tell agents apart, shapes models.
    """
    runs = [run for run in runs if run.is_complete]
    points = [
        (row["agent"], row["dialog_model"], float(row["average_turns"]), float(row["average_f1"]))
        for row in paper
    ]
    # Both versions of the paper print some rows: they are one point.
    published = list(dict.fromkeys(points))
    ours = list(_average(runs))
    with figure(9, 5.5) as drawn:
        axes = drawn.add_subplot()
        axes.set_xlabel("turns per dialog (a question and its answer each)")
        axes.set_ylabel("F1 of the verdicts, percent")
        axes.set_title("Agents' F1 and turns: these runs (filled) and the paper's (open)")
        axes.set_ylim(0, 108)
        models = dict.fromkeys(model for _, model, *_ in (*published, *ours))
        shapes = dict(zip(models, cycle(MARKERS), strict=False))
        axes.scatter([], [], color="none", label="Agent (colour)")
        for agent in dict.fromkeys(agent for agent, *_ in (*published, *ours)):
            axes.scatter([], [], color=COLOURS.get(agent, RED), label=agent)
        axes.scatter([], [], color="none", label="Dialog model (shape)")
        for model, shape in shapes.items():
            axes.scatter([], [], color="#808080", marker=shape, label=model)
        for agent, model, turns, f1 in (*published, *ours):
            colour = COLOURS.get(agent, RED)
            is_ours = (agent, model, turns, f1) in ours
            axes.scatter(
                turns,
                f1,
                facecolors=colour if is_ours else "none",
                edgecolors=colour,
                marker=shapes[model],
                s=60,
            )
        pars = list(_pars(runs))
        if pars:
            axes.scatter([], [], color="none", label="Fewest questions (par), by track")
        for label, turns, colour in pars:
            axes.axvline(turns, color=colour, linestyle="--", linewidth=1, label=label)
        legend = axes.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=9)
        for text in legend.get_texts():
            if text.get_text().startswith(("Agent (", "Dialog model (", "Fewest questions (")):
                text.set_fontweight("bold")
        return to_svg(drawn)


def _average(runs: Sequence[Run]) -> Iterator[tuple[str, str, float, float]]:
    """Yield agent, model, turns and F1 of each point of ours."""
    averaged: list[Run] = []
    for _, both in find_sets(runs):
        if len(both) == len(DATASETS):
            averaged += both.values()
            run = next(iter(both.values()))
            f1, turns, _ = average_sets(both)
            yield run.agent, run.roles.get("dialog", "coin"), turns.value, f1.value
    for run in runs:
        if run.dialogs and run not in averaged:
            model = f"{run.roles.get('dialog', 'coin')} ({run.name} only)"
            turns_alone = metrics.score(run.pairs, metrics.mean_turns)
            yield run.agent, model, turns_alone, metrics.score(run.pairs)


def _pars(runs: Sequence[Run]) -> Iterator[tuple[str, float, str]]:
    """Yield for each track the label of its mean par, the turns where it stands, and its colour.

    Over both sets where a run played both, with equal weight as its turns; else over its set.
    """
    places: dict[tuple[str, str], float] = {}
    for _, both in find_sets(runs):
        means = [_mean_par(run) for run in both.values()]
        if len(both) == len(DATASETS) and not any(map(math.isnan, means)):
            places[next(iter(both.values())).track, ""] = sum(means) / len(means)
    for run in runs:
        if (run.track, "") not in places and not math.isnan(mean := _mean_par(run)):
            places.setdefault((run.track, f", {run.name} only"), mean)
    for (track, where), place in sorted(places.items()):
        yield f"{track}{where}: {place:.1f}", place, PAR_COLOURS[track]


def _mean_par(run: Run) -> float:
    known = [dialog.par for dialog in run.dialogs if dialog.par is not None]
    return sum(known) / len(known) if known else math.nan


def render_section(
    runs: Sequence[Run],
    paper: Sequence[Mapping[str, str]],
    tables: Sequence[Table],
    programs: Iterable[tuple[str, Sequence[Mapping[str, Any]]]] = (),
) -> str:
    """Return the section as an HTML fragment: picture, tables, every dialog and program judged.

    Args:
        runs: Runs of dialogs.
        paper: The published rows.
        tables: What is compared.
        programs: Of each run of the task `rules`, its name and its programs.
    """
    from markupsafe import Markup

    from benyfits_data.templating import templates

    picture = draw_scores(runs, paper)
    return (
        templates(TEMPLATES)
        .get_template("evaluation.jinja")
        .render(
            picture=Markup(picture[picture.index("<svg") :]),
            tables=tables,
            runs=runs,
            programs=list(programs),
        )
    )
