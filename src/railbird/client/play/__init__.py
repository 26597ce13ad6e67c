"""A person's game without a screen: where it is played, what is shown, advice, the log."""
