"""Hand ranks IHR, 7cHR and EHR of one holding on one board."""
