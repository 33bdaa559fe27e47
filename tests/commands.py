"""Commands of ours, run in this process."""

from typing import Any

from click.testing import CliRunner, Result

from benyfits_data.cli.main import main


def invoke(*words: object, **settings: Any) -> Result:
    """Return how a command ended and what it printed; settings are those of click's runner."""
    return CliRunner().invoke(main, [*map(str, words)], **settings)
