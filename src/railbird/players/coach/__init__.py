"""A coach: lets one of several players play each hand."""
