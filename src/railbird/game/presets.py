"""Rules of the common games from a few numbers.

>>> no_limit_holdem(3, blinds=(50, 100), stack=10_000).first_to_act
(2, 0, 0, 0)
>>> no_limit_holdem(6, blinds=(50, 100), stack=10_000, straddle=200).first_to_act
(3, 0, 0, 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from railbird._arguments import checked
from railbird.errors import BadInput
from railbird.game.rules import (
    SEATS,
    Betting,
    OddChips,
    OpenFold,
    Rules,
    ShortAllIn,
    UncallableRaise,
)
from railbird.units import Chips, Seat

LIMIT_RAISES: Final = (3, 4, 4, 4)
"""Most raises by street in limit: a bet and three raises, where the big blind is the first bet."""


@checked
def limit_holdem(
    seats: int = 2,
    *,
    small_bet: int = 10,
    max_raises: Sequence[int] | None = LIMIT_RAISES,
    stack: int | Sequence[int] | None = None,
    ante: int | Sequence[int] = 0,
) -> Rules:
    """Return limit rules: blinds of half and one small bet; bets double from the turn on.

    By default a street is capped at a bet and three raises (the big blind counts as the first bet).
    ``stack`` and ``ante`` are one amount for every seat, or amounts by seat.

    Raises `BadInput` for rules that cannot be played.
    """
    if small_bet % 2:
        raise BadInput(f"small bet {small_bet}; allowed: an even number, the small blind is half")
    return _holdem(
        seats,
        betting=Betting.LIMIT,
        posts=(small_bet // 2, small_bet),
        bet_sizes=(small_bet, small_bet, 2 * small_bet, 2 * small_bet),
        max_raises=None if max_raises is None else tuple(max_raises),
        stack=stack,
        ante=ante,
    )


@checked
def spread_limit_holdem(
    seats: int = 2,
    *,
    blinds: tuple[int, int],
    bets: tuple[int, int],
    late_bets: tuple[int, int] | None = None,
    max_raises: Sequence[int] | None = LIMIT_RAISES,
    stack: int | Sequence[int] | None = None,
    ante: int | Sequence[int] = 0,
) -> Rules:
    """Return spread-limit rules with the smallest and the largest bet, ``late_bets`` from the turn.

    The other arguments are those of `limit_holdem`. A $1 to $5 game with blinds of $1 and $2,
    counted in dimes:

    >>> rules = spread_limit_holdem(9, blinds=(10, 20), bets=(10, 50))
    >>> rules.bet_sizes, rules.largest_bets
    ((20, 10, 10, 10), (50, 50, 50, 50))

    Before the flop no raise is smaller than the big blind. Raises `BadInput` for rules that cannot
    be played.
    """
    (low, high), (late_low, late_high) = bets, late_bets or bets
    return _holdem(
        seats,
        betting=Betting.SPREAD_LIMIT,
        posts=blinds,
        bet_sizes=(max(low, blinds[1]), low, late_low, late_low),
        largest_bets=(high, high, late_high, late_high),
        max_raises=None if max_raises is None else tuple(max_raises),
        stack=stack,
        ante=ante,
    )


@checked
def no_limit_holdem(
    seats: int = 2,
    *,
    blinds: tuple[int, int],
    stack: int | Sequence[int],
    ante: int | Sequence[int] = 0,
    straddle: int = 0,
) -> Rules:
    """Return no-limit rules with a small and a big blind; a straddle is posted left of the latter.

    ``stack`` and ``ante`` are one amount for every seat, or amounts by seat (a big-blind ante is
    ``(0, 100, 0)``).

    Raises `BadInput` for rules that cannot be played.
    """
    return _big_bet(Betting.NO_LIMIT, seats, blinds, stack, ante, straddle)


@checked
def pot_limit_holdem(
    seats: int = 2,
    *,
    blinds: tuple[int, int],
    stack: int | Sequence[int],
    ante: int | Sequence[int] = 0,
    straddle: int = 0,
) -> Rules:
    """Return pot-limit rules; the arguments are those of `no_limit_holdem`."""
    return _big_bet(Betting.POT_LIMIT, seats, blinds, stack, ante, straddle)


def _big_bet(
    betting: Betting,
    seats: int,
    blinds: tuple[int, int],
    stack: int | Sequence[int],
    ante: int | Sequence[int],
    straddle: int,
) -> Rules:
    if straddle and (seats == 2 or straddle <= blinds[1]):
        raise BadInput(f"straddle {straddle}; allowed: above {blinds[1]}, from three seats on")
    return _holdem(
        seats,
        betting=betting,
        posts=(*blinds, straddle) if straddle else blinds,
        bet_sizes=(max(straddle, blinds[1]), blinds[1], blinds[1], blinds[1]),
        stack=stack,
        ante=ante,
    )


def _holdem(
    seats: int,
    *,
    posts: Sequence[int],
    stack: int | Sequence[int] | None,
    ante: int | Sequence[int],
    **fields: Any,
) -> Rules:
    if seats not in SEATS:
        raise BadInput(f"{seats} seats; allowed: {SEATS.start} to {SEATS.stop - 1}")
    live: Sequence[int] = (*posts, *(0,) * (seats - len(posts)))
    first = len(posts) % seats
    if seats == 2:  # the button posts the small blind and acts first before the flop
        live, first = posts[::-1], 1
    return Rules(
        blinds=_chips(live, seats),
        antes=_chips(ante, seats) if ante else (),
        stacks=None if stack is None else _chips(stack, seats),
        first_to_act=(Seat(first), Seat(0), Seat(0), Seat(0)),
        **fields,
    )


def _chips(amount: int | Sequence[int], seats: int) -> tuple[Chips, ...]:
    """Return amounts by seat, repeating a single amount for every seat."""
    return tuple(map(Chips, (amount,) * seats if isinstance(amount, int) else amount))


@checked
@lru_cache(maxsize=256)
def acpc_rules(rules: Rules) -> Rules:
    """Return the same game as the ACPC's dealer runs it.

    Odd chips are split, short all-ins reopen the betting, nobody may fold if checking is free, and
    a seat may raise to more than the others have.
    """
    return replace(
        rules,
        short_all_in=ShortAllIn.REOPENS,
        uncallable_raise=UncallableRaise.ALLOWED,
        odd_chips=OddChips.FRACTION,
        open_fold=OpenFold.REFUSED,
    )


HEADS_UP_LIMIT = acpc_rules(limit_holdem())
"""10/20 with reversed blinds, as the ACPC's ``holdem.limit.2p.reverse_blinds.game``."""

HEADS_UP_NO_LIMIT = acpc_rules(no_limit_holdem(blinds=(50, 100), stack=20_000))
"""Stacks of 200 big blinds, as the ACPC's ``holdem.nolimit.2p.reverse_blinds.game``."""
