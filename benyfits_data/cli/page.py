"""The report page, drawn anew at the end of every build."""

from pathlib import Path


def write_page(output: Path) -> Path:
    """Draw `report.html` from whatever lies in an output folder, and return its path."""
    from benyfits_data.dataset import write_atomically
    from benyfits_data.report.page import build_page

    path = output / "report.html"
    write_atomically(path, build_page(output))
    return path
