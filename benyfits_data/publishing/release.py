"""A release: every built set as JSON Lines and Parquet, described for people and machines."""

import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benyfits_data.dataset.json_lines import parse_object, read_lines
from benyfits_data.editions import DEFAULT_EDITION, EDITIONS, load_edition
from benyfits_data.errors import BenyfitsError, extras_named
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.household.schema import Feature
from benyfits_data.profiles.render import render_profile
from benyfits_data.recorded import NAMES
from benyfits_data.templating import templates
from benyfits_data.version import __version__

CANARY = "benyfits-data canary 7c4f1a52-6a1e-4d0e-9f0b-2b8c5f3de914"
"""Stands in every row and text, so that training data can be searched for them."""
TITLE = "BeNYfits: which benefit programs may a household claim?"
ADDRESS = "https://huggingface.co/datasets/benyfits-data/benyfits"
SHORTEST_SECRET = 16
"""Characters of a seed that is committed to: shorter ones are found by trying."""
_TEMPLATES = Path(__file__).parent / "templates"

Write = Callable[[str, bytes], None]


@dataclass(frozen=True)
class ReleasedSet:
    """One set of one edition, as it is released.

    Attributes:
        name: Its name and its edition, such as `diverse-2024`.
        edition: The year.
        rows: Its rows as they were built, each with the canary.
        manifest: How it was built.
    """

    name: str
    edition: int
    rows: Sequence[dict[str, Any]]
    manifest: dict[str, Any]

    @property
    def n_pairs(self) -> int:
        """How many pairs of a household and a program have a label that counts."""
        return sum(len(row["programs"]) for row in self.rows)

    @property
    def sizes(self) -> str:
        """How many members the households have, the fewest and the most."""
        sizes = [len(row["household"]["members"]) for row in self.rows]
        return f"{min(sizes)} to {max(sizes)}"

    @property
    def n_contested(self) -> int:
        """How many of these are contested."""
        return sum(program in row["contested"] for row in self.rows for program in row["programs"])


def read_sets(outputs: Sequence[Path]) -> list[ReleasedSet]:
    """Return every set that was built into some folders.

    Raises:
        BenyfitsError: There is none, or one was built from other rules than those published.
    """
    sets = []
    for folder in outputs:
        for path in sorted(folder.glob("*.manifest.json")):
            manifest = parse_object(path.read_text(encoding="utf-8"), path, 1)
            name = path.name.removesuffix(".manifest.json")
            _check_rules(manifest, path)
            rows = [{**row, "canary": CANARY} for _, row in read_lines(folder / f"{name}.jsonl")]
            edition = int(manifest["edition"])
            sets.append(ReleasedSet(f"{name}-{edition}", edition, rows, manifest))
    if not sets:
        places = ", ".join(map(str, outputs))
        raise BenyfitsError(
            f"No set was built into {places}. Run `benyfits-data diverse` or "
            "`benyfits-data representative` first, or name the folder that holds them."
        )
    return sorted(sets, key=lambda released_set: released_set.name)


def _check_rules(manifest: Mapping[str, Any], path: Path) -> None:
    edition, digest = manifest["edition"], manifest["rules"]["digest"]
    published = load_edition(int(edition)).provenance()
    if published["status"] == "draft":
        raise BenyfitsError(
            f"{path}: edition {edition} is a draft. Run `benyfits-data editions publish {edition}`,"
            " and build the set again."
        )
    if digest != published["digest"]:
        raise BenyfitsError(
            f"{path}: the set was built from rules with the digest {digest or 'of a draft'}, and "
            f"edition {edition} is published with {published['digest']}. Build the set again."
        )


def write_release(
    write: Write,
    sets: Sequence[ReleasedSet],
    hidden: str | None = None,
    *,
    revealed: str | None = None,
) -> None:
    """Write all files of a release.

    Args:
        write: Called with each file's path below the release's folder and its bytes.
        sets: What is released.
        hidden: A secret seed to commit to; a later release reveals it.
        revealed: The seed of an earlier commitment, whose sets are among `sets`.

    Raises:
        BenyfitsError: The seed could be guessed.
    """
    digests: dict[str, str] = {}

    def put(address: str, content: str | bytes) -> None:
        encoded = content.encode() if isinstance(content, str) else content
        digests[address] = hashlib.sha256(encoded).hexdigest()
        write(address, encoded)

    tables = {}
    for released_set in sets:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in released_set.rows)
        put(f"data/{released_set.name}.jsonl", "".join(lines))
        tables[released_set.name] = [_columns(row) for row in released_set.rows]
        tables[f"{released_set.name}-pairs"] = list(_pairs(released_set))
    for name, rows in tables.items():
        put(f"data/{name}.parquet", _parquet(rows))
    for year in EDITIONS:
        for program in load_edition(year).values():
            for kind, text in (("decided", program.requirements()), ("plain", program.plain())):
                put(f"texts/{year}/{kind}/{program.name}.md", f"{text}\n\n<!-- {CANARY} -->\n")
    seed = hidden if revealed is None else revealed
    if seed is not None:
        commitment = {
            "says": "SHA-256 of the hidden split's seed, after this file's `prefix`.",
            "prefix": _PREFIX,
            "digest": commit(seed),
            **({} if revealed is None else {"seed": revealed}),
        }
        put("hidden.json", json.dumps(commitment, indent=2) + "\n")
    environment = templates(_TEMPLATES, autoescape=False)
    about = {
        "sets": sets,
        "carried": NAMES,
        "newest": DEFAULT_EDITION,
        "tables": list(tables),
        "title": TITLE,
        "address": ADDRESS,
        "version": __version__,
        "canary": CANARY,
        "hidden": hidden is not None,
        "revealed": revealed is not None,
        "n_rows": max(map(len, tables.values())),
        "contested": _contested(sets),
        "editions": {year: len(load_edition(year)) for year in EDITIONS},
    }
    for address, template in (
        ("README.md", "card.jinja"),
        ("DATASHEET.md", "datasheet.jinja"),
        ("eval.yaml", "eval.jinja"),
        ("CITATION.cff", "citation.jinja"),
        ("register/eval.yaml", "register.jinja"),
    ):
        put(address, environment.get_template(template).render(about) + "\n")
    put(".zenodo.json", json.dumps(_zenodo(), indent=2) + "\n")
    listed = "".join(f"{digest}  {address}\n" for address, digest in sorted(digests.items()))
    write("CHECKSUMS", listed.encode())


_PREFIX = "benyfits-data hidden split\n"


def commit(seed: str) -> str:
    """Return the digest that commits to a seed without telling it.

    Raises:
        BenyfitsError: The seed could be guessed.
    """
    if len(seed) < SHORTEST_SECRET:
        raise BenyfitsError(
            f"A hidden seed of {len(seed)} characters can be found by trying; expected "
            f"{SHORTEST_SECRET} or more. `python -c 'import secrets; print(secrets.token_hex())'` "
            "makes one."
        )
    return hashlib.sha256((_PREFIX + seed).encode()).hexdigest()


def hidden_seed(seed: str) -> int:
    """Return the seed of samplers for a secret text: 63 bits of a digest that is not published."""
    digest = hashlib.sha256(("benyfits-data hidden sampler\n" + seed).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def _contested(sets: Sequence[ReleasedSet]) -> list[tuple[str, str, int]]:
    """Return program, question and number of contested labels of each reading."""
    counts = Counter(
        (released_set.edition, program, reading)
        for released_set in sets
        for row in released_set.rows
        for program, readings in row["contested"].items()
        for reading in readings
    )
    listed = []
    for (year, name, reading), n in sorted(counts.items()):
        program = load_edition(year).program(name)
        question = next(
            candidate.question for candidate in program.readings if candidate.id == reading
        )
        listed.append((f"{name} ({year})", question, n))
    return listed


def _columns(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as columns: what is said of each program becomes a list, in their order."""
    names = row["programs"]
    return {
        **row,
        "eligible": [row["eligible"][name] for name in names],
        "contested": [row["contested"].get(name, []) for name in names],
        "weights": [row["weights"][name] for name in names],
    }


def _pairs(released: ReleasedSet) -> Iterator[dict[str, Any]]:
    """Yield a pair a row, as one question that tells everything: no dialog, an upper bound."""
    edition = load_edition(released.edition)
    for row in released.rows:
        profile = render_profile(Household.from_facts(row["household"]), "short")
        for name in row["programs"]:
            text = edition.program(name).requirements()
            yield {
                "id": f"{row['id']}-{name}",
                "household": row["id"],
                "program": name,
                "input": f"A program:\n\n{text}\n\nA household, in the words of its applicant:\n\n"
                f"{profile}\n\nIs the household eligible? Answer yes or no.",
                "target": "yes" if row["eligible"][name] else "no",
                "contested": name in row["contested"],
                "weight": row["weights"][name],
                "canary": CANARY,
            }


def _parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    """Return rows as a Parquet file; the same rows give the same bytes under one pyarrow.

    Facts have the type that they are declared with, so that tables load together.
    """
    with extras_named():
        import pyarrow as pa
        import pyarrow.parquet as pq

    types = {"flag": pa.bool_(), "number": pa.int64(), "decimal": pa.float64()}

    def fields(features: Mapping[str, Feature]) -> list[tuple[str, Any]]:
        return [(name, types.get(feature.kind, pa.string())) for name, feature in features.items()]

    schema = pa.Table.from_pylist(list(rows)).schema
    if "programs" in schema.names:
        members = pa.list_(pa.struct(fields(MEMBER_FEATURES)))
        for name, kind in (
            ("household", pa.struct([("members", members), *fields(HOUSEHOLD_FEATURES)])),
            ("contested", pa.list_(pa.list_(pa.string()))),
        ):
            schema = schema.set(schema.get_field_index(name), pa.field(name, kind))
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows), schema), buffer, compression="zstd")
    return buffer.getvalue()


def _zenodo() -> dict[str, Any]:
    return {
        "title": TITLE,
        "upload_type": "dataset",
        "description": "Synthetic households, labelled by checkers of 82 New York City benefit "
        "programs, for dialog agents that must find out by asking.",
        "creators": [{"name": "The benyfits-data maintainers"}],
        "access_right": "open",
        "license": "CC-BY-4.0",
        "version": __version__,
        "keywords": ["benchmark", "dialog agents", "public benefits", "rules as code"],
        "related_identifiers": [
            {"identifier": "arXiv:2502.19610", "relation": "isDerivedFrom", "scheme": "arxiv"}
        ],
    }
