"""The corpus: sampled households with their labels and traces in every program."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.coverage import (
    Coverage,
    ObjectiveName,
    element_coverage,
    line_coverage,
    trace_coverage,
)
from benyfits_data.household.columns import Households
from benyfits_data.language.numpy_backend import Batch, label_and_trace
from benyfits_data.language.source import Element

ScalarT = TypeVar("ScalarT", bound=np.generic)


@dataclass(frozen=True)
class Corpus:
    """Households to choose from.

    Attributes:
        edition: Whose checkers labelled them.
        sampled: How many were drawn.
        households: Those that were kept.
        origin: Position of each among those drawn, shape `(n,)`, ascending.
        answers: Their labels and traces.
        positives: How many of all those drawn are eligible, by program.
        joined: How many households joined that were not drawn; they come last.
    """

    edition: Edition
    sampled: int
    households: Households
    origin: NDArray[np.int64]
    answers: Batch
    positives: dict[str, int]
    joined: int = 0

    def __len__(self) -> int:
        return len(self.households)

    def take(self, places: Sequence[int] | NDArray[np.intp]) -> "Corpus":
        """Return some of the households, with what is known of them."""
        some = np.asarray(places, np.intp)
        answers = Batch(
            {name: label[some] for name, label in self.answers.labels.items()},
            {name: trace[some] for name, trace in self.answers.traces.items()},
            self.answers.elements,
        )
        return replace(
            self, households=self.households.take(some), origin=self.origin[some], answers=answers
        )

    def joined_by(self, other: "Corpus") -> "Corpus":
        """Return the corpus with further households, such as proven witnesses of rare lines."""
        n = self.sampled + self.joined
        return replace(
            concatenated([self, replace(other, origin=np.arange(n, n + len(other)))]),
            sampled=self.sampled,
            positives=self.positives,
            joined=self.joined + len(other),
        )

    @cached_property
    def coverage(self) -> list[Coverage]:
        """What each household covers: lines and branches."""
        return element_coverage(self.answers.elements, self.answers.traces)

    def missing(
        self, dead: Mapping[str, Sequence[Element]] = MappingProxyType({})
    ) -> dict[str, list[Element]]:
        """Return what no household runs, by program; programs without any left out.

        Args:
            dead: What nobody can run: it is left out too.
        """
        missed = {
            of_program.program: [
                one
                for one in of_program.named(~of_program.reached)
                if one not in dead.get(of_program.program, ())
            ]
            for of_program in self.coverage
        }
        return {name: elements for name, elements in missed.items() if elements}


def collect(edition: Edition, tables: Iterable[Households]) -> Corpus:
    """Return the corpus of some tables of households, labelled and traced table by table.

    Args:
        edition: Whose checkers to run.
        tables: The households.
    """
    parts: list[Corpus] = []
    start = 0
    for table in tables:
        answers = label_and_trace(edition, table)
        positives = {name: int(label.sum()) for name, label in answers.labels.items()}
        origin = np.arange(start, start + len(table))
        parts.append(Corpus(edition, len(table), table, origin, answers, positives))
        start += len(table)
    return concatenated(parts)


def concatenated(parts: Sequence[Corpus]) -> Corpus:
    """Return parts of one sample as one."""
    if len(parts) == 1:
        return parts[0]
    answers = [part.answers for part in parts]
    return replace(
        parts[0],
        sampled=sum(part.sampled for part in parts),
        households=Households.concatenate([part.households for part in parts]),
        origin=np.concatenate([part.origin for part in parts]),
        answers=Batch(
            _by_program([one.labels for one in answers]),
            _by_program([one.traces for one in answers]),
            answers[0].elements,
        ),
        positives={
            name: sum(part.positives[name] for part in parts) for name in parts[0].positives
        },
    )


def _by_program(parts: Sequence[dict[str, NDArray[ScalarT]]]) -> dict[str, NDArray[ScalarT]]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


class Objective:
    """What the chosen pairs must cover together.

    Args:
        name: What it is: lines and branches, lines alone, or unique sets of lines.

    Attributes:
        lines_only: Whether branches need not be covered.
    """

    def __init__(self, name: ObjectiveName = "branches") -> None:
        self.name = name
        self.lines_only = name in ("lines", "traces")

    def coverage(self, corpus: Corpus) -> list[Coverage]:
        """Return what the households of a corpus cover in each program."""
        if self.name == "branches":
            return corpus.coverage
        lines = line_coverage(corpus.coverage)
        return lines if self.name == "lines" else trace_coverage(lines)
