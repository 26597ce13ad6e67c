"""Push/fold for two to nine seats, for chips or for prizes."""
