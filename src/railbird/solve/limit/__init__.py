"""Heads-up limit: the betting as arrays, strategies over states of the cards.

`railbird.solve.nolimit` is the same for heads-up no-limit.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
