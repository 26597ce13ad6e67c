"""Railbird: a laboratory for computer poker.

The rooms are imported on first use, so that ``import railbird`` loads neither
NumPy nor Numba.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=[
        "acpc",
        "adapters",
        "arena",
        "assessment",
        "baseline",
        "cards",
        "errors",
        "estimates",
        "experiments",
        "game",
        "histories",
        "modelling",
        "odds",
        "players",
        "report",
        "serve",
        "solve",
        "tournament",
        "units",
    ],
)
