"""The arena: plays matches, leagues, tournaments and ring games of any hold'em, into logs.

The modules are imported on first use; `__init__.pyi` lists them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
