"""Skill and luck in games other than hold'em: games small enough for exact enumeration."""
