"""Players with compiled decisions, so that one call plays a whole chunk of a match."""
