"""Ranges of holdings and their text."""
