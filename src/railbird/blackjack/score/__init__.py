"""Judging: what each decision cost, and what each card gave."""
