"""One look for every picture: readable at half size, safe for colour-blind eyes, same bytes."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, PINK, SKY, RED = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
)
"""The palette of Okabe and Ito, told apart by all common kinds of colour vision."""

_STYLE: Any = {
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.labelsize": 12,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 13,
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "grid.alpha": 0.3,
    "grid.color": "#808080",
    "legend.frameon": False,
    # Text stays text: it can be read aloud, searched, and takes the page's colour.
    "svg.fonttype": "none",
    "svg.hashsalt": "benyfits-data",
}

_OF_A_COLUMN: Any = {
    **dict.fromkeys(("font.size", "axes.labelsize", "xtick.labelsize", "ytick.labelsize"), 7),
    **dict.fromkeys(("legend.fontsize", "axes.titlesize"), 7),
    "axes.linewidth": 0.6,
    "grid.linewidth": 0.5,
    "legend.handletextpad": 0.3,
    # Fonts that a journal's check of a PDF accepts.
    "pdf.fonttype": 42,
}
"""What differs in a figure for one column of a paper."""


@contextmanager
def figure(width: float = 8, height: float = 4.5, *, small: bool = False) -> Iterator["Figure"]:
    """Yield a figure in the house style.

    Args:
        width: In inches.
        height: In inches.
        small: Whether it is for one column of a paper: its text has 7 points.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE | (_OF_A_COLUMN if small else {})):
        yield Figure(figsize=(width, height), layout="constrained")


def to_svg(drawn: "Figure") -> str:
    """Return a figure as SVG text, without a date, so that it is the same every time.

    What is black takes the colour of the page's text, which is light where the page is dark.
    """
    import matplotlib as mpl

    buffer = BytesIO()
    with mpl.rc_context(_STYLE):
        drawn.savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue().decode().replace("#000000", "currentColor")


def to_print(drawn: "Figure", kind: str) -> bytes:
    """Return a figure on white, without a date: the same bytes every time.

    Args:
        drawn: The figure.
        kind: `pdf`, or `png` with 300 dots an inch.
    """
    metadata = {"pdf": {"CreationDate": None}, "png": {"Software": None}}[kind]
    buffer = BytesIO()
    drawn.savefig(buffer, format=kind, metadata=metadata, facecolor="white", dpi=300)
    return buffer.getvalue()
