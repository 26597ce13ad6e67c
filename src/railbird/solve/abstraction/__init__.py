"""Abstractions of the cards in any hold'em: which holdings a strategy distinguishes, by street."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
