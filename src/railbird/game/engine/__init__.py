"""The rules engine: state, stepping, legality, pots."""
