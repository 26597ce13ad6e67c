"""Income rates: the gain of each of the 169 starting-hand classes if everybody calls (Papp 1998).

Everyone puts in one small bet, all cards are dealt, and the best hand wins (ties split). The rate
is the mean gain per deal, in thousandths of that bet. The tables are package data, computed by
`roll_out`: exactly against one opponent, from samples against three and six.
"""

from __future__ import annotations

import io
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.cards import CLASS_NAMES, HandClass, format_holding, holdings_of_class, parse_class
from railbird.errors import BadInput
from railbird.odds import Mode, equity

TABLES = (1, 3, 6)
"""Numbers of opponents with a table."""

_FILE = "income_rates.csv"


@checked
@cache
def income_rates(opponents: int) -> NDArray[np.float64]:
    """Return the rate of each class, (169,) in thousandths of a small bet.

    Raises `BadInput` if there is no table for this number of opponents.

    >>> rates = income_rates(6)
    >>> best = np.argsort(-rates)[:5]
    >>> [CLASS_NAMES[i] for i in best]
    ['AA', 'KK', 'QQ', 'JJ', 'AKs']
    """
    if opponents not in TABLES:
        raise BadInput(f"income rates against {opponents}; allowed: {', '.join(map(str, TABLES))}")
    file = resources.files(__package__).joinpath(_FILE)
    rates = np.empty(len(CLASS_NAMES))
    for line in io.StringIO(file.read_text("utf-8")):
        hand, *by_opponents = line.split(",")
        if hand != "hand":
            rates[parse_class(hand)] = float(by_opponents[TABLES.index(opponents)])
    rates.flags.writeable = False
    return rates


_MOST_OPPONENTS = 9
"""Limit of `equity`: ten players."""


@checked
def roll_out(
    opponents: int, *, samples: int, rng: np.random.Generator, classes: range | None = None
) -> NDArray[np.float64]:
    """Recompute rates by class, from ``samples`` deals each, or exactly against one opponent.

    Raises `BadInput` for more than nine opponents or fewer than one.

    >>> rates = roll_out(6, samples=20_000, rng=np.random.default_rng(1), classes=range(1))
    >>> 1900 < float(rates[0]) < 2200
    True
    """
    if not 1 <= opponents <= _MOST_OPPONENTS:
        raise BadInput(f"{opponents} opponents; allowed: 1 to {_MOST_OPPONENTS}")
    rates = []
    for kind in classes or range(len(CLASS_NAMES)):
        holding = format_holding(holdings_of_class(HandClass(kind))[0])
        result = equity(
            [holding, *["random"] * opponents],
            mode=Mode.AUTO if opponents == 1 else Mode.SAMPLED,
            samples=samples,
            rng=rng,
        )
        rates.append(1000 * ((opponents + 1) * result.players[0].equity - 1))
    return np.array(rates)
