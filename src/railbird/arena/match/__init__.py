"""Heads-up matches and leagues."""
