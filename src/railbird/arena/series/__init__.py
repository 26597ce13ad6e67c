"""Ring games and tournaments, in which stacks carry over from hand to hand."""
