"""Numbers as Papp (1998) prints them."""

from __future__ import annotations

import io
import math
from functools import cache
from importlib import resources
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from railbird.cards import CLASS_NAMES, parse_class

GENERIC_WINNINGS: Final = (("GOM", "0.07"),)
SPECIFIC_WINNINGS: Final = (("SOM", "0.08"), ("GOM", "0.07"))
"""Small bets per hand against people on the IRC server, by version; other figures are lost."""


@cache
def published_income_rates(opponents: int) -> NDArray[np.float64]:
    """Return the published table by class, (169,) in thousandths of a bet.

    >>> float(published_income_rates(1)[parse_class("22")])
    7.0
    """
    file = resources.files("railbird.experiments.papp1998").joinpath("published_income_rates.csv")
    table = pl.read_csv(io.StringIO(file.read_text("utf-8")))
    rates = np.full(len(CLASS_NAMES), math.nan)
    for players, hand, rate in table.iter_rows():
        if players == opponents + 1:
            rates[parse_class(hand)] = rate
    rates.flags.writeable = False
    return rates
