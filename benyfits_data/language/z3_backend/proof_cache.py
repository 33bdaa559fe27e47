"""Verdicts kept between runs, each under the digest of everything it depends on."""

import hashlib
import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benyfits_data.editions import Thresholds
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.language import ir, symbolic_execution
from benyfits_data.language.ir import bounds
from benyfits_data.language.source import Source
from benyfits_data.language.z3_backend import translate, world
from benyfits_data.language.z3_backend.world import Answer
from benyfits_data.staged_writes import write_atomically

DEFAULT_FOLDER = Path(".cache/prove")


@dataclass(frozen=True)
class Store:
    """A folder with one file for each checker, its thresholds and what was asked about it."""

    folder: Path = DEFAULT_FOLDER

    def read(self, topic: str, source: Source, thresholds: Thresholds) -> dict[str, Answer]:
        """Return the cached answers about a checker, by question.

        Args:
            topic: What sort of questions, such as `lines`.
            source: The checker.
            thresholds: Its thresholds.
        """
        path = self._path(topic, source, thresholds)
        if not path.exists():
            return {}
        return {
            question: Answer(
                status=record["status"],
                household=None
                if record["household"] is None
                else Household.from_facts(record["household"]),
                seconds=record["seconds"],
            )
            for question, record in json.loads(path.read_text(encoding="utf-8")).items()
        }

    def write(
        self, topic: str, source: Source, thresholds: Thresholds, answers: Mapping[str, Answer]
    ) -> None:
        """Keep answers about a checker."""
        path = self._path(topic, source, thresholds)
        records = {
            question: {
                "status": answer.status,
                "household": None if answer.household is None else answer.household.facts(),
                "seconds": round(answer.seconds, 3),
            }
            for question, answer in sorted(answers.items())
        }
        write_atomically(path, json.dumps(records))

    def _path(self, topic: str, source: Source, thresholds: Thresholds) -> Path:
        values = "\n".join(
            f"{name} = {getattr(thresholds, name)!r}"
            for name in (*thresholds.names(), *thresholds.of_readings())
        )
        key = f"{source.digest}\n{values}\n{_world_digest()}"
        return self.folder / f"{topic}-{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"


@cache
def _world_digest() -> str:
    """Return the digest of all that makes a household possible, of the reader and the solver."""
    import z3

    hashed = hashlib.sha256(str(z3.get_version_string()).encode())
    for module in (ir, symbolic_execution, translate, world):
        hashed.update(inspect.getsource(module).encode())
    for constraint in CONSTRAINTS.values():
        hashed.update(f"\n{constraint.name} {Source.of(constraint.holds).digest}".encode())
    for name, feature in FEATURES.items():
        domain = bounds(feature) if feature.kind != "text" else ""
        choices = list(feature.choices)
        hashed.update(f"\n{name} {feature.level} {feature.kind} {domain} {choices}".encode())
    return hashed.hexdigest()
