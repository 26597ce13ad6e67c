"""Words and figures from results of any game: HTML files, images, and text for the terminal.

The parts are imported on first use, because Altair takes half a second to load and a table in the
terminal does not need it; `__init__.pyi` lists them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
