"""Experiments of Kan (2007): DIVAT."""
