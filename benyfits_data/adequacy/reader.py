"""What households cover of all that a set may notice: branches, deciding conditions, mutants."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benyfits_data.adequacy.independence import IndependenceReader
from benyfits_data.adequacy.mutants import Detector, mutants_of
from benyfits_data.editions import Edition
from benyfits_data.fuzz.corpus import Corpus, CoverageReader
from benyfits_data.fuzz.coverage import Coverage
from benyfits_data.language.source import Element


class ThoroughReader(CoverageReader):
    """Tells what households cover; made once, since reading mutants takes long.

    Args:
        edition: Whose checkers.

    Attributes:
        mutants: The mutants of each program.
    """

    def __init__(self, edition: Edition) -> None:
        super().__init__("thorough", edition)
        self.mutants = mutants_of(edition)
        self._detector = Detector(edition, self.mutants)
        self._independence = IndependenceReader(edition)

    def __call__(self, corpus: Corpus) -> list[Coverage]:
        """Return what the households of a corpus cover: -1 is a program's first mutant."""
        found = []
        for name, made in self.mutants.items():
            parts: list[tuple[Sequence[Element], NDArray[np.uint64]]]
            parts = [(corpus.answers.elements[name], corpus.answers.traces[name])]
            if made:  # One program asks nothing.
                alone = self._independence.read_program(name, corpus.households)
                parts.append((self._independence.conditions[name], alone))
                detected = self._detector.bits(name, corpus.households)
                parts.append((range(-1, -1 - len(made), -1), detected))
            found.append(Coverage.of(name, *parts))
        return found
