"""`benyfits-data screen`: a person answers questions and learns what the household may claim."""

import json
from pathlib import Path

import click

from benyfits_data.cli.options import NEW_FILE, edition_option, example, option


@click.command(
    epilog=example(
        "benyfits-data screen",
        "benyfits-data screen --output answers.json",
    )
)
@edition_option
@option("--output", type=NEW_FILE, help="Write answers and verdicts there; nothing is kept if not.")
def command(edition: int, output: Path | None) -> None:
    """Ask about your household, and tell which programs it may claim.

    The question that is likely to settle most programs comes first. Each verdict names the answers
    that prove it. Before a "no" rests on what follows from your answers, you are asked to confirm
    that. This is no official decision.
    """
    if output is not None and output.exists():
        raise click.UsageError(f"--output {output}: it exists. Name another, or move it away.")
    from benyfits_data.dataset import write_atomically
    from benyfits_data.editions import load_edition
    from benyfits_data.screening.screen_terminal import screen

    record = screen(load_edition(edition))
    if output is not None:
        write_atomically(output, (json.dumps(record, indent=2) + "\n").encode())
        click.echo(f"Saved to {output}.")
    else:
        click.echo("Nothing was kept.")
