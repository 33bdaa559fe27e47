"""`benyfits-data features`: the facts a household is made of."""

import click

from benyfits_data.cli.frame import Listing, Report, noun, verb
from benyfits_data.errors import UnknownFeatureError

command = noun("List the facts of a household, or show one.", "features show age")


@verb("features list", of=command)
def list_features() -> Listing:
    """List the facts of a household (features): name, level, topic, kind, values."""
    from benyfits_data.household.features import FEATURES

    rows = [(of.name, of.level, of.topic, of.kind, of.domain()) for of in FEATURES.values()]
    return Listing(("feature", "level", "topic", "kind", "values"), rows)


@verb("features show weeks_pregnant", of=command)
@click.argument("name")
def show(name: str) -> Report:
    """Show a fact: its values, how it is said and asked, what the published data call it."""
    from benyfits_data.household.features import FEATURES
    from benyfits_data.spelling import fold, suggest
    from benyfits_data.understanding.canonical import ask_fact

    feature = {fold(known): declared for known, declared in FEATURES.items()}.get(fold(name))
    if feature is None:
        hint = suggest(name, FEATURES.keys(), "`benyfits-data features list` names all.")
        raise UnknownFeatureError(f"{name!r} is no feature. {hint}", feature=name)
    content = {
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
    return Report([f"{label + ':':<11}{said}" for label, said in content.items() if said], content)
