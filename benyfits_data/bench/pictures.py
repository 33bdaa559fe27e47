"""The picture of a bench run: households against time."""

from benyfits_data.bench.measuring import Bench
from benyfits_data.drawing import BLUE, GREEN, ORANGE, figure, to_svg

_LOOKS = ((ORANGE, "--"), (GREEN, ":"))


def draw_bench(bench: Bench) -> str:
    """Return an SVG of households against seconds, beside what other tracers would need."""
    sizes = [n for n, _ in bench.growth]
    with figure(8, 5) as drawn:
        axes = drawn.add_subplot()
        for (colour, style), (name, seconds) in zip(_LOOKS, bench.others.items(), strict=True):
            axes.plot(
                sizes,
                [seconds * n / bench.households for n in sizes],
                color=colour,
                linestyle=style,
                linewidth=2.5,
                label=f"{name}, tracing alone (extrapolated from {bench.compared} households)",
            )
        axes.plot(
            sizes,
            [seconds for _, seconds in bench.growth],
            color=BLUE,
            linewidth=2.5,
            marker="o",
            label="ours, sampling and tracing",
        )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(f"households, each through {bench.programs} programs")
        axes.set_ylabel("seconds")
        axes.set_title(f"Time for a pool of edition {bench.edition}")
        axes.legend(loc="upper left")
        # Room for the legend above the lines.
        low, high = axes.get_ylim()
        axes.set_ylim(low, high * (high / low) ** 0.25)
        return to_svg(drawn)
