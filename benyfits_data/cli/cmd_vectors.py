"""`benyfits-data vectors`: test cases for other rule engines."""

from pathlib import Path

import click

from benyfits_data.cli.options import NEW_FILE, edition_option, example, option
from benyfits_data.cli.tables import count_of, some_of


@click.command(
    epilog=example(
        "benyfits-data vectors --for policyengine --output policyengine.yaml",
        "benyfits-data vectors --for nyc-api --program FairFaresNYC",
    )
)
@option(
    "--for",
    "target",
    type=click.Choice(["nyc-api", "myfriendben", "policyengine"]),
    required=True,
    help="Whose format.",
)
@option("--program", "names", multiple=True, help="Only this program, as often as needed.")
@option("--output", type=NEW_FILE, help="The file; standard output if not given.")
@edition_option
def command(target: str, names: tuple[str, ...], output: Path | None, edition: int) -> None:
    """Write households with expected answers, deciding clauses and sources for another system.

    The households of a program run all its lines and stand on both sides of its limits. Facts that
    the other system has no field for, and that are not at their default, are listed with each
    case. Where the answer depends on them, test cases are left out, and requests say
    `"follows": false`.
    """
    from benyfits_data.dataset import write_atomically
    from benyfits_data.editions import load_edition
    from benyfits_data.vectors.choosing import choose_vectors
    from benyfits_data.vectors.vector_targets import TARGETS

    rules, chosen = load_edition(edition), TARGETS[target]
    known = {name: described for name, described in chosen.programs.items() if name in rules}
    wanted = [rules.program(name).name for name in names] or list(known)
    for name in wanted:
        if name not in known:
            raise click.UsageError(
                f"{target} has no program that is our {name}. It has {some_of(sorted(known))}; "
                "leave --program out to write all of them."
            )
    vectors = choose_vectors(rules, wanted, chosen.expressed)
    text = chosen.write(vectors, known)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text)
    whole = sum(vector.follows for vector in vectors)
    decided = "all of them."
    if whole < len(vectors):
        decided = f"{whole} of them; the others hang on facts that it has no field for."
    click.echo(
        f"{count_of(vectors, 'case')} of {count_of(wanted, 'program')}, for {chosen.version}.\n"
        f"Its fields decide {decided}",
        err=True,
    )
