"""Registering, running, tabulating and plotting experiments."""
