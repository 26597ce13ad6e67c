"""All-in equity, exact and sampled, and the preflop matrix."""
