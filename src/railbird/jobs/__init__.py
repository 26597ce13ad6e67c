"""Numbered pieces of long jobs, done by worker processes or on a Ray cluster, in order."""
