"""How labels change when a source is read otherwise: in the city, and for a smallest household."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benyfits_data.editions import Edition, Option, Program, Reading, SizeTable
from benyfits_data.household.columns import Households
from benyfits_data.language.reading_labels import labels_under_readings
from benyfits_data.language.z3_backend import World
from benyfits_data.upkeep.witnesses import Witness, find_witness


@dataclass(frozen=True)
class OptionEffect:
    """What another option of a reading changes.

    Attributes:
        option: The option, which is not in force.
        gains: Share of the households that become eligible under it; `None` if nobody was asked.
        loses: Share of those that cease to be.
        witness: A smallest household that it decides otherwise; `None` if none was searched.
    """

    option: Option
    gains: float | None = None
    loses: float | None = None
    witness: Witness | None = None

    @property
    def changes(self) -> float | None:
        """Share of the households whose label changes."""
        return None if self.gains is None or self.loses is None else self.gains + self.loses


@dataclass(frozen=True)
class ReadingEffect:
    """One open question of a program, with what each other option changes."""

    program: Program
    reading: Reading
    effects: tuple[OptionEffect, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it for machines."""
        reading = self.reading
        told = {
            effect.option.id: {
                "gains": effect.gains,
                "loses": effect.loses,
                "household": _household_as_json(effect.witness),
            }
            for effect in self.effects
        }
        return {
            "program": self.program.name,
            "edition": self.program.edition,
            "id": reading.id,
            "kind": reading.kind,
            "question": reading.question,
            "in_force": reading.in_force,
            "why": reading.why,
            "scored": reading.is_scored,
            "options": [
                {**asdict(option), "values": _plain(option), **told.get(option.id, {})}
                for option in reading.options
            ],
        }

    def __str__(self) -> str:
        """The question, the options and what each changes, as one would put it to the city."""
        reading = self.reading
        scored = "" if reading.is_scored else ", labels that hang on it are not scored"
        lines = [f"{self.program.name}, {reading.id} ({reading.kind}{scored})"]
        lines.append(f"  {reading.question}")
        in_force = reading.option(reading.in_force)
        lines.append(f"  * {in_force.id}: {in_force.says} In force: {reading.why}")
        for effect in self.effects:
            lines.append(f"  - {effect.option.id}: {effect.option.says}")
            lines += [f"      {line}" for line in _told(effect)]
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
                    before = labels.in_force[name]
                    after = labels.options[name][reading.id, option.id]
                    gains, loses = (~before & after).mean(), (before & ~after).mean()
                    effect = OptionEffect(option, float(gains), float(loses))
                if world is not None:
                    witness = separate(program, reading, option, world)
                    effect = OptionEffect(option, effect.gains, effect.loses, witness)
                effects.append(effect)
            yield ReadingEffect(program, reading, tuple(effects))


def separate(program: Program, reading: Reading, option: Option, world: World) -> Witness:
    """Return a smallest household that an option decides otherwise than the one in force."""
    other = program.under(reading.id, option.id)
    gained = find_witness(program, other, "gains", world)
    return gained if gained.status == "found" else find_witness(program, other, "loses", world)


def _told(effect: OptionEffect) -> Iterator[str]:
    if effect.gains is not None and effect.loses is not None:
        yield (
            f"changes {100 * (effect.gains + effect.loses):.2f}% of the city's labels: "
            f"{100 * effect.gains:.2f}% gain, {100 * effect.loses:.2f}% lose"
        )
    witness = effect.witness
    if witness is None:
        return
    if witness.status != "found":
        reason = "no possible household" if witness.status == "none" else "none found in time"
        yield f"separated by nobody: {reason}"
        return
    answer = "eligible" if witness.direction == "gains" else "not eligible"
    yield f"{answer} under it only, for example:"
    yield from (f"  {line}" for line in witness.facts)


def _household_as_json(witness: Witness | None) -> dict[str, Any] | None:
    if witness is None:
        return None
    household = witness.household.facts() if witness.household else None
    return {
        "status": witness.status,
        "eligible_under_it": witness.direction == "gains" if household else None,
        "facts": list(witness.facts),
        "household": household,
    }


def _plain(option: Option) -> dict[str, Any]:
    return {
        name: asdict(value) if isinstance(value, SizeTable) else value
        for name, value in option.values.items()
    }
