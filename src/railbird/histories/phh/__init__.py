"""PHH and PHHS, the poker hand history format of Kim (2024)."""
