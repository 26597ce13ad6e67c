"""Games of one chip before the flop: which hands bet first, and which call (Peretz 2005).

Hands are taken to be ordered, and the best one to win. Who bets first wins if nobody ahead has a
better hand, with a hand at the best share x against k players with probability (1 - x)^k.
"""

from __future__ import annotations

from math import inf

from railbird._arguments import checked
from railbird.errors import BadInput


@checked
def needed_to_win(stake: float, cost: float) -> float:
    """Return the probability from which a cost pays for a stake that can be won.

    >>> needed_to_win(1.5, 1), needed_to_win(1.5, 0.5)
    (0.4, 0.25)
    """
    if not (0 <= stake < inf and 0 <= cost < inf and stake + cost > 0):
        raise BadInput(f"{cost:g} for {stake:g}; allowed: finite amounts, one of them above 0")
    return cost / (stake + cost)


@checked
def first_bet_share(players_ahead: int, needed: float) -> float:
    """Return the share of the best hands that may bet first: 1 - needed^(1 / players ahead).

    >>> round(first_bet_share(9, 0.5), 4), round(first_bet_share(2, 0.4), 4)
    (0.0741, 0.3675)
    """
    if players_ahead < 0 or not 0 <= needed <= 1:
        raise BadInput(
            f"{players_ahead} players ahead, {needed:g} needed; allowed: 0 or more, 0 to 1"
        )
    return 1.0 if players_ahead == 0 else 1 - needed ** (1 / players_ahead)


@checked
def call_share(first: float, needed: float) -> float:
    """Return the share of the best hands that may call a bettor who has the best ``first``.

    >>> round(call_share(0.1, 0.4), 4)
    0.06
    """
    if not 0 <= first <= 1 or not 0 <= needed <= 1:
        raise BadInput(f"a share of {first:g}, {needed:g} needed; allowed: 0 to 1 each")
    return first * (1 - needed)


@checked
def needed_in_whole_hand(
    stake: float, cost: float, *, later_bets: float, payers: float = 1.0
) -> float:
    """Return what is needed with the bets of the whole hand, which the source leaves to others.

    After the call ``later_bets`` follow, which are lost with the hand, and won from ``payers``
    opponents with it. Many bets later the blinds count for nothing: against one opponent half is
    needed.

    >>> [round(needed_in_whole_hand(1.5, 1, later_bets=bets), 3) for bets in (0, 5, 500)]
    [0.4, 0.48, 0.5]
    """
    if not 0 <= later_bets < inf or not 0 <= payers < inf:
        raise BadInput(f"{later_bets:g} bets from {payers:g}; allowed: 0 or more")
    return needed_to_win(stake + payers * later_bets, cost + later_bets)
