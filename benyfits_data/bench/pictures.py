"""The picture of a bench run: households against time."""

from typing import TYPE_CHECKING

from benyfits_data.bench.measuring import Bench
from benyfits_data.drawing import BLUE, GREEN, ORANGE, figure, to_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = (ORANGE, GREEN)


def draw_bench(bench: Bench) -> str:
    """Return an SVG of households against seconds, beside what other tracers would need."""
    sizes = [n for n, _ in bench.growth]
    with figure(8, 5) as drawn:
        axes = drawn.add_subplot()
        for colour, (name, seconds) in zip(_COLOURS, bench.others.items(), strict=True):
            needed = [seconds * n / bench.households for n in sizes]
            axes.plot(sizes, needed, color=colour, linestyle="--", linewidth=2)
            _label(axes, sizes[-1], needed[-1], f"{name}, tracing alone", colour)
        axes.plot(
            sizes, [seconds for _, seconds in bench.growth], color=BLUE, linewidth=2, marker="o"
        )
        _label(axes, *bench.growth[-1], "ours, sampling and tracing", BLUE)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(f"households, each through {bench.programs} programs")
        axes.set_ylabel("seconds")
        axes.set_title(f"Other tracers: extrapolated from {bench.compared} households", fontsize=11)
        drawn.suptitle(f"Time for a pool of edition {bench.edition}", x=0.01, ha="left")
        return to_svg(drawn)


def _label(axes: "Axes", x: float, y: float, text: str, colour: str) -> None:
    axes.annotate(
        text, (x, y), xytext=(-6, 8), textcoords="offset points", ha="right", color=colour
    )
