"""Labels under every reading, and the labels that hang on one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition, Option, Program, Reading
from benyfits_data.household.columns import Households
from benyfits_data.language.numpy_backend.programs import program_reader

Labels = NDArray[np.bool_]


@dataclass(frozen=True)
class ReadingLabels:
    """Answers of programs for `n` households under every option of every reading.

    One question is answered differently at a time: all others keep their option in force.

    Attributes:
        in_force: The labels, by program, shape `(n,)`.
        options: The labels under each option that is not in force, by program, then by the ids of
            reading and option.
    """

    in_force: dict[str, Labels]
    options: dict[str, dict[tuple[str, str], Labels]]

    def changed(self, program: str, reading: str) -> Labels:
        """Return the households whose label another option of a reading changes."""
        differs = np.zeros(len(self.in_force[program]), np.bool_)
        for (asked, _), labels in self.options[program].items():
            if asked == reading:
                differs |= labels != self.in_force[program]
        return differs


def options_of(program: Program, *, scored: bool = True) -> Iterator[tuple[Reading, Option]]:
    """Yield every option that is not in force, with its reading; those of scored ones if asked."""
    for reading in program.readings:
        for option in reading.others if scored or not reading.is_scored else ():
            yield reading, option


def labels_under_readings(
    edition: Edition,
    households: Households,
    programs: Sequence[str] | None = None,
    *,
    scored: bool = True,
) -> ReadingLabels:
    """Return the label of every household under every option of every reading.

    Args:
        edition: Gives checkers, thresholds and readings.
        households: Households that meet the constraints.
        programs: The programs to ask; all unless given.
        scored: Whether to ask about readings that are scored too.

    Raises:
        LanguageError: A checker leaves the checker language.
        CheckerFailedError: A checker would fail on one of the households under some option.
    """
    names = list(edition.programs) if programs is None else list(programs)
    asked: dict[tuple[str, str, str], Program] = {}
    for name in names:
        program = edition.program(name)
        asked[name, "", ""] = program
        for reading, option in options_of(program, scored=scored):
            asked[name, reading.id, option.id] = program.under(reading.id, option.id)
    subjects = {
        (name, reading, option): f"{name} under {reading} = {option}" if reading else name
        for name, reading, option in asked
    }
    checkers = tuple(
        (subjects[key], asked_program.checker, asked_program.thresholds)
        for key, asked_program in asked.items()
    )
    reader = program_reader(checkers, households.places, traces=False)
    labels = reader.labels(households)
    in_force = {name: labels[name] for name in names}
    options: dict[str, dict[tuple[str, str], Labels]] = {name: {} for name in names}
    for (name, reading_id, option_id), subject in subjects.items():
        if reading_id:
            options[name][reading_id, option_id] = labels[subject]
    return ReadingLabels(in_force, options)


def contested(
    edition: Edition, households: Households, programs: Sequence[str] | None = None
) -> list[dict[str, tuple[str, ...]]]:
    """Return for each household the programs whose label is contested, with the readings.

    A label is contested where another option of a reading that is not scored (`scored = false`)
    changes it. Readings stand in the order of their declaration, programs in that of the edition.
    """
    names = list(edition.programs) if programs is None else list(programs)
    contested_by: list[dict[str, tuple[str, ...]]] = [{} for _ in range(len(households))]
    for name, changed in _changed(edition, households, names).items():
        for row in np.flatnonzero(np.any(list(changed.values()), axis=0)):
            contested_by[row][name] = tuple(reading for reading in changed if changed[reading][row])
    return contested_by


def contested_mask(edition: Edition, households: Households, programs: Sequence[str]) -> Labels:
    """Return which labels are contested, shape `(programs, households)`."""
    masks = np.zeros((len(programs), len(households)), np.bool_)
    for name, changed in _changed(edition, households, programs).items():
        masks[programs.index(name)] = np.any(list(changed.values()), axis=0)
    return masks


def _changed(
    edition: Edition, households: Households, programs: Sequence[str]
) -> dict[str, dict[str, Labels]]:
    """Return which labels each unscored reading changes, by program and reading."""
    open_in = {
        name: [reading.id for reading in edition.program(name).readings if not reading.is_scored]
        for name in programs
    }
    asked = [name for name in programs if open_in[name]]
    if not asked or not len(households):
        return {}
    labels = labels_under_readings(edition, households, asked, scored=False)
    return {
        name: {reading: labels.changed(name, reading) for reading in open_in[name]}
        for name in asked
    }
