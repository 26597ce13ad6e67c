"""Hold'em hands: rules as data, events, the states they lead to, and views of those states."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
