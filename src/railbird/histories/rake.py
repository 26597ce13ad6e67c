"""Verification of raked hands.

The engine knows no rake. A site deducts it from each pot before paying, by a rule that its texts do
not state, so what can be verified is that the winners of the pots, and nobody else, got the rest of
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from operator import lt, neg
from typing import Final

from railbird.game import HandState, is_settled, payoff_parts, payoffs, pots
from railbird.histories.amounts import amounts_of, format_amounts
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.verify import Ending, Payoffs
from railbird.units import Chips

Amounts = Sequence[Fraction | int]
"""Chips by seat, won if positive."""

_KEPT: Final = 1 << 14
_ROUNDING: Final = Fraction(1, 2_000_000)
"""Largest rounding error of an amount of six decimals."""


def settle_raked(ending: Ending, logged: Amounts) -> Payoffs:
    """Return the payoffs of the hand that ``ending`` was made from, compared with the log.

    Without rake this is `Ending.settle`. With it each winner gets the pots that the engine awards,
    less at most the rake, within a chip for each pot that may be rounded otherwise. Where unknown
    cards decide, the log is trusted if its payoffs are possible. Raises `BadHand`.
    """
    state = ending.state
    amounts = exact(logged)
    parts = payoff_parts(state)
    unit = state.rules.denominator
    if parts is not None and [amount * unit for amount in logged] == parts:
        return amounts
    rake = -total(amounts)
    if abs(rake) <= len(logged) * _ROUNDING:
        return ending.settle(state.holdings, state.board, amounts_of(amounts))
    if rake < 0:
        raise _wrong(amounts, "more than was put in")
    if any(map(lt, logged, map(neg, state.spent))):
        raise _wrong(amounts, "more than somebody put in")
    expected = "which the unknown cards cannot lead to"
    if is_settled(state):
        if _is_due(state, amounts, rake):
            return amounts
        expected = f"the rules pay {format_amounts(payoffs(state))} before rake"
    hidden = any(state.holdings[seat] is None for seat in ending.contenders)
    if hidden and all(
        seat in ending.contenders or got == -spent
        for seat, (got, spent) in enumerate(zip(logged, state.spent, strict=True))
    ):
        return amounts
    raise _wrong(amounts, expected)


def _is_due(state: HandState, logged: Payoffs, rake: Fraction) -> bool:
    """Return whether payoffs are the engine's but for the rake and the rounding of pots."""
    rounding = len(pots(state))
    return all(
        got == due if due == -spent else due - rake - rounding <= got <= due + rounding
        for got, due, spent in zip(logged, payoffs(state), state.spent, strict=True)
    )


def uncalled(state: HandState) -> tuple[Chips, ...]:
    """Return by seat the uncalled part of the highest bet, or of an ante that put others all-in.

    It is returned unless the seat has folded: a late entrant may do so after a big blind that was
    too short.
    """
    rules = state.rules
    antes = rules.antes or (Chips(0),) * rules.seats
    stacks = rules.stacks or state.spent
    most = max(antes)
    claims = [
        spent if stack < ante else most + spent - ante
        for spent, ante, stack in zip(state.spent, antes, stacks, strict=True)
    ]
    called, highest = sorted(claims)[-2:]
    if called == highest:
        return (Chips(0),) * rules.seats
    seat = claims.index(highest)
    back = Chips(highest - called) if seat in state.in_hand else Chips(0)
    return (*[Chips(0)] * seat, back, *[Chips(0)] * (rules.seats - seat - 1))


def exact(amounts: Amounts) -> Payoffs:
    """Return amounts as fractions; those of whole chips are made once."""
    return tuple([_whole(amount) if isinstance(amount, int) else amount for amount in amounts])


@lru_cache(_KEPT)
def _whole(amount: int) -> Fraction:
    return Fraction(amount)


def total(amounts: Payoffs) -> Fraction:
    """Return the sum; whole numbers are added up as such, which is ten times as fast."""
    if all(amount.denominator == 1 for amount in amounts):
        return _whole(sum([amount.numerator for amount in amounts]))
    return sum(amounts, Fraction(0))


def _wrong(logged: Payoffs, why: str) -> BadHand:
    return BadHand(SkipReason.WRONG_PAYOFF, f"the log pays {format_amounts(logged)}, {why}")
