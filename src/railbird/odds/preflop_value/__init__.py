"""The value of hole cards before the flop, over all flops (Peretz 2005)."""
