"""Heads-up limit: betting as arrays, strategies over states of the cards, and their solvers.

`railbird.solve.nolimit` is the room for heads-up no-limit.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
