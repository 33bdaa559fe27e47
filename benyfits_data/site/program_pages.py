"""Pages of programs: both texts, clauses, amounts, readings and checker, editions side by side."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from benyfits_data.editions import Edition, Program
from benyfits_data.editions.thresholds import SizeTable
from benyfits_data.language.source import Source
from benyfits_data.site.site_writer import SearchEntry, Site, prose


def write_programs(site: Site, editions: Mapping[int, Edition]) -> None:
    """Write one page a program, editions side by side, and the list of all."""
    names = sorted({name for edition in editions.values() for name in edition})
    listed = []
    for name in names:
        in_force = {year: it.program(name) for year, it in editions.items() if name in it}
        program = next(reversed(in_force.values()))
        thresholds = {
            key: {year: _amount(it, key) for year, it in in_force.items()}
            for it in in_force.values()
            for key in it.thresholds.names()
        }
        address = f"programs/{name}.html"
        site.page(
            address,
            "program",
            program.title,
            program=program,
            editions={year: _texts(it) for year, it in in_force.items()},
            thresholds=thresholds,
        )
        listed.append((address, program, list(in_force)))
        words = f"{program.agency} {program.category} {program.plain()}"
        site.found.append(SearchEntry("program", f"{program.title} ({name})", address, words))
    site.page("programs.html", "programs", "Programs", listed=listed)


def _texts(program: Program) -> dict[str, Any]:
    """Return what a page shows of a program in one edition."""
    source = Source.of(program.checker)
    return {
        "decided": prose(program.requirements()),
        "plain": prose(program.plain()),
        "readings": program.readings,
        "ended": program.ended,
        "sources": program.sources,
        "trust": program.sources and program.sources.trust(program.edition, len(program.readings)),
        "checker": "\n".join(
            source.text.splitlines()[source.first_line - 1 : source.node.end_lineno]
        ),
        "first_line": source.first_line,
    }


def _amount(program: Program, name: str) -> dict[str, Any] | None:
    """Return a threshold as a page shows it; `None` where the edition has none of that name."""
    if name not in program.thresholds.names():
        return None
    entry = program.thresholds.entry(name)
    value = entry.value
    if isinstance(value, SizeTable):
        shown = "; ".join(f"{size}: {amount:,}" for size, amount in value.rows.items())
        if value.each_additional is not None:
            shown += f"; each further person {value.each_additional:,}"
    elif isinstance(value, bool):
        shown = "yes" if value else "no"
    elif isinstance(value, date):
        shown = str(value)
    else:
        shown = f"{value:,}"
    return {"shown": shown, "unit": entry.unit, "source": entry.source, "verified": entry.verified}
