"""`benyfits-data sources`: the publications behind every population figure."""

import sys
from collections import Counter
from dataclasses import asdict

import click

from benyfits_data.cli.options import NounGroup, example
from benyfits_data.cli.tables import (
    Form,
    count_of,
    json_option,
    print_json,
    print_table,
    table_options,
)


@click.group(cls=NounGroup, epilog=example("benyfits-data sources show receives_snap"))
def command() -> None:
    """List the sources of population figures, show a feature's shares, check the tables."""


@command.command(name="list", epilog=example("benyfits-data sources list"))
@table_options
def list_sources(form: Form) -> None:
    """List every source in use with the number of features that rest on it."""
    from benyfits_data.population.sources import load_sources

    sources = load_sources()
    used = Counter(
        source
        for rows in sources.by_feature.values()
        for source in {source_id for row in rows for source_id in row.sources}
    )
    if form != "text":
        rows = [{**asdict(one), "features": used[one.id]} for one in sources.registry.values()]
        print_table(list(rows[0]), [list(row.values()) for row in rows], form=form)
        return
    listed = [
        (
            one.id,
            used[one.id],
            f"{one.publisher}, {one.title}, {one.table}, {one.year}, {one.geography}",
        )
        for one in sources.registry.values()
    ]
    print_table(("source", "features", "publication"), listed)


@command.command(epilog=example("benyfits-data sources assumptions"))
@table_options
def assumptions(form: Form) -> None:
    """List every figure that was assumed, with the reason and where to look it up.

    `status` is that of the figure that a feature's overall share comes from. Verified and derived
    features may have assumed rows, too.
    """
    from benyfits_data.population.source_checks import assumed_table
    from benyfits_data.population.sources import load_sources

    columns = ("table", "name", "status", "assumed rows", "what", "reason", "look up")
    print_table(columns, assumed_table(load_sources()), form=form)


@command.command(epilog=example("benyfits-data sources show receives_snap"))
@click.argument("feature")
@json_option
def show(feature: str, as_json: bool) -> None:
    """Show the shares of a FEATURE, how each follows from figures, and the sources."""
    from benyfits_data.population.sources import SourcesError, load_sources
    from benyfits_data.spelling import fold, suggest

    sources = load_sources()
    name = {fold(known): known for known in sources.by_feature}.get(fold(feature))
    if name is None:
        listed = "`benyfits-data features list` names the features."
        hint = suggest(feature, sources.by_feature.keys(), listed)
        raise SourcesError(f"{feature!r} is no fact that the city draws. {hint}", feature=feature)
    rows = sources.by_feature[name]
    cited = [
        sources.registry[one] for one in dict.fromkeys(id for row in rows for id in row.sources)
    ]
    assumed = [one for one in sources.assumptions if one.feature == name]
    figures = {
        source.id: [
            one for one in sources.figures if one.source == source.id and name in one.features
        ]
        for source in cited
    }
    if as_json:
        its_figures = [asdict(figure) for its in figures.values() for figure in its]
        print_json(
            {
                "shares": [asdict(one) for one in rows],
                "sources": [asdict(one) for one in cited],
                "figures": its_figures,
                "assumptions": [asdict(one) for one in assumed],
            }
        )
        return
    click.echo(f"{name} ({rows[0].level}): {rows[0].status}, confidence {rows[0].confidence}")
    if rows[0].note:
        click.echo(f"  {rows[0].note}")
    for row in rows:
        share = "" if row.share is None else f"{row.share:.4f}"
        click.echo(f"  {row.role:6} {row.given:44} {row.category:28} {share:8} {row.arithmetic}")
    for source in cited:
        click.echo(
            f"  [{source.id}] {source.publisher}: {source.title}, {source.table}, {source.year}, "
            f"{source.geography}. {source.address}"
        )
        for figure in figures[source.id]:
            seen = f"({figure.geography}, {figure.year})"
            click.echo(f"      {figure.what}: {figure.value} {figure.unit} {seen}")
    for one in assumed:
        click.echo(f"  assumed: {one.what}. {one.reason}\n      look up: {one.look_up}")


@command.command(epilog=example("benyfits-data sources check"))
@json_option
def check(as_json: bool) -> None:
    """Check the tables; exits with 1 when a problem is found."""
    from benyfits_data.population.source_checks import (
        check_sources,
        feature_statuses,
    )
    from benyfits_data.population.sources import load_sources

    sources = load_sources()
    problems = check_sources(sources)
    if as_json:
        print_json(problems)
    else:
        click.echo("".join(f"{problem}\n" for problem in problems), nl=False)
    statuses = list(feature_statuses(sources).values())
    counts = {status: statuses.count(status) for status in ("verified", "derived", "assumption")}
    click.echo(
        f"{count_of(sources.cited(), 'source')} in use, {count_of(sources.figures, 'figure')}, "
        f"{count_of(sources.joints, 'joint table')}, {count_of(statuses, 'feature')}: "
        + ", ".join(f"{count} {status}" for status, count in counts.items())
        + f"; {count_of(sources.assumptions, 'assumption')}, {count_of(problems, 'problem')}",
        err=True,
    )
    if problems:
        sys.exit(1)
