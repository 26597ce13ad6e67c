"""Series whose stacks carry over: ring games and tournaments."""
