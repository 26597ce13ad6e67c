"""Storage in SQLite or PostgreSQL: databases by URL, and their tables in one line of migrations."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
