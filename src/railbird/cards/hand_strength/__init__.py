"""Strength of five to seven cards."""
