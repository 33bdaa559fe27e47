"""The report page's section on evaluations: picture, tables, and every dialog to read."""

from collections.abc import Sequence
from pathlib import Path

from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import PaperRow, Run
from benyfits_data.evaluation.results.score_tables import DATASETS, PUBLISHED, Table, find_sets
from benyfits_data.plotting import BLUE, GREEN, ORANGE, PINK, RED, SKY, figure, to_svg

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
    """
    points = [
        (row.agent, row.dialog_model, row.average_turns, row.average_f1, False) for row in paper
    ]
    # Both versions of the paper print some rows: they are one point.
    points = list(dict.fromkeys(points))
    for run in (run for run in runs if any(run.dialogs.values())):
        turns, f1, note = _average(run)
        points.append(
            (run.agent, f"ours: {run.roles.get('dialog', 'coin')}{note}", turns, f1, True)
        )
    with figure(9, 5.5) as drawn:
        axes = drawn.add_subplot()
        axes.set_xlabel("Turns per dialog")
        axes.set_ylabel("F1 (%)")
        axes.set_title("F1 against turns (open points: published, on the published data)")
        right = max(turns for _, _, turns, _, _ in points) * 1.2 + 5
        axes.set_xlim(-2, right)
        axes.set_ylim(0, 108)
        for agent in dict.fromkeys(agent for agent, *_ in points):
            axes.scatter([], [], color=COLOURS.get(agent, RED), label=agent)
        for agent, _, turns, f1, is_ours in points:
            colour = COLOURS.get(agent, RED)
            axes.scatter(
                turns, f1, facecolors=colour if is_ours else "none", edgecolors=colour, s=60
            )
        for (x, y), (_, model, turns, f1, _) in zip(
            _place_labels([(turns, f1, model) for _, model, turns, f1, _ in points], right),
            points,
            strict=True,
        ):
            axes.annotate(
                model,
                (turns, f1),
                xytext=(x, y),
                textcoords="offset points",
                fontsize=8,
                color="#444444",
            )
        axes.legend(loc="upper right")
        return to_svg(drawn)


def _place_labels(
    labels: Sequence[tuple[float, float, str]], right: float
) -> list[tuple[float, float]]:
    """Return an offset for each label, in points, such that no label covers another or a point."""
    wide, high = 580 / right, 320 / 108
    taken: list[tuple[float, float, float, float]] = [
        (turns * wide - 5, f1 * high - 5, turns * wide + 5, f1 * high + 5)
        for turns, f1, _ in labels
    ]
    offsets: list[tuple[float, float]] = []
    for turns, f1, text in labels:
        width = 4.6 * len(text)
        tries = [(dx, dy) for dy in (-3, 7, -13, 17, -23, 27, -33) for dx in (8, -width - 8)]
        boxes = [
            (
                turns * wide + dx,
                f1 * high + dy,
                turns * wide + dx + width,
                f1 * high + dy + 9,
            )
            for dx, dy in tries
        ]
        free = [
            place
            for place, box in enumerate(boxes)
            if box[0] >= -10 and not any(_overlap(box, other) for other in taken)
        ]
        best = free[0] if free else 0
        taken.append(boxes[best])
        offsets.append(tries[best])
    return offsets


def _overlap(
    first: tuple[float, float, float, float], second: tuple[float, float, float, float]
) -> bool:
    apart = first[2] < second[0] or second[2] < first[0]
    return not (apart or first[3] < second[1] or second[3] < first[1])


def render_section(runs: Sequence[Run], paper: Sequence[PaperRow], tables: Sequence[Table]) -> str:
    """Return the section as an HTML fragment: picture, tables, and a transcript of every dialog."""
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
        tables=tables,
        runs=runs,
    )


def _average(run: Run) -> tuple[float, float, str]:
    known = find_sets(run) or find_sets(run, PUBLISHED)
    if len(known) == len(DATASETS):
        f1, turns, _ = metrics.combine(known)
        return turns, f1, ""
    dialogs = [dialog for some in run.dialogs.values() for dialog in some]
    scores = metrics.score(dialogs)
    return scores.turns, scores.f1, f" ({', '.join(run.dialogs)} only)"
