"""The report on a match."""
