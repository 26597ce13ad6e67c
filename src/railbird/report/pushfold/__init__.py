"""Charts and pages on push/fold."""
