"""Vectors of several numbers in one register, and arrays that are aligned for them."""
