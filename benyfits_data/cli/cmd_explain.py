"""`benyfits-data explain`: which clause decided, in words."""

from dataclasses import asdict
from pathlib import Path

import click

from benyfits_data.cli.options import FILE, example, option
from benyfits_data.cli.tables import json_option, print_json
from benyfits_data.dataset import PartialRow, ToldReader, edition_of, read_each_row
from benyfits_data.dataset.told import Basis
from benyfits_data.errors import DatasetFormatError
from benyfits_data.household.model import Household
from benyfits_data.language.explain import explain
from benyfits_data.language.partial import household_facts, told_facts
from benyfits_data.spelling import suggest


@click.command(
    epilog=example("benyfits-data explain output/diverse.jsonl diverse-2024-01 FairFaresNYC IDNYC")
)
@click.argument("dataset", type=FILE)
@click.argument("identifier", metavar="ID")
@click.argument("programs", nargs=-1, metavar="[PROGRAM]...")
@option("--edition", type=int, help="The year whose rules apply; by default the household's.")
@json_option
def command(
    dataset: Path, identifier: str, programs: tuple[str, ...], edition: int | None, as_json: bool
) -> None:
    """Explain why household ID of DATASET is eligible for each PROGRAM or not.

    Every condition that the checker asked is told in words, with the household's values and the
    thresholds; a star marks those on which the answer hangs. Without PROGRAM, all that the
    household asks about. A household may be told in part, down to its members: then each answer
    says whether it follows from what is told, or on which assumed facts it hangs.
    """
    row = _find(dataset, identifier)
    household = row.household()
    rules = edition_of(row, edition)
    chosen = [rules.program(name) for name in programs or row.programs or rules]
    found = [explain(program, household) for program in chosen]
    basis: Basis = {}
    if told_facts(row.facts).keys() < household_facts(household).keys():
        names = [program.name for program in chosen]
        basis = ToldReader().find_basis(row.facts, household, rules, possible=True, programs=names)
    if as_json:
        print_json(
            [
                asdict(it)
                | {"summary": it.summary}
                | ({"hangs_on": list(basis[program.name])} if basis else {})
                for program, it in zip(chosen, found, strict=True)
            ]
        )
        return
    told = [
        f"{identifier}, {it}" + (f"\n{_say_basis(basis[program.name])}" if basis else "")
        for program, it in zip(chosen, found, strict=True)
    ]
    click.echo("\n\n".join(told))


def _find(dataset: Path, identifier: str) -> PartialRow:
    """Return the row of a household, which may be told in part.

    Raises:
        DatasetFormatError: There is no such row, or it cannot be taken as it stands.
        ImpossibleHouseholdError: The household breaks a constraint.
    """
    known = []
    for row in read_each_row(dataset, "ours"):
        if isinstance(row, DatasetFormatError):
            continue
        known.append(row.id)
        if row.id == identifier:
            if row.faults:
                raise DatasetFormatError(
                    f"{dataset}:{row.line}: {row.faults[0]}. Correct it.", path=dataset
                )
            Household.complete(**row.facts)
            return row
    told = f"{known[0]} to {known[-1]}" if known else "no households at all"
    raise DatasetFormatError(
        f"{dataset} has no household {identifier!r}, but {told}. "
        f"{suggest(identifier, known, 'Name one of those.')}",
        path=dataset,
        id=identifier,
    )


def _say_basis(facts: tuple[str, ...]) -> str:
    if not facts:
        return "This follows from what is told, whatever the rest may be."
    return f"This hangs on what is not told, and was assumed: {', '.join(facts)}."
