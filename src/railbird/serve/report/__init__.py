"""The report on one's own play: upload of a hand history, replays and puzzles."""
