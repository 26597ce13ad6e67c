"""Coefficients of luck that were fitted once, on other matches, and frozen (White and Bowling)."""
