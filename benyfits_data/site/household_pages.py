"""Pages of households: who lives there, how believable it is, verdicts, facts, profile."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from benyfits_data.dataset.rows import Row
from benyfits_data.editions import Edition
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.household.schema import Feature
from benyfits_data.language.explain import explain
from benyfits_data.site.site_writer import SearchEntry, Site, prose, spell_out


def write_households(
    site: Site,
    rows: Sequence[tuple[str, Row]],
    plausibility: Mapping[str, Mapping[str, Any]],
    floors: Mapping[str, int],
    editions: Mapping[int, Edition],
) -> None:
    """Write one page a household, and the list of all.

    Args:
        site: Takes the pages.
        rows: Each with the name of its set.
        plausibility: How surprising a household is in the city, and what weighs most, by its id.
        floors: The fewest questions of a household, by its id.
        editions: Rules by year.
    """
    for name, row in rows:
        people = ", ".join(
            f"{member.relation} {member.age}" if at else f"{member.age}"
            for at, member in enumerate(row.household.members)
        )
        rules = editions[row.edition]
        reasons = {name: explain(rules.program(name), row.household) for name in row.labels}
        site.page(
            address := f"households/{row.id}.html",
            "household",
            row.id,
            row=row,
            set_name=name,
            plausibility=plausibility.get(row.id),
            floor=floors.get(row.id),
            asked=[one for name, one in reasons.items() if name in row.eligible],
            others=[one for name, one in reasons.items() if name not in row.eligible],
            topics=_facts_by_topic(row.household),
            profile=prose(re.sub("^# ", "### ", row.profile, flags=re.MULTILINE)),
        )
        site.entries.append(
            SearchEntry("household", f"{row.id}: {people}", address, " ".join(row.programs))
        )
    sets = dict.fromkeys((name, row.edition) for name, row in rows)
    listed = {title: [row for name, row in rows if (name, row.edition) == title] for title in sets}
    site.page(
        "households.html",
        "households",
        "Households",
        sets=listed,
        plausibility=plausibility,
        floors=floors,
    )


def unusual_facts(household: Household) -> dict[str, Any]:
    """Return the facts that are not their default, as rows have them; scripts fill in the rest."""

    def unusual(facts: dict[str, Any]) -> dict[str, Any]:
        return {
            name: value
            for name, value in facts.items()
            if name not in FEATURES or value != plain_value(FEATURES[name].default)
        }

    facts = household.facts()
    return {**unusual(facts), "members": [unusual(one) for one in facts["members"]]}


def plain_value(value: Any) -> Any:
    """Return a feature's value as JSON has it."""
    return value.isoformat() if hasattr(value, "isoformat") else value


def _facts_by_topic(household: Household) -> dict[str, dict[str, Any]]:
    """Return the facts that are not their unremarkable value: a table for each topic and level."""
    topics: dict[str, dict[str, Any]] = {}
    names = [member.name for member in household.members]
    for name, feature in FEATURES.items():
        is_shared = feature.level == "household"
        owners = [household] if is_shared else [*household.members]
        values = [getattr(owner, name) for owner in owners]
        if name != "name" and any(value != feature.default for value in values):
            title = f"{feature.topic}{', the household' if is_shared else ''}".capitalize()
            empty = {"owners": ["the household"] if is_shared else names, "lines": []}
            shown = [_shown(feature, value) for value in values]
            topics.setdefault(title, empty)["lines"].append((spell_out(name), shown))
    return topics


def _shown(feature: Feature, value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if feature.unit == "dollar":
        return f"${value:,}"
    return str(value)
