"""Decision-by-decision DIVAT for two to ten seats and any betting, without tables of its own."""
