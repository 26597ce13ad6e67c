"""Playing: rounds by a person, simulated tables, card counting."""
