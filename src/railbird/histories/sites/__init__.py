"""Hand histories of poker sites other than PokerStars; a site is a table of its lines.

`text` takes a text apart line by line, `hand` is what its lines say, `replay` compares that with
what the rules engine makes of it.
"""
