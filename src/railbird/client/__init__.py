"""Clients of the tournament server: programs, our players, and templates for writers of bots."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
