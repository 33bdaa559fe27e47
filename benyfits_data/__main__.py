"""Runs the command as `python -m benyfits_data`."""

from benyfits_data.cli.main import main

main()
