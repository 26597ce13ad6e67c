"""The page of player statistics, with intervals."""
