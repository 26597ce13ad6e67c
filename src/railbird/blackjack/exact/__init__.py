"""Exact values and the best strategies."""
