"""Players of limit hold'em that play a solved strategy."""
