"""Equity, hand ranks, strength and potential, and the tables behind them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
