"""Experiments of Papp (1998): Loki."""
