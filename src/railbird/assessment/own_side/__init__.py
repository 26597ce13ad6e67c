"""Estimates from one side's cards: control variates of what the player itself may know."""
