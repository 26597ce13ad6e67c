"""Other players asked for their decision, at a table or in recorded hands."""
