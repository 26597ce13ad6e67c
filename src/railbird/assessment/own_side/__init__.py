"""Estimates from one side's cards: control variates that use only the player's knowledge."""
