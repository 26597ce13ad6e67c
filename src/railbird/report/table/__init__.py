"""The report on a table of several players."""
