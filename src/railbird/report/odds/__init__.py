"""Spectra, odds and values before the flop, as pictures and as text."""
