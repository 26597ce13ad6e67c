"""Solvers for two-player zero-sum games, and push/fold."""
