"""All-in equity: the mean share of every pot once nobody can act any more."""
