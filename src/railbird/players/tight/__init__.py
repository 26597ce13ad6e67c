"""A plain no-limit player: ranges from exact equities, value bets, pot odds."""
