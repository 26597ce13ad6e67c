"""The verification of hands from which the house has taken its share.

The engine knows no rake. A site takes it out of each pot before it pays, by a rule that its texts
do not tell, so what can be verified is that the winners of the pots, and nobody else, got what is
left of them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from railbird.game import is_settled, payoffs, pots
from railbird.histories.amounts import amounts_of, format_amounts
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.verify import Ending, Payoffs

_ROUNDING: Final = Fraction(1, 2_000_000)
"""How far an amount of six decimals may be from what it was."""


def settle_raked(ending: Ending, logged: Payoffs) -> Payoffs:
    """Return the payoffs of the very hand that ``ending`` was made from, compared with the log.

    Without rake this is `Ending.settle`. With it each winner has the pots that the engine gives,
    less at most the rake, and a chip for each pot that might be rounded otherwise. Where cards
    that are not known decide, the log is believed if what it says is possible. Raises `BadHand`.
    """
    state = ending.state
    rake = -total(logged)
    if abs(rake) <= len(logged) * _ROUNDING:
        return ending.settle(state.holdings, state.board, amounts_of(logged))
    if rake < 0:
        raise _wrong(logged, "more than was put in")
    if any(got < -spent for got, spent in zip(logged, state.spent, strict=True)):
        raise _wrong(logged, "more than somebody put in")
    expected = "which the unknown cards cannot lead to"
    if is_settled(state):
        rounding = len(pots(state))
        if all(
            got == due if due == -spent else due - rake - rounding <= got <= due + rounding
            for got, due, spent in zip(logged, payoffs(state), state.spent, strict=True)
        ):
            return logged
        expected = f"the rules pay {format_amounts(payoffs(state))} before rake"
    hidden = any(state.holdings[seat] is None for seat in ending.contenders)
    if hidden and all(
        seat in ending.contenders or got == -spent
        for seat, (got, spent) in enumerate(zip(logged, state.spent, strict=True))
    ):
        return logged
    raise _wrong(logged, expected)


def total(amounts: Payoffs) -> Fraction:
    """Return the sum; whole numbers are added up as such, which is ten times as fast."""
    if all(amount.denominator == 1 for amount in amounts):
        return Fraction(sum([amount.numerator for amount in amounts]))
    return sum(amounts, Fraction(0))


def _wrong(logged: Payoffs, why: str) -> BadHand:
    return BadHand(SkipReason.WRONG_PAYOFF, f"the log pays {format_amounts(logged)}, {why}")
