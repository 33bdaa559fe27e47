"""Pictures of a Diverse set: what the programs depend on, and how coverage grows."""

from collections.abc import Sequence

from benyfits_data.fuzz.coverage import Coverage, Pair, programs_of
from benyfits_data.plotting import BLUE, ORANGE, figure, to_svg

_MOST_FEATURES = 20
_ACRONYMS = {"acs", "fpha", "gpa", "hra", "hiv", "ssdi", "ssi", "ssn", "snap", "us", "va"}


def draw_features(counts: Sequence[tuple[str, int]], n_programs: int) -> str:
    """Return an SVG of how many programs depend on each feature (the paper's Figure 2).

    Args:
        counts: Feature and number of programs, most first; the first 20 are drawn.
        n_programs: Number of programs in all.
    """
    shown = list(counts)[:_MOST_FEATURES][::-1]
    with figure(8, 6.5) as drawn:
        axes = drawn.add_subplot()
        bars = axes.barh(
            [_in_words(name) for name, _ in shown], [count for _, count in shown], color=BLUE
        )
        axes.bar_label(bars, padding=3)
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(f"how many of the {n_programs} checkers read the fact")
        axes.set_title(f"The {len(shown)} facts that the most programs depend on")
        return to_svg(drawn)


def _in_words(feature: str) -> str:
    words = feature.split("_")
    return " ".join(word.upper() if word in _ACRONYMS else word for word in words)


def draw_growth(covered: Sequence[int], reachable: int) -> str:
    """Return an SVG of checker lines and branches covered against households added.

    Args:
        covered: Lines and branches covered after the first household, the first two, and so on.
        reachable: Lines and branches that the corpus covers.
    """
    with figure(8, 4.5) as drawn:
        axes = drawn.add_subplot()
        axes.step(range(len(covered) + 1), [0, *covered], where="post", color=BLUE, linewidth=2)
        axes.axhline(reachable, color=ORANGE, linestyle="--", linewidth=2)
        axes.annotate(
            f"all {reachable:,} that any sampled household covers",
            (len(covered), reachable),
            xytext=(0, 5),
            textcoords="offset points",
            ha="right",
            va="bottom",
        )
        axes.set_xlim(0, len(covered))
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.set_ylim(0, reachable * 1.12)
        axes.set_xlabel("households, those that add most first")
        axes.set_ylabel("lines and branches covered")
        axes.set_title("Lines and branches of the checkers that the first households cover")
        return to_svg(drawn)


def growth(coverage: Sequence[Coverage], pairs: Sequence[Pair]) -> list[int]:
    """Return how many elements the first one, two, ... households cover, best first."""
    missing = [of_program.reached.copy() for of_program in coverage]
    left = programs_of(pairs)
    counts = [0]

    def gain(household: int) -> int:
        return sum(
            int((coverage[program].of_household(household) & missing[program]).sum())
            for program in left[household]
        )

    while left:
        best = max(left, key=lambda household: (gain(household), -household))
        counts.append(counts[-1] + gain(best))
        for program in left.pop(best):
            missing[program] &= ~coverage[program].of_household(best)
    return counts[1:]
