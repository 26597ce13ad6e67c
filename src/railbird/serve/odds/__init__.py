"""The page of odds: cards, board, opponents and what they did, set by touch."""
