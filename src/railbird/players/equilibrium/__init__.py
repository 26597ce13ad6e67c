"""Strategies for limit hold'em that are known beforehand, and the player of a solved one."""
