"""Picture of a Diverse set: what the programs depend on."""

from collections.abc import Sequence

from benyfits_data.plotting import BLUE, figure, to_svg

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
