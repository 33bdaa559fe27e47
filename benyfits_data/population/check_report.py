"""Tables of a checked city: what it is fitted to, and what it is not."""

from collections.abc import Sequence

from benyfits_data.dataset import to_csv
from benyfits_data.population.check import CityCheck, MarginResult
from benyfits_data.population.rare_people import PeopleResult
from benyfits_data.population.synthesis import default_sources

PEOPLE_COLUMNS = ("what", "kind", "number", "per 100,000 households", "percent", "source", "note")
_PER = 100_000


def margins_table(rows: Sequence[MarginResult]) -> str:
    """Return a CSV of targets with achieved share and sources; worst first."""
    ordered = sorted(rows, key=lambda m: (-abs(m.difference), m.feature, m.given, m.category))
    columns = "feature given category target_percent achieved_percent difference_points counted"
    return to_csv(
        (*columns.split(), "status", "sources"),
        (
            (
                *(m.feature, m.given, m.category),
                *(f"{100 * m.target:.3f}", f"{100 * m.achieved:.3f}", f"{100 * m.difference:+.3f}"),
                *(m.people, m.status, " ".join(m.sources)),
            )
            for m in ordered
        ),
    )


def joints_table(check: CityCheck) -> str:
    """Return a CSV of joint tables with their total variation distances; worst first."""
    sources, rows = default_sources(), []
    for name, found in sorted(check.joints.items(), key=lambda item: -item[1].raked):
        source = sources.registry[sources.joints[name].source]
        own = found.mapping.unraked_tolerance
        allowed = "" if own is None else f"{own:.3f}"
        apart = f"{found.raked:.4f}", f"{found.unraked:.4f}", allowed
        rows.append((name, found.counts.size, *apart, source.id, source.year, source.geography))
    columns = "table cells distance unraked_distance unraked_tolerance source year geography"
    return to_csv(columns.split(), rows)


def unfitted_table(check: CityCheck) -> str:
    """Return a CSV of published shares that nothing is fitted to, worst first."""
    columns = (
        "what published_percent city_percent difference_points tolerance_points within "
        "printed_percent city_percent_by_words"
    )
    rows = []
    for it in sorted(check.unfitted, key=lambda it: (-abs(it.difference), it.row.what)):
        told = it.row.expected, it.achieved
        apart = f"{100 * it.difference:+.1f}", f"{100 * it.row.tolerance:.1f}"
        percents = (f"{100 * share:.1f}" for share in told)
        within = "yes" if it.is_within else "no"
        words = "" if it.by_words is None else f"{100 * it.by_words:.1f}"
        cited = " ".join(it.row.sources), it.row.note
        printed = f"{100 * it.row.published:.1f}"
        rows.append((it.row.what, *percents, *apart, within, printed, words, *cited))
    return to_csv((*columns.split(), "source", "note"), rows)


def people_table(found: Sequence[PeopleResult], households: int) -> str:
    """Return a CSV of rules and rare people: how many, per 100,000 households, of how many."""
    return to_csv(PEOPLE_COLUMNS, people_lines(found, households))


def people_lines(
    found: Sequence[PeopleResult], households: int
) -> list[tuple[str, str, int, int, float, str, str]]:
    """Return the lines of that table: percent is of those among whom they are counted."""
    return [
        (
            *(it.row.what, it.row.kind, it.found, round(it.found * _PER / households)),
            *(round(100 * it.share, 4), " ".join(it.row.sources) or it.row.status, it.row.note),
        )
        for it in found
    ]
