"""The JSON Schema of rows and households, made from the declarations of the features.

It holds names, types and domains. What makes a household possible is said by constraints, which no
schema can hold: `benyfits-data audit` checks them.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import MOST_MEMBERS
from benyfits_data.household.schema import Feature

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NAMES = {"type": "array", "items": {"type": "string"}}
_LABELS = {"type": "object", "additionalProperties": {"type": "boolean"}}


def row_schema() -> dict[str, Any]:
    """Return the schema of a row; parts that may be left out are those that have a default."""
    return {
        "$schema": DIALECT,
        "title": "A row of a benyfits-data dataset",
        "description": "One household, on one line of JSON Lines. Facts that are left out take "
        "defaults that fit the others; a row of a built dataset has all of them.",
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "Its name, once in a file."},
            "edition": {"type": "integer", "description": "The year whose rules label it."},
            "household": {"$ref": "#/$defs/household"},
            "profile": {"type": "string", "description": "The household in prose."},
            "programs": _NAMES | {"description": "Programs that it asks about."},
            "eligible": _LABELS | {"description": "The label of each of these."},
            "labels": _LABELS | {"description": "The label of every program of the edition."},
            "contested": {
                "type": "object",
                "additionalProperties": _NAMES,
                "description": "Readings on which a label hangs that should not count.",
            },
            "weights": {
                "type": "object",
                "additionalProperties": {"type": "number", "exclusiveMinimum": 0},
                "description": "Pairs of the city that each of the programs stands for.",
            },
        },
        "required": ["household"],
        "additionalProperties": False,
        "$defs": {
            "household": _object(
                {
                    "members": {
                        "type": "array",
                        "items": {"$ref": "#/$defs/member"},
                        "minItems": 1,
                        "maxItems": MOST_MEMBERS,
                        "description": "Who lives there; the first asks for benefits.",
                    },
                    **_properties(HOUSEHOLD_FEATURES),
                },
                ["members"],
            ),
            "member": _object(_properties(MEMBER_FEATURES), []),
        },
    }


def _object(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    }


def _properties(features: Mapping[str, Feature]) -> dict[str, Any]:
    return {name: _property(feature) for name, feature in features.items()}


def _property(feature: Feature) -> dict[str, Any]:
    domain = _domain(feature)
    if feature.optional:
        domain = {"anyOf": [domain, {"type": "null"}]}
    description = {"description": feature.question} if feature.question else {}
    return {**domain, **description, "default": feature.default}


def _domain(feature: Feature) -> dict[str, Any]:
    match feature.kind:
        case "flag":
            return {"type": "boolean"}
        case "choice":
            return {"enum": list(feature.choices)}
        case "text":
            return {"type": "string", "pattern": r"\S"}
        case "date":
            days = (
                date.fromordinal(int(ordinal or 1))
                for ordinal in (feature.minimum, feature.maximum)
            )
            comment = "A day from {} to {}.".format(*days)
            pattern = r"^\d{4}-\d{2}-\d{2}$"
            return {"type": "string", "format": "date", "pattern": pattern, "$comment": comment}
        case _:
            kind = "integer" if feature.kind == "number" else "number"
            return {"type": kind, "minimum": feature.minimum, "maximum": feature.maximum}
