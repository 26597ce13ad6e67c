"""Loki's betting rules, before and after the flop (Papp 1998, chapter 6)."""
