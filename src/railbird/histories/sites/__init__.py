"""Hand histories of poker sites other than PokerStars; each site is a table of its lines.

`text` parses a text line by line into a `SiteHand`, which `replay` compares with the rules engine.
"""
