"""Telling skill from luck: estimates, DIVAT and its kin, for one hand and for whole matches.

The parts are imported on first use, because an `Estimate` needs none of the compiled ones;
`__init__.pyi` lists them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
