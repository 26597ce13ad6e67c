"""Hand histories of Poker Academy."""
