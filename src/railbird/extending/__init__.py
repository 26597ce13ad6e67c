"""For authors of extensions: contracts to run on your own parts, and tools that the rooms share.

`check_player`, `check_format` and `check_estimator` try out what such a part has to keep to, and
name the contract that it breaks. Our own players, formats and estimators are tested by the same
functions. The other names are tools for packages that build on Railbird, such as
`railbird_papers`. The modules are imported on first use; `__init__.pyi` lists them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
