"""Rows of ours written in the published layout, so that reading it can be tried on many."""

from typing import Any

from benyfits_data.dataset import Row
from benyfits_data.dataset.published import NEVER, VALUES
from benyfits_data.household.features import FEATURES, MEMBER_FEATURES


def to_published(row: Row) -> dict[str, Any]:
    """Return a row as the published files hold it."""
    members = []
    for member in row.household.members:
        facts: dict[str, Any] = {}
        for name, feature in FEATURES.items():
            if feature.published:
                owner = member if name in MEMBER_FEATURES else row.household
                facts[feature.published] = _published_value(name, getattr(owner, name))
        if member.current_grade is not None:
            facts["current_school_level"] = member.current_grade or "k"
        elif member.current_school_level == "pre-kindergarten":
            facts["current_school_level"] = "pk"
        facts["work_authorization"] = facts["authorized_to_work_in_us"]
        members.append({"features": facts})
    return {
        "id": row.id,
        "hh": {"features": {"members": members}},
        "edge_case_programs": list(row.programs),
        **row.labels,
        "hh_nl_desc": row.profile,
    }


def _published_value(name: str, value: Any) -> Any:
    if value is None:
        return NEVER[name]
    return next((theirs for theirs, ours in VALUES.get(name, {}).items() if ours == value), value)
