"""`benyfits-data sources`: the publications behind every population figure."""

from dataclasses import asdict

import click

from benyfits_data.cli.frame import Listing, Report, noun, verb
from benyfits_data.wording import count_of

command = noun(
    "List the sources of population figures, show a feature's shares, check the tables.",
    "sources show receives_snap",
)


@verb("sources list", of=command)
def list_sources() -> Report:
    """List every source in use with the number of features that rest on it."""
    from benyfits_data.population.sources import load_sources

    sources = load_sources()
    used, publications = sources.uses(), sources.registry.items()
    content = [asdict(known) | {"features": used[source]} for source, known in publications]
    rows = [(source, used[source], known.citation) for source, known in publications]
    return Report([Listing(("source", "features", "publication"), rows)], content)


@verb("sources show receives_snap", of=command)
@click.argument("feature")
def show(feature: str) -> Report:
    """Show the shares of a FEATURE, how each follows from figures, and the sources."""
    from benyfits_data.population.sources import load_sources

    evidence = load_sources().evidence_of(feature)
    return Report(list(evidence.lines()), evidence.as_json())


@verb("sources check", of=command)
def check() -> Report:
    """Check the tables; exits with 1 when a problem is found."""
    from benyfits_data.population.source_checks import check_sources, say_statuses
    from benyfits_data.population.sources import load_sources

    sources = load_sources()
    problems = check_sources(sources)
    summary = f"{say_statuses(sources)}, {count_of(problems, 'problem')}"
    return Report(problems, problems, [summary], failed=bool(problems))
