"""Runs the command as `python -m benyfits_data.cli`."""

from benyfits_data.cli.main import main

main()
