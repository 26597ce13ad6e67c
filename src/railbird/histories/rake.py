"""Verification of raked hands.

A site deducts its rake from each pot before paying, by a rule that its texts do not state, so what
can be verified is that the winners of the pots, and nobody else, got the rest of them. Where the
rules do state a rake, the engine deducts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from operator import lt, neg
from typing import Final

from railbird.game import HandState, payoff_parts, payoffs, pots
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
    unit = state.rules.denominator
    won = list(logged) if unit == 1 else [amount * unit for amount in logged]
    parts = payoff_parts(state)
    if won == parts:
        return exact(logged)
    rake = -sum(won)
    known = state.rules.rake is not None
    if known or rake == 0 or abs(Fraction(rake)) <= len(won) * unit * _ROUNDING:
        return ending.settle(state.holdings, state.board, amounts_of(exact(logged)))
    if rake < 0:
        raise _wrong(logged, "more than was put in")
    spent = [put * unit for put in state.spent]
    if any(map(lt, won, map(neg, spent))):
        raise _wrong(logged, "more than somebody put in")
    expected = "which the unknown cards cannot lead to"
    if parts is not None:
        # Most hands have one pot; finding more costs as much as all the rest.
        if _is_due(won, parts, spent, rake, unit) or _is_due(
            won, parts, spent, rake, unit * len(pots(state))
        ):
            return exact(logged)
        expected = f"the rules pay {format_amounts(payoffs(state))} before rake"
    hidden = any(state.holdings[seat] is None for seat in ending.contenders)
    if hidden and all(
        seat in ending.contenders or got == -put
        for seat, (got, put) in enumerate(zip(won, spent, strict=True))
    ):
        return exact(logged)
    raise _wrong(logged, expected)


def _is_due(
    won: Amounts, parts: Sequence[int], spent: Sequence[int], rake: Fraction | int, rounding: int
) -> bool:
    """Return whether payoffs are the engine's but for the rake and the rounding of pots."""
    for got, due, put in zip(won, parts, spent, strict=True):
        if due == -put:
            if got != due:
                return False
        elif not due - rake - rounding <= got <= due + rounding:
            return False
    return True


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


def _wrong(logged: Amounts, why: str) -> BadHand:
    return BadHand(SkipReason.WRONG_PAYOFF, f"the log pays {format_amounts(exact(logged))}, {why}")
