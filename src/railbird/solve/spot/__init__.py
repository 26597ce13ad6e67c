"""Heads-up no-limit spots after the flop, solved without an abstraction of the cards.

`railbird.solve.nolimit` solves the whole game, with buckets of cards.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
