"""Leagues: everybody against everybody, on the same deals."""
