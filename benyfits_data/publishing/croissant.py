"""The release in Croissant 1.0, the vocabulary by which machines find and load datasets.

Source: the specification of MLCommons, https://docs.mlcommons.org/croissant/docs/croissant-spec.html
"""

from collections.abc import Mapping, Sequence
from typing import Any

_TERMS = (
    "citeAs column conformsTo:dct equivalentProperty extract field fileProperty fileObject fileSet "
    "format includes isLiveDataset jsonPath key md5 parentField path recordSet references regex "
    "repeated replace samplingRate separator source subField transform"
)
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
} | {
    name: f"{owner or 'cr'}:{name}"
    for name, _, owner in (term.partition(":") for term in _TERMS.split())
}
_TYPES: dict[type, str] = {
    str: "sc:Text",
    bool: "sc:Boolean",
    int: "sc:Integer",
    float: "sc:Float",
}


def describe(
    about: Mapping[str, Any],
    tables: Mapping[str, Sequence[Mapping[str, Any]]],
    digests: Mapping[str, str],
) -> dict[str, Any]:
    """Return the metadata of a release.

    Args:
        about: Its `title`, `address` and `version`.
        tables: The rows of each Parquet file below `data/`, by name.
        digests: SHA-256 of each file.
    """
    files = [
        {
            "@type": "cr:FileObject",
            "@id": f"{name}.parquet",
            "name": f"{name}.parquet",
            "contentUrl": f"data/{name}.parquet",
            "encodingFormat": "application/x-parquet",
            "sha256": digests[f"data/{name}.parquet"],
        }
        for name in tables
    ]
    return {
        "@context": dict(sorted(_CONTEXT.items())),
        "@type": "sc:Dataset",
        "name": "benyfits",
        "description": about["title"],
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "citeAs": "benyfits-data; the benchmark is defined in arXiv:2502.19610",
        "license": "https://creativecommons.org/licenses/by/4.0/",
        "url": about["address"],
        "version": about["version"],
        "distribution": files,
        "recordSet": [_record_set(name, rows[0]) for name, rows in tables.items() if rows],
    }


def _record_set(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "key": {"@id": f"{name}/id"},
        "field": [_field(name, column, value) for column, value in row.items()],
    }


def _field(name: str, column: str, value: Any) -> dict[str, Any]:
    is_list = isinstance(value, list)
    kind = type(value) if not is_list else type(value[0]) if value else str
    return {
        "@type": "cr:Field",
        "@id": f"{name}/{column}",
        "name": column,
        "dataType": _TYPES[kind],
        **({"repeated": True} if is_list else {}),
        "source": {
            "fileObject": {"@id": f"{name}.parquet"},
            "extract": {"column": column},
        },
    }
