"""Heads-up play before the flop with limps and small raises."""
