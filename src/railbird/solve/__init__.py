"""Solvers for two-player zero-sum games, among them heads-up limit and no-limit, and push/fold."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
