"""How experiments are registered, run, tabulated and drawn."""
