"""What happens at a table, and what each viewer is told of it."""
