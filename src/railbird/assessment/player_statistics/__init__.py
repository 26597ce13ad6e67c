"""Statistics of players as trackers have them, each with an interval."""
