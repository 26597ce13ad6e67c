"""Bets that win because opponents give up: by how often each of them is seen to, and by the odds.

The source's straight play bets for the odds of the bet alone (raise odds), since the pot is not at
risk; its value of a raise before the flop adds what is won if everybody gives up. With that term
the same sum decides after the flop, and is the source's raise odds where nobody ever gives up.
"""

from __future__ import annotations

from collections.abc import Sequence

from railbird.game import HandState
from railbird.odds.straight_play import bluffing_frequency, risk_ratio
from railbird.players.killer.seen_hand import SeenHand, size_factor
from railbird.players.killer.settings import BLUFF_TAIL
from railbird.units import Seat


def giving_up(hand: SeenHand, others: Sequence[Seat], state: HandState, size: int) -> float:
    """Return the chance that all ``others`` fold to a bet of ``size`` chips.

    Of somebody unknown it is what makes a bluff worth nothing, so that no folds are counted on
    which have not been seen. Whoever is all-in cannot fold.
    """
    if state.stacks is not None and any(state.stacks[seat] == 0 for seat in others):
        return 0.0
    factor = size_factor(size, state.pot)  # to a bet of half the pot, and back
    unknown = (1 - (size / (state.pot + size)) ** (1 / len(others))) ** factor
    chance = 1.0
    for seat in others:
        chance *= 1 - hand.habits[seat].staying_rate(state.street, unknown) ** (1 / factor)
    return chance


def gain_of_bet(
    odds: float, *, called: float, callers: float, all_fold: float, size: int, pot: int
) -> float:
    """Return what a bet of ``size`` chips is worth more than a check, by the odds of each.

    ``called`` are the odds against those who call, ``callers`` of them if there are any.

    >>> gain_of_bet(0.3, called=0.3, callers=1, all_fold=0.0, size=50, pot=100)  # raise odds: 1/2
    -20.0
    >>> gain_of_bet(0.3, called=0.1, callers=1, all_fold=0.6, size=50, pot=100)
    18.0
    """
    if_called = called * (pot + size * (1 + callers)) - size
    return all_fold * pot + (1 - all_fold) * if_called - odds * pot


def bluffs(
    hand: SeenHand,
    state: HandState,
    others: Sequence[Seat],
    *,
    quantile: float,
    size: int,
    usual: float,
    called: float,
) -> bool:
    """Return whether a holding is among the bluffs: first to bet, against one, with the worst.

    ``usual`` is the share of holdings that call. Whoever calls with a probability ``called`` that
    makes the bluff a loss is not bluffed.
    """
    if state.to_call or len(others) > 1:
        return False
    if called * size >= (1 - called) * state.pot:
        return False
    frequency = bluffing_frequency(risk_ratio(size, state.pot + 2 * size))
    value = hand.habits[others[0]].staying_share(state.street, usual) / 2
    return quantile > 1 - min(BLUFF_TAIL, value * frequency / (1 - frequency))
