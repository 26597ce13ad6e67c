"""All-in equity: the share of every pot that the cards give once nobody can act any more."""
