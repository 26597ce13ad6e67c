"""No-limit spots after the flop, two players, solved without an abstraction of the cards."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
