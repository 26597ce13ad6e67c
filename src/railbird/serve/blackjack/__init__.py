"""Blackjack in the browser: every decision is scored as it is taken."""
