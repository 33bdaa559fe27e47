"""Agents question a simulated user and are scored on eligibility and turns."""
