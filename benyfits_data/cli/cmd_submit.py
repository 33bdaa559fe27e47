"""`benyfits-data submit`: finished runs bundled, and such bundles checked."""

from pathlib import Path

import click

from benyfits_data.cli.options import NEW_FILE, example, option
from benyfits_data.cli.tables import json_option, print_json, print_table

MOST_FAULTS = 20


@click.command(
    epilog=example(
        "benyfits-data submit logs --output submission.zip",
        "benyfits-data submit --check submission.zip",
    )
)
@click.argument("logs", nargs=-1, type=click.Path(exists=True, path_type=Path))
@option("--output", type=NEW_FILE, default=Path("submission.zip"), help="The file to write.")
@option("--check", is_flag=True, help="Check a submission instead: derive all of it again.")
@json_option
def command(logs: tuple[Path, ...], output: Path, check: bool, as_json: bool) -> None:
    """Bundle finished runs for others, or check such a bundle.

    A check derives every figure from the logs again, labels every household again, and runs every
    generated program again with the values of the transcript. It says what nothing can replay.
    """
    from benyfits_data.errors import EvaluationError
    from benyfits_data.evaluation.run import LOGS
    from benyfits_data.evaluation.submission import bundle, verify

    if not check:
        names = bundle(logs or (LOGS,), output)
        if as_json:
            print_json({"submission": output, "files": names})
        else:
            click.echo(f"{output}: {len(names)} files")
        return
    if len(logs) != 1:
        raise click.UsageError("--check takes one submission.")
    found = verify(logs[0])
    if as_json:
        print_json({"checked": found.counts, "faults": [str(fault) for fault in found.faults]})
    else:
        print_table(("checked", "number"), sorted(found.counts.items()))
        for fault in found.faults[:MOST_FAULTS]:
            click.echo(fault)
    if found.faults:
        raise EvaluationError(
            f"{logs[0]}: {len(found.faults)} things are not as submitted.", faults=found.faults
        )
    click.echo("Everything is as submitted.", err=True)
