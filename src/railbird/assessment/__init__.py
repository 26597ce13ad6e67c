"""Estimators that separate skill from luck, in single hands and whole matches of any hold'em.

The modules are imported on first use, so that nothing is compiled before it is needed;
`__init__.pyi` lists them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
