"""How long pages of a site with 500 dialogs take to load: `python -m tests.site.bench`."""

import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from benyfits_data.dataset.rows import read_rows
from benyfits_data.site.pages import build_site
from tests.recorded_output import write_output
from tests.site.small_site import make_run, open_page, start_browser, write_below

DIALOGS, TURNS = 500, 20
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def load_times(browser: Any, folder: Path, addresses: Iterable[str]) -> dict[str, float]:
    """Return the milliseconds until each page and its scripts were loaded."""
    found = {}
    for address in addresses:
        page, _ = open_page(browser, folder / address)
        page.wait_for_load_state("load")
        page.wait_for_function(f"{LOADED} > 0")
        found[address] = page.evaluate(LOADED)
        page.context.close()
    return found


def main() -> None:
    """Build the site and print sizes and times."""
    with tempfile.TemporaryDirectory() as place:
        output, folder = Path(place) / "output", Path(place) / "site"
        output.mkdir()
        rows = read_rows(write_output(output, 50) / "diverse.jsonl")
        run = make_run(rows, DIALOGS, TURNS)
        start = time.process_time()
        build_site(write_below(folder), [output], [run])
        seconds = time.process_time() - start
        sizes = [it.stat().st_size for it in folder.rglob("*") if it.is_file()]
        click.echo(
            f"{DIALOGS} dialogs: {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB, {seconds:.1f} s"
        )
        dialog = min((folder / "dialogs").glob("*.html")).relative_to(folder)
        household = min((folder / "households").glob("*.html")).relative_to(folder)
        pages = [it.name for it in sorted(folder.glob("*.html"))]
        with start_browser() as browser:
            times = load_times(browser, folder, [*pages, str(dialog), str(household)])
        for address, milliseconds in times.items():
            size = (folder / address).stat().st_size / 1000
            click.echo(f"{address}\t{size:,.0f} kB\t{milliseconds:,.0f} ms")


if __name__ == "__main__":
    main()
