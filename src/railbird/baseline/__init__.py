"""The baseline of DIVAT: a simple policy of betting for value, as data and a few rules."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
