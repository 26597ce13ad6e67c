"""Skill and luck in games other than hold'em: games small enough to enumerate, exact to the end."""
