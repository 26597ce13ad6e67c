"""The table in a terminal, drawn by textual."""
