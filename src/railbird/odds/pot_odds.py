"""The cost of a call compared with what it can win.

All amounts are in the same unit; ``pot`` includes the bet to be called.
"""

from __future__ import annotations

from math import inf

from railbird._arguments import checked
from railbird.errors import BadInput


@checked
def pot_odds(to_call: float, pot: float) -> float:
    """Return the break-even equity of a call with no more betting, to_call / (pot + to_call).

    >>> pot_odds(4, 40)
    0.09090909090909091
    """
    return implied_odds(to_call, pot)


@checked
def implied_odds(
    to_call: float, pot: float, *, future_bets: float = 0, future_winnings: float = 0
) -> float:
    """Return the equity at which a call breaks even, given later betting.

    ``future_bets`` are the caller's own later bets, ``future_winnings`` what the others will add to
    the pot (Peretz's implied pot odds, own bets over the final pot less own bets, as the required
    probability).

    Raises `BadInput` for a negative amount, if nothing is at stake, and if their sum is infinite.

    >>> implied_odds(10, 50, future_winnings=40)
    0.1
    """
    for name, amount in (
        ("to call", to_call),
        ("pot", pot),
        ("future bets", future_bets),
        ("future winnings", future_winnings),
    ):
        if not 0 <= amount < inf:
            raise BadInput(f"{name} of {amount}; allowed: finite amounts, none negative")
    cost = to_call + future_bets
    whole = pot + cost + future_winnings
    if whole == 0:
        raise BadInput("no odds: the pot and the call are both 0")
    if whole == inf:
        raise BadInput("amounts whose sum is beyond what a number holds; allowed: smaller ones")
    return cost / whole


@checked
def call_value(equity: float, to_call: float, pot: float) -> float:
    """Return a call's gain with no more betting, equity * (pot + to_call) - to_call.

    >>> call_value(0.25, 10, 50)
    5.0
    """
    if not 0 <= equity <= 1:
        raise BadInput(f"equity of {equity}; allowed: 0 to 1")
    return equity * (pot + to_call) - to_call
