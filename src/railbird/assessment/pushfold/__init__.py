"""People's push/fold decisions, counted and judged."""
