"""Coefficients of luck fitted once on other matches, and frozen (White and Bowling 2009)."""
