"""The cost of a call compared with what it can win.

All amounts are in the same unit; ``pot`` includes the bet to be called.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from math import inf, isfinite

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
    to_call: float,
    pot: float,
    *,
    future_bets: float = 0,
    future_winnings: float = 0,
    own_raise: float = 0,
    callers: float = 1,
) -> float:
    """Return the equity at which a call, or a raise that is called, breaks even given later bets.

    ``future_bets`` are the caller's own later bets, and ``future_winnings`` are what the others
    will add to the pot. The result is Peretz's implied pot odds, own bets over the rest of the
    final pot, as a required probability. ``own_raise`` is a raise on top of the call, which each of
    ``callers`` matches (his IPOr).

    Raises `BadInput` for a negative amount, an infinite sum, or if nothing is at stake.

    >>> implied_odds(10, 50, future_winnings=40)
    0.1
    >>> implied_odds(4, 40, own_raise=4, callers=2)
    0.14285714285714285
    """
    for name, amount in (
        ("to call", to_call),
        ("pot", pot),
        ("future bets", future_bets),
        ("future winnings", future_winnings),
        ("raise", own_raise),
        ("callers", callers),
    ):
        if not 0 <= amount < inf:
            raise BadInput(f"{name} of {amount}; allowed: finite amounts, none negative")
    cost = to_call + own_raise + future_bets
    final_pot = pot + callers * own_raise + cost + future_winnings
    if final_pot == 0:
        raise BadInput("no odds: the pot and the call are both 0")
    if final_pot == inf:
        raise BadInput("amounts whose sum is beyond what a number holds; allowed: smaller ones")
    return cost / final_pot


@checked
def call_value(equity: float, to_call: float, pot: float) -> float:
    """Return a call's gain with no more betting, equity * (pot + to_call) - to_call.

    >>> call_value(0.25, 10, 50)
    5.0
    """
    if not 0 <= equity <= 1:
        raise BadInput(f"equity of {equity}; allowed: 0 to 1")
    return equity * (pot + to_call) - to_call


# Straight play: the odds that decide whether to fold, call, bet or raise (Peretz 2005).
#
# The source writes odds as the ratio of the risk to the possible gain. A ratio of 0.25 is 4 to 1
# and pays from a probability of 0.25 / 1.25 = 0.2; `railbird.odds.implied_odds` returns that
# probability.


class Play(Enum):
    """An action that straight play advises."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"


@checked
def risk_ratio(own_bets: float, final_pot: float) -> float:
    """Return own bets from now on, including the call, over the rest of the final pot (IPO).

    Raises `BadInput` for negative amounts, and if the pot has nothing else.

    The source's examples, of pot odds and implied odds:

    >>> risk_ratio(4, 16 + 4), risk_ratio(8, 20 + 8)
    (0.25, 0.4)
    """
    if not 0 <= own_bets < final_pot or not isfinite(final_pot):
        raise BadInput(
            f"own bets of {own_bets:g} in a final pot of {final_pot:g}; allowed: 0 up to the pot"
        )
    return own_bets / (final_pot - own_bets)


@checked
def required_equity(ratio: float) -> float:
    """Return the probability at which a ratio of risk to gain pays, ratio / (1 + ratio).

    >>> required_equity(0.25), required_equity(float("inf"))
    (0.2, 1.0)
    """
    if not ratio >= 0:
        raise BadInput(f"a ratio of {ratio:g}; allowed: 0 or more")
    return ratio / (1 + ratio) if isfinite(ratio) else 1.0


@checked
def pays(odds: float, ratio: float) -> bool:
    """Return whether hand odds pay for a ratio of risk to gain: the source's function F.

    >>> pays(0.25, 0.1), pays(0.25, 0.5)  # its flush draw, 4 to call into 40: call, do not raise
    (True, False)
    """
    if not 0 <= odds <= 1:
        raise BadInput(f"odds of {odds:g}; allowed: 0 to 1")
    return odds > required_equity(ratio)


@checked
def raise_ratio(callers: float) -> float:
    """Return the ratio of an additional bet to what it wins: one bet from each caller (RO).

    The pot is left out, since it does not depend on the bet. ``callers`` may be an expectation; if
    nobody calls, the bet wins nothing.

    >>> required_equity(raise_ratio(2))
    0.3333333333333333
    """
    if not 0 <= callers < inf:
        raise BadInput(f"{callers:g} callers; allowed: 0 or more")
    return 1 / callers if callers else inf


@checked
def straight_play(
    odds: float,
    *,
    implied: float,
    raising: float,
    facing_bet: bool,
    may_raise: bool = True,
    if_raised: float | None = None,
    is_made: bool = False,
) -> Play:
    """Choose an action by the hand odds and the ratios of risk to gain.

    ``implied`` is the ratio of a call, or of a bet if there is nothing to call. ``raising`` is that
    of the additional bet alone (`raise_ratio`), and ``if_raised``, given if a raise is likely, that
    of a bet that is raised and called. A made hand gives no free card: it bets even if it could not
    call a raise.
    """
    if not pays(odds, implied):
        return Play.FOLD if facing_bet else Play.CHECK
    covered = if_raised is None or pays(odds, if_raised) or (is_made and not facing_bet)
    if may_raise and covered and pays(odds, raising):
        return Play.RAISE if facing_bet else Play.BET
    return Play.CALL if facing_bet else Play.CHECK


@checked
def bluffing_frequency(ratio: float, *, odds_against_value: float = 0.0) -> float:
    """Return the share of bluffs among bets that makes the opponent's hand odds his implied odds.

    ``ratio`` is his risk over his gain when he calls; ``odds_against_value`` are his odds against
    the hands that are bet for value. A bluff always loses. The result is 0 if those odds already
    pay for the call.

    >>> bluffing_frequency(0.5)  # a bet of the pot: he risks 1 to win 2
    0.3333333333333333
    """
    if not 0 <= odds_against_value < 1:
        raise BadInput(f"odds of {odds_against_value:g}; allowed: 0 to less than 1")
    needed = required_equity(ratio)
    return max(0.0, (needed - odds_against_value) / (1 - odds_against_value))


@checked
def draw_value(
    outs: int,
    unseen: int,
    *,
    pot: float,
    calls: Sequence[float],
    paid: Sequence[float],
    bettors: int = 1,
) -> float:
    """Return the gain of calling with a draw that continues only while it pays (effective odds).

    ``calls`` are the calls before each card to come, and ``paid`` the additional winnings if that
    card is an out. ``pot`` includes the first bet; before each further card each of ``bettors``
    adds the call. Later calls that do not pay are folded, so their value is 0; the value of the
    first call is returned even if it is negative. Raises `BadInput` for impossible amounts or outs.

    >>> value = draw_value(9, 47, pot=40, calls=[4, 8], paid=[8, 8])
    >>> f"{value:.2f}"
    '10.25'
    """
    if not 0 <= outs <= unseen - len(calls) or not 1 <= len(calls) == len(paid):
        raise BadInput(
            f"{outs} outs of {unseen} cards, {len(calls)} calls and {len(paid)} payments; "
            "allowed: at least one call, a payment for each, and outs among the cards"
        )
    if not all(0 <= amount < inf for amount in (pot, *calls, *paid)) or bettors < 0:
        raise BadInput("a pot, calls, payments or bettors below 0; allowed: 0 or more")
    hit = outs / unseen
    value = hit * (pot + paid[0]) - (1 - hit) * calls[0]
    if len(calls) > 1:
        later = draw_value(
            outs,
            unseen - 1,
            pot=pot + calls[0] + bettors * calls[1],
            calls=calls[1:],
            paid=paid[1:],
            bettors=bettors,
        )
        value += (1 - hit) * max(later, 0.0)
    return value
