"""Leagues: round-robin matches on the same deals."""
