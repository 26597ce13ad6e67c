"""The report on one person's play: terminal, page, and what the web application shows."""
