"""Spectra of final hands, and the odds that follow from what opponents did (Peretz 2005)."""
