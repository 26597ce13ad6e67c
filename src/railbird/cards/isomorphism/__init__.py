"""Suit isomorphism of boards."""
