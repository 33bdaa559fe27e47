"""`benyfits-data features`: the facts a household is made of."""

import click

from benyfits_data.cli.options import example, option
from benyfits_data.errors import UnknownFeatureError
from benyfits_data.household.features import FEATURES
from benyfits_data.household.schema import Feature


@click.group(epilog=example("benyfits-data features show age"))
def command() -> None:
    """List the facts of a household, or show one."""


@command.command("list", epilog=example("benyfits-data features list --level household"))
@option("--level", type=click.Choice(["member", "household"]), help="Only facts of this kind.")
def list_features(level: str | None) -> None:
    """List the features, one a line: name, level, topic, kind, values, between tabs."""
    for feature in FEATURES.values():
        if level in (None, feature.level):
            cells = (feature.name, feature.level, feature.topic, feature.kind, feature.domain())
            click.echo("\t".join(cells))


@command.command(epilog=example("benyfits-data features show weeks_pregnant"))
@click.argument("name")
def show(name: str) -> None:
    """Show a feature: its values, how it is said and asked, what the published data call it."""
    feature = FEATURES.get(name)
    if feature is None:
        near = [known for known in FEATURES if name.lower() in known]
        hint = (
            f"Did you mean {', '.join(near)}?"
            if near
            else "`benyfits-data features list` names all."
        )
        raise UnknownFeatureError(f"{name!r} is no feature. {hint}", feature=name)
    for label, words in _describe(feature):
        if words:
            click.echo(f"{label + ':':<11}{words}")


def _describe(feature: Feature) -> list[tuple[str, str]]:
    return [
        ("name", feature.name),
        ("level", feature.level),
        ("topic", feature.topic),
        ("values", feature.domain()),
        ("unit", feature.unit or ""),
        ("default", "null" if feature.default is None else str(feature.default)),
        ("said", feature.sentence or f"{feature.verb} ... {feature.phrase}"),
        ("if none", feature.none_sentence),
        ("if zero", feature.zero_sentence),
        ("asked", feature.question),
        ("published", feature.published or "not in the published data"),
        ("note", feature.note),
    ]
