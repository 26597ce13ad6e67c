"""The sources' experiments: each plays and scores matches, and compares with the source.

>>> from railbird_papers import EXPERIMENTS
>>> [name for name, one in EXPERIMENTS.items() if one.source.startswith("Kan")][:5]
['kan-claims', 'always-call-always-raise', 'self-play', 'duplicate', 'robustness']

Submodules are imported on first use; `__init__.pyi` lists the names.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
