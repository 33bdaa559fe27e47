"""What tools of other communities say of a release: `python -m tests.publishing.validators DIR`."""

import hashlib
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import jsonschema
import yaml

SCHEMAS = Path(__file__).parent / "schemas"
ZENODO: dict[str, Any] = {
    "type": "object",
    "required": ["title", "upload_type", "description", "creators", "access_right", "license"],
    "additionalProperties": False,
    "properties": {
        **{it: {"type": "string", "minLength": 1} for it in ("title", "description", "version")},
        "upload_type": {"const": "dataset"},
        "access_right": {"enum": ["open", "embargoed", "restricted", "closed"]},
        "license": {"enum": ["CC-BY-4.0", "Apache-2.0"]},
        "creators": {"type": "array", "minItems": 1, "items": {"required": ["name"]}},
        "keywords": {"type": "array", "uniqueItems": True, "items": {"type": "string"}},
        "related_identifiers": {
            "type": "array",
            "items": {
                "required": ["identifier", "relation"],
                "properties": {
                    "relation": {"enum": ["isDerivedFrom", "isSupplementTo", "cites"]},
                    "scheme": {"enum": ["arxiv", "doi", "url"]},
                },
            },
        },
    },
}
"""What Zenodo's documentation of deposit metadata says of the fields that a release has."""


def check_digests(folder: Path) -> str:
    """Return how many files have the digest that CHECKSUMS says."""
    lines = (folder / "CHECKSUMS").read_text("utf-8").splitlines()
    for line in lines:
        digest, address = line.split("  ")
        found = hashlib.sha256((folder / address).read_bytes()).hexdigest()
        assert found == digest, f"{address} has the digest {found}"
    return f"{len(lines)} files as CHECKSUMS says"


def load_with_datasets(folder: Path) -> str:
    """Return how many rows each configuration of the folder has in Hugging Face `datasets`."""
    import datasets

    with tempfile.TemporaryDirectory() as cache:
        rows = {
            name: len(datasets.load_dataset(str(folder), name, split="test", cache_dir=cache))
            for name in datasets.get_dataset_config_names(str(folder))
        }
    assert all(rows.values()), rows
    return f"datasets {datasets.__version__}: " + ", ".join(
        f"{name} {n:,}" for name, n in rows.items()
    )


def check_citation(folder: Path) -> str:
    """Return that the citation file keeps the schema of its format."""
    schema = json.loads((SCHEMAS / "cff_1.2.0.schema.json").read_text("utf-8"))
    citation = yaml.safe_load((folder / "CITATION.cff").read_text("utf-8"))
    jsonschema.Draft7Validator(schema).validate(citation)
    return "CITATION.cff is valid by the schema of the Citation File Format 1.2.0"


def check_zenodo(folder: Path) -> str:
    """Return that the metadata for Zenodo have the fields and words that it knows."""
    jsonschema.validate(json.loads((folder / ".zenodo.json").read_text("utf-8")), ZENODO)
    return ".zenodo.json has the fields of Zenodo's deposit metadata"


def check_hidden(folder: Path) -> str:
    """Return whether a hidden split is committed to, or revealed with the seed of its digest."""
    path = folder / "hidden.json"
    if not path.exists():
        return "no hidden split"
    told = json.loads(path.read_text("utf-8"))
    if "seed" not in told:
        return f"a hidden split is committed to by {told['digest'][:12]}..."
    found = hashlib.sha256((told["prefix"] + told["seed"]).encode()).hexdigest()
    assert found == told["digest"], f"hidden.json reveals a seed whose digest is {found}"
    return "the hidden split's seed has the digest that was committed to"


def check_tasks(folder: Path) -> str:
    """Return which tasks inspect-ai reads from the folder, and which the register names."""
    from inspect_ai import __version__
    from inspect_ai._eval.task.hf import HFTask

    from benyfits_data.evaluation import inspect_registry

    own = [
        HFTask.model_validate(it).config
        for it in yaml.safe_load((folder / "eval.yaml").read_text("utf-8"))["tasks"]
    ]
    listed = yaml.safe_load((folder / "register/eval.yaml").read_text("utf-8"))["tasks"]
    names = [it["name"].partition("/")[2] for it in listed]
    unknown = set(names) - set(inspect_registry.__all__)
    assert not unknown, f"the register names {unknown}, which the package has not"
    return f"inspect-ai {__version__}: {len(own)} tasks of eval.yaml; register: {', '.join(names)}"


VALIDATORS: tuple[Callable[[Path], str], ...] = (
    check_digests, load_with_datasets, check_citation, check_zenodo, check_hidden, check_tasks,
)  # fmt: skip


def main(folder: Path) -> int:
    """Print what each validator says; return how many refuse the release."""
    refused = 0
    for validate in VALIDATORS:
        try:
            told = f"valid    {validate(folder)}"
        except Exception as error:
            refused += 1
            told = f"REFUSED  {validate.__name__}: {str(error).splitlines()[0]}"
        click.echo(told)
    return refused


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
