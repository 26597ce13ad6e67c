"""Regret minimisation by sampled deals: external sampling and public chance sampling."""
