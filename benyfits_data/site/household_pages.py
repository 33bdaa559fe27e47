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
from benyfits_data.par.questions import SIZE, read_question
from benyfits_data.profiles.verb_forms import amount
from benyfits_data.site.site_writer import Site, prose, spell_out
from benyfits_data.understanding.canonical import answer_fact, ask_fact
from benyfits_data.understanding.facts import MEMBERS_KEY, look_up


def write_households(
    site: Site,
    sections: Sequence[Mapping[str, Any]],
    questions: Mapping[str, Sequence[str]],
    editions: Mapping[int, Edition],
) -> None:
    """Write one page a household, and the list of all by set.

    Args:
        site: Takes the pages.
        sections: What is said of each set, with its rows; see `find_contents`.
        questions: The fewest questions that settle a household, by its id.
        editions: Rules by year.
    """
    for section in sections:
        for row in section["rows"]:
            _write_household(site, section, row, questions.get(row.id, ()), editions[row.edition])
    site.page("households.html", "households", "Households", sections=sections, questions=questions)


def _write_household(
    site: Site, section: Mapping[str, Any], row: Row, questions: Sequence[str], rules: Edition
) -> None:
    people = ", ".join(
        f"{member.relation} {member.age}" if at else f"{member.age}"
        for at, member in enumerate(row.household.members)
    )
    reasons = {name: explain(rules.program(name), row.household) for name in row.labels}
    site.page(
        address := f"households/{row.id}.html",
        "household",
        row.id,
        row=row,
        set_name=section["title"],
        plausibility=section["plausibility"].get(row.id),
        dialog=ask_and_answer(questions, row.household),
        asked=[reason for name, reason in reasons.items() if name in row.eligible],
        others=[reason for name, reason in reasons.items() if name not in row.eligible],
        topics=_facts_by_topic(row.household),
        profile=prose(re.sub("^# ", "### ", row.profile, flags=re.MULTILINE)),
    )
    site.list_entry("household", f"{row.id}: {people}", address, " ".join(row.programs))


def ask_and_answer(questions: Sequence[str], household: Household) -> list[tuple[str, str]]:
    """Return questions for facts in words, each with the household's answer.

    Args:
        questions: As `RowPar` names them.
        household: Who answers; its first member speaks.
    """
    dialog = []
    for fact, number in map(read_question, questions):
        key = MEMBERS_KEY if (fact, number) == SIZE else fact
        who = household.members[number].name if number else "" if number is None else "you"
        dialog.append((ask_fact(key, who), answer_fact(key, look_up(key, number, household), who)))
    return dialog


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
    return amount(value, feature.unit) if feature.kind == "number" else str(value)
