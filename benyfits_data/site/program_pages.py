"""Pages of programs: the newest edition, what changed in it, amounts, readings, checkers."""

from collections.abc import Mapping
from itertools import pairwise

from benyfits_data.editions import Edition, Program
from benyfits_data.language.source import Source
from benyfits_data.recorded import city_shares
from benyfits_data.site.site_writer import Site
from benyfits_data.upkeep.edition_diff import KINDS, EditionDiff, compare, print_threshold


def write_programs(site: Site, editions: Mapping[int, Edition]) -> list[EditionDiff]:
    """Write one page a program, and the list of all by title.

    Args:
        site: Takes the pages.
        editions: Rules by year, oldest first.

    Returns:
        How each edition differs from the one before it, newest first.
    """
    newest_first = {year: editions[year] for year in sorted(editions, reverse=True)}
    diffs = [compare(old, new) for old, new in pairwise(editions.values())][::-1]
    changes = {
        (diff.years[1], change.name): (change, KINDS[change.kind])
        for diff in diffs
        for change in diff.programs
        if change.is_changed
    }
    newest = max(editions)
    shares = city_shares(newest)
    latest = {name: rules[name] for rules in editions.values() for name in rules}
    listed = []
    for name, program in sorted(latest.items(), key=lambda named: named[1].title.casefold()):
        in_force = {year: rules[name] for year, rules in newest_first.items() if name in rules}
        address, share = f"programs/{name}.html", shares.get(name)
        site.page(
            address,
            "program",
            program.title,
            program=program,
            newest=newest,
            share=share,
            editions=in_force,
            checkers={year: _number_lines(of_year) for year, of_year in in_force.items()},
            changes={year: changes[year, name] for year in in_force if (year, name) in changes},
            amounts={
                key: {
                    year: of_year.thresholds.entry(key)
                    for year, of_year in in_force.items()
                    if key in of_year.thresholds.names()
                }
                for any_year in in_force.values()
                for key in any_year.thresholds.names()
            },
            print_threshold=print_threshold,
        )
        _, happened = changes.get((newest, name), (None, ""))
        listed.append((address, program, share, happened))
        words = f"{program.agency} {program.category} {program.plain()}"
        site.list_entry("program", f"{program.title} ({name})", address, words)
    site.page("programs.html", "programs", "Programs", listed=listed, newest=newest)
    return diffs


def _number_lines(program: Program) -> list[tuple[int, str]]:
    """Return the lines of a checker with their numbers in its file."""
    source = Source.of(program.checker)
    lines = source.text.splitlines()[source.first_line - 1 : source.node.end_lineno]
    return list(enumerate(lines, start=source.first_line))
