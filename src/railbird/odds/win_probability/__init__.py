"""Probability that one holding wins against opponents with any two cards."""
