"""What households cover of all that a set may notice: branches, deciding conditions, mutants."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benyfits_data.adequacy.independence import IndependenceReader
from benyfits_data.adequacy.mutants import Detector, line_of, mutants_of
from benyfits_data.editions import Edition
from benyfits_data.fuzz.corpus import Corpus, CoverageReader, Part
from benyfits_data.fuzz.coverage import Coverage
from benyfits_data.household.columns import Households
from benyfits_data.language.numpy_backend import Batch
from benyfits_data.language.source import Element, place


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

    @cached_property
    def mutant_lines(self) -> dict[str, list[int]]:
        """The line where each mutant differs; of a wrong threshold the last line that reads it."""
        return {
            name: [line_of(one, self.edition.program(name)) for one in made]
            for name, made in self.mutants.items()
        }

    def line_of(self, program: str, element: Element) -> int:
        """Return the line of an element, of a mutant the one at which it decides otherwise."""
        line, _ = place(element)
        return line if line > 0 else self.mutant_lines[program][-1 - line]

    def __call__(self, corpus: Corpus) -> list[Coverage]:
        """Return what the households of a corpus cover in each program."""
        everybody = np.arange(len(corpus))
        return [
            Coverage.of(name, *self.parts(name, corpus.answers, corpus.households, everybody))
            for name in self.mutants
        ]

    def parts(
        self, name: str, answers: Batch, households: Households, some: NDArray[np.intp]
    ) -> list[Part]:
        """Return lines and branches, then conditions and mutants, -1 for the first."""
        found = super().parts(name, answers, households, some)
        if made := self.mutants[name]:  # One program asks nothing.
            # To run the mutants of a program takes long.
            part = households.take(some)
            alone = self._independence.read_program(name, part)
            found.append((self._independence.conditions[name], alone))
            found.append((range(-1, -1 - len(made), -1), self._detector.bits(name, part)))
        return found
