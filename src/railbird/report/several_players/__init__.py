"""The report on a match of several players, or of no-limit."""
