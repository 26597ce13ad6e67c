"""The game of push/fold against the equilibrium."""
