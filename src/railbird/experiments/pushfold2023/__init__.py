"""Experiments of Chin and Lopez (2023): push/fold."""
