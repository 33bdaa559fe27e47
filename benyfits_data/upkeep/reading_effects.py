"""What hangs on the readings of programs: whose label each other option changes."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from benyfits_data.editions import Edition, Option, Program, Reading
from benyfits_data.household.columns import Households
from benyfits_data.language.reading_labels import labels_under_readings
from benyfits_data.language.z3_backend import World
from benyfits_data.upkeep.label_changes import Flips, Witness, find_witness


@dataclass(frozen=True)
class OptionEffect:
    """What another option of a reading changes.

    Attributes:
        option: The option, which is not in force.
        flips: Households whose label it changes; `None` if nobody was asked.
        witness: A smallest household that it decides otherwise; `None` if none was searched.
    """

    option: Option
    flips: Flips | None = None
    witness: Witness | None = None

    def as_json(self) -> dict[str, Any]:
        """Return shares of the households asked, and the household that was found."""
        flips, witness = self.flips, self.witness
        home = witness.household if witness else None
        return {
            "gains": flips.gained / flips.of if flips else None,
            "loses": flips.lost / flips.of if flips else None,
            "household": witness
            and {
                "status": witness.status,
                "eligible_under_it": witness.direction == "gains" if home else None,
                "facts": witness.facts,
                "household": home and home.facts(),
            },
        }

    def lines(self) -> Iterator[str]:
        """Yield what it changes in words."""
        if flips := self.flips:
            gains, loses = 100 * flips.gained / flips.of, 100 * flips.lost / flips.of
            yield f"changes {gains + loses:.2f}% of the city's labels: " + (
                f"{gains:.2f}% gain, {loses:.2f}% lose"
            )
        if self.witness is None:
            return
        if self.witness.status != "found":
            is_proven = self.witness.status == "none"
            reason = "no possible household" if is_proven else "none found in time"
            yield f"separated by nobody: {reason}"
            return
        answer = "eligible" if self.witness.direction == "gains" else "not eligible"
        yield f"{answer} under it only, for example:"
        yield from (f"  {line}" for line in self.witness.facts)


@dataclass(frozen=True)
class ReadingEffect:
    """One open question of a program, with what each other option changes."""

    program: Program
    reading: Reading
    effects: tuple[OptionEffect, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it for machines."""
        reading = self.reading
        effects = {effect.option.id: effect.as_json() for effect in self.effects}
        return {
            "program": self.program.name,
            "edition": self.program.edition,
            "id": reading.id,
            "kind": reading.kind,
            "question": reading.question,
            "in_force": reading.in_force,
            "why": reading.why,
            "scored": reading.is_scored,
            "options": [asdict(option) | effects.get(option.id, {}) for option in reading.options],
        }

    def __str__(self) -> str:
        """The question, the options and what each changes, as one would put it to the city."""
        reading = self.reading
        lines = [f"{self.program.name}, {reading.id} ({reading.kind})"]
        lines += [f"  {reading.question}", f"  {reading.standing}"]
        in_force = reading.option(reading.in_force)
        lines.append(f"  * {in_force.id}: {in_force.says} In force: {reading.why}")
        for effect in self.effects:
            lines.append(f"  - {effect.option.id}: {effect.option.says}")
            lines += [f"      {line}" for line in effect.lines()]
        return "\n".join(lines)


def measure_readings(
    edition: Edition,
    programs: Sequence[str],
    city: Households | None = None,
    world: World | None = None,
) -> Iterator[ReadingEffect]:
    """Yield the open questions of programs, with what each other option changes.

    Args:
        edition: Whose readings.
        programs: The programs, in order.
        city: Households whose labels are compared; nobody is asked unless given.
        world: Searches separating households; none are searched unless given.

    Raises:
        ProofError: CPython does not confirm a household: readers disagree.
    """
    labels = None if city is None else labels_under_readings(edition, city, programs)
    for name in programs:
        program = edition.program(name)
        for reading in program.readings:
            effects = []
            for option in reading.others:
                effect = OptionEffect(option)
                if labels is not None:
                    other = labels.options[name][reading.id, option.id]
                    effect = replace(effect, flips=Flips.between(labels.in_force[name], other))
                if world is not None:
                    effect = replace(effect, witness=separate(program, reading, option, world))
                effects.append(effect)
            yield ReadingEffect(program, reading, tuple(effects))


def separate(program: Program, reading: Reading, option: Option, world: World) -> Witness:
    """Return a smallest household that an option decides otherwise than the one in force."""
    other = program.under(reading.id, option.id)
    gained = find_witness(program, other, "gains", world)
    return gained if gained.status == "found" else find_witness(program, other, "loses", world)
