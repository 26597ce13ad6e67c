"""The page that explains one decision of a player."""
