"""The report page's section on evaluations: picture, tables, and every dialog to read."""

from collections.abc import Sequence
from pathlib import Path

from benyfits_data.drawing import BLUE, GREEN, ORANGE, PINK, RED, SKY, figure, to_svg
from benyfits_data.evaluation import metrics
from benyfits_data.evaluation.results import PaperRow, Run
from benyfits_data.evaluation.tables import DATASETS, all_tables

TEMPLATES = Path(__file__).parent / "templates"
COLOURS = {
    "random": PINK,
    "direct": ORANGE,
    "react": SKY,
    "proada": BLUE,
    "proada-without-clarity": GREEN,
}


def draw_scores(runs: Sequence[Run], paper: Sequence[PaperRow]) -> str:
    """Return the paper's Figure 4 as SVG: F1 against turns, averaged over both datasets.

    A run of one dataset only is drawn with that dataset's figures and says so.

    Args:
        runs: Our runs, filled points.
        paper: The published rows, open points.
    """
    with figure(9, 5.5) as drawn:
        axes = drawn.add_subplot()
        axes.set_xlabel("Turns per dialog")
        axes.set_ylabel("F1 (%)")
        axes.set_title("F1 against turns (open points: published, on the published data)")
        for row in paper:
            colour = COLOURS.get(row.agent, RED)
            axes.scatter(
                row.average_turns, row.average_f1, facecolors="none", edgecolors=colour, s=60
            )
            axes.annotate(
                f"{row.agent}, {row.dialog_model}",
                (row.average_turns, row.average_f1),
                xytext=(5, 4),
                textcoords="offset points",
                fontsize=7,
                color="#555555",
            )
        for run in runs:
            turns, f1, note = _average(run)
            axes.scatter(turns, f1, color=COLOURS.get(run.agent, RED), s=70, zorder=3)
            axes.annotate(
                f"{run.agent}{note}",
                (turns, f1),
                xytext=(6, -12),
                textcoords="offset points",
                fontsize=9,
            )
        axes.set_ylim(0, 105)
        axes.set_xlim(left=-2)
        return to_svg(drawn)


def render_section(runs: Sequence[Run], paper: Sequence[PaperRow]) -> str:
    """Return the section as an HTML fragment: picture, tables, and a transcript of every dialog.

    Args:
        runs: Our runs.
        paper: The published rows.
    """
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    picture = draw_scores(runs, paper)
    return environment.get_template("evaluation.jinja").render(
        picture=Markup(picture[picture.index("<svg") :]),
        tables=all_tables(runs, paper),
        runs=runs,
    )


def _average(run: Run) -> tuple[float, float, str]:
    known = {name: run.dialogs[name] for name in DATASETS if name in run.dialogs}
    if len(known) == len(DATASETS):
        f1, turns, _ = metrics.combine(known)
        return turns, f1, ""
    dialogs = [dialog for some in run.dialogs.values() for dialog in some]
    scores = metrics.score(dialogs)
    return scores.turns, scores.f1, f" ({', '.join(run.dialogs)} only)"
