"""Prizes of finished tournaments as results, and less the luck of their all-ins."""
