"""Results, ratings and crosstables of the tournament server, and its finished hands."""
