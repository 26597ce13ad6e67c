"""What players remember of their opponents: as an object, in the terminal, on a page."""
