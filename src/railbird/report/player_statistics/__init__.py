"""The page on players: what trackers say, with intervals."""
