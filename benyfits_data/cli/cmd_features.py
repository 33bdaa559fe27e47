"""`benyfits-data features`: the facts a household is made of."""

import click

from benyfits_data.cli.options import NounGroup, example
from benyfits_data.cli.tables import Form, json_option, print_json, print_table, table_options
from benyfits_data.errors import UnknownFeatureError


@click.group(cls=NounGroup, epilog=example("benyfits-data features show age"))
def command() -> None:
    """List the facts of a household, or show one."""


@command.command("list", epilog=example("benyfits-data features list"))
@table_options
def list_features(form: Form) -> None:
    """List the facts of a household (features): name, level, topic, kind, values."""
    from benyfits_data.household.features import FEATURES

    rows = [
        (feature.name, feature.level, feature.topic, feature.kind, feature.domain())
        for feature in FEATURES.values()
    ]
    print_table(("feature", "level", "topic", "kind", "values"), rows, form=form)


@command.command(epilog=example("benyfits-data features show weeks_pregnant"))
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """Show a fact: its values, how it is said and asked, what the published data call it."""
    from benyfits_data.household.features import FEATURES
    from benyfits_data.spelling import fold, suggest
    from benyfits_data.understanding.canonical import ask_fact

    feature = {fold(known): declared for known, declared in FEATURES.items()}.get(fold(name))
    if feature is None:
        hint = suggest(name, FEATURES.keys(), "`benyfits-data features list` names all.")
        raise UnknownFeatureError(f"{name!r} is no feature. {hint}", feature=name)
    lines = {
        "name": feature.name,
        "level": feature.level,
        "topic": feature.topic,
        "values": feature.domain(),
        "unit": feature.unit or "",
        "default": "null" if feature.default is None else str(feature.default),
        "said": feature.sentence or f"{feature.verb} ... {feature.phrase}",
        "if none": feature.none_sentence,
        "if off": feature.none_or_off_sentence,
        "if zero": feature.zero_sentence,
        "asked": ask_fact(feature.name, "Maria" if feature.level == "member" else ""),
        "published": feature.published or "not in the published data",
        "note": feature.note,
    }
    if as_json:
        print_json(lines)
        return
    for label, words in lines.items():
        if words:
            click.echo(f"{label + ':':<11}{words}")
