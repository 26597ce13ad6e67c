"""Selective sampling by probability triples (Billings et al. 1999)."""
