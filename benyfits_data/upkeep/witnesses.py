"""Whose label differs between two checkers of a program, of two editions or of two readings.

Z3 finds a smallest household that separates them; the synthetic city says how many do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from benyfits_data.editions import Edition, Option, Program, Reading, SizeTable
from benyfits_data.errors import ProofError
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.household.schema import Feature
from benyfits_data.language.explain import explain
from benyfits_data.language.reading_labels import labels_under_readings
from benyfits_data.language.source import Source, features_read
from benyfits_data.language.symbolic_execution import HouseholdArgument
from benyfits_data.language.z3_backend import World

Direction = Literal["gains", "loses"]


@dataclass(frozen=True)
class Witness:
    """A household that two editions decide differently, or the proof that there is none.

    Attributes:
        direction: `gains` if the household is eligible under the new edition only.
        status: `found`, `none` (proven: no possible household) or `unknown`.
        household: The household, with as few members as possible.
        facts: What of it either checker asks and is not as usual, one line a person.
        old: How the old edition decides.
        new: How the new one does.
    """

    direction: Direction
    status: Literal["found", "none", "unknown"]
    household: Household | None
    facts: tuple[str, ...]
    old: str
    new: str


def find_witness(old: Program, new: Program, direction: Direction, world: World) -> Witness:
    """Return the smallest household whose answer changes in one direction.

    Raises:
        ProofError: CPython does not confirm the household: readers disagree.
    """
    builder = world.executor.builder
    before, after = (
        world.executor.execute(
            Source.of(program.checker), [HouseholdArgument(), program.thresholds]
        ).value
        for program in (old, new)
    )
    yes, no = (after, before) if direction == "gains" else (before, after)
    changes = builder.both(yes, builder.negate(no))
    answer = world.find(changes)
    if answer.household is None:
        return Witness(direction, answer.status, None, (), "", "")
    household = answer.household
    for size in range(1, len(household.members)):
        small = world.find(builder.both(changes, builder.negate(builder.present(size))))
        if small.household is not None:
            household = small.household
            break
    if new.is_eligible(household) != (direction == "gains") or old.is_eligible(household) != (
        direction == "loses"
    ):
        raise ProofError(
            f"{old.name}: the solver's household is decided alike in {old.edition} and "
            f"{new.edition}. The Z3 reader and CPython disagree: report it with this household.",
            program=old.name,
            household=household,
        )
    return Witness(
        direction,
        "found",
        household,
        tuple(unusual_facts(household, features_read(old.checker) | features_read(new.checker))),
        explain(old, household).summary,
        explain(new, household).summary,
    )


def unusual_facts(household: Household, names: frozenset[str]) -> Iterator[str]:
    """Yield the facts among some features that are not as they are by default, line by line."""
    facts = household.facts()
    shared = [
        _fact(HOUSEHOLD_FEATURES[name], facts[name])
        for name in names & HOUSEHOLD_FEATURES.keys()
        if facts.get(name) != HOUSEHOLD_FEATURES[name].default
    ]
    if shared:
        yield "household: " + ", ".join(sorted(shared))
    for position, member in enumerate(facts["members"], start=1):
        unusual = [
            _fact(FEATURES[name], member[name])
            for name in sorted(names & member.keys())
            if name not in ("age", "relation") and member[name] != FEATURES[name].default
        ]
        usual = (f"relation {member['relation']}", f"age {member['age']}")
        yield f"member {position}: " + ", ".join([*usual, *unusual])


def _fact(feature: Feature, value: object) -> str:
    name = feature.name.replace("_", " ")
    if value is True:
        return name
    if value is False:
        return f"not {name}"
    return f"{name} {'never' if value is None else value}"


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
        effects = {
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
                {**asdict(option), "values": _plain(option), **effects.get(option.id, {})}
                for option in reading.options
            ],
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
            lines += [f"      {line}" for line in _lines(effect)]
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


def _lines(effect: OptionEffect) -> Iterator[str]:
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
