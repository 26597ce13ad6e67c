"""Blueprints of heads-up no-limit: betting by a menu, cards by buckets, external sampling.

`railbird.solve.limit` is the room for heads-up limit.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
