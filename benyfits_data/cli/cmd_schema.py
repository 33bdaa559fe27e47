"""`benyfits-data schema`: what a row may look like, for other programs."""

import click

from benyfits_data.cli.options import example
from benyfits_data.cli.tables import print_json


@click.command(epilog=example("benyfits-data schema > schema.json"))
def command() -> None:
    """Print the JSON Schema (2020-12) of rows and households; docs/schema.json is the same.

    It holds names, types and domains. Whether a household is possible is for `audit` to say.
    """
    from benyfits_data.dataset.json_schema import row_schema

    print_json(row_schema())
