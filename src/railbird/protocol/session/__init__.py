"""The session: a table of transitions, and the two sides of a connection that follow it."""
