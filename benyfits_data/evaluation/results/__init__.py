"""Finished dialogs read back from their logs, scored, and shown as tables and as a page."""
