"""Vexbot, which learns how its opponent bets in heads-up limit."""
