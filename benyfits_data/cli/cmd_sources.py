"""`benyfits-data sources`: the publications behind every population figure."""

import sys

import click

from benyfits_data.cli.options import option


@click.group(epilog="Example: benyfits-data sources show receives_snap")
def command() -> None:
    """List the sources of population figures, show a feature's shares, check the tables."""


@command.command(name="list", epilog="Example: benyfits-data sources list")
@option("--assumptions", is_flag=True, help="List what nobody saw in a source instead.")
def list_sources(assumptions: bool) -> None:
    """List every source in use with the number of features that rest on it."""
    from benyfits_data.population.sources import load_sources

    sources = load_sources()
    if assumptions:
        for assumption in sources.assumptions:
            click.echo(f"{assumption.feature}: {assumption.what}. {assumption.reason}")
            click.echo(f"    look up: {assumption.look_up}")
        return
    for source in sources.registry.values():
        features = {row.feature for row in sources.shares if source.id in row.sources}
        click.echo(
            f"{source.id:32} {len(features):3}  {source.publisher}, {source.title}, "
            f"{source.table}, {source.year}, {source.geography}"
        )


@command.command(epilog="Example: benyfits-data sources show receives_snap")
@click.argument("feature")
def show(feature: str) -> None:
    """Show the shares of a FEATURE, how each follows from figures, and the sources."""
    from benyfits_data.population.sources import SourcesError, load_sources

    sources = load_sources()
    if feature not in sources.by_feature:
        raise SourcesError(
            f"{feature!r} has no distribution. `benyfits-data features list` names the features.",
            feature=feature,
        )
    rows = sources.by_feature[feature]
    click.echo(f"{feature} ({rows[0].level}): {rows[0].status}, confidence {rows[0].confidence}")
    if rows[0].note:
        click.echo(f"  {rows[0].note}")
    for row in rows:
        share = "" if row.share is None else f"{row.share:.4f}"
        click.echo(f"  {row.role:6} {row.given:44} {row.category:28} {share:8} {row.arithmetic}")
    for identifier in dict.fromkeys(source for row in rows for source in row.sources):
        source = sources.registry[identifier]
        click.echo(
            f"  [{identifier}] {source.publisher}: {source.title}, {source.table}, {source.year}, "
            f"{source.geography}. {source.address}"
        )
        for figure in sources.figures:
            if figure.source == identifier and feature in figure.features:
                click.echo(
                    f"      {figure.what}: {figure.value} {figure.unit} ({figure.geography}, "
                    f"{figure.year})"
                )
    for assumption in sources.assumptions:
        if assumption.feature == feature:
            click.echo(f"  assumed: {assumption.what}. {assumption.reason}")
            click.echo(f"      look up: {assumption.look_up}")


@command.command(epilog="Example: benyfits-data sources check")
def check() -> None:
    """Check the tables; exits with 1 when a problem is found."""
    from benyfits_data.population.source_checks import check_sources, feature_statuses
    from benyfits_data.population.sources import load_sources

    sources = load_sources()
    problems = check_sources(sources)
    for problem in problems:
        click.echo(problem)
    statuses = list(feature_statuses(sources).values())
    counts = {status: statuses.count(status) for status in ("verified", "derived", "assumption")}
    click.echo(
        f"{len(sources.cited())} sources in use, {len(sources.figures)} figures, "
        f"{len(sources.joints)} joint tables, {len(statuses)} features: "
        + ", ".join(f"{count} {status}" for status, count in counts.items())
        + f"; {len(sources.assumptions)} assumptions, {len(problems)} problems",
        err=True,
    )
    if problems:
        sys.exit(1)
