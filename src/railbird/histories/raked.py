"""The verification of hands from which the house has taken its share.

The engine knows no rake. A site takes it out of each pot before it pays, by a rule that its texts
do not tell, so what can be verified is that the winners of the pots, and nobody else, got what is
left of them.
"""

from __future__ import annotations

from fractions import Fraction

from railbird.game import is_settled, payoffs, pots
from railbird.histories.amounts import amounts_of, format_amounts
from railbird.histories.ending import Ending, Payoffs
from railbird.histories.record import BadHand, SkipReason
from railbird.units import Chips


def called_chips(spent: tuple[Chips, ...]) -> tuple[Chips, ...]:
    """Return what everyone has put in, without the part of the last bet that nobody called."""
    called = sorted(spent)[-2]
    return tuple([min(chips, called) for chips in spent])


def settle_raked(ending: Ending, logged: Payoffs) -> Payoffs:
    """Return the payoffs of the very hand that ``ending`` was made from, compared with the log.

    Without rake this is `Ending.settle`. With it each winner has the pots that the engine gives,
    less at most the rake, and a chip for each pot that might be rounded otherwise. Where cards
    that are not known decide, the log is believed if what it says is possible. Raises `BadHand`.
    """
    state = ending.state
    rake = -sum(logged, Fraction(0))
    if rake == 0:
        return ending.settle(state.holdings, state.board, amounts_of(logged))
    called = called_chips(state.spent)
    collected = [amount + chips for amount, chips in zip(logged, called, strict=True)]
    if rake < 0 or min(collected) < 0:
        raise _wrong(logged, "which is more than was put in" if rake < 0 else "less than was bet")
    if is_settled(state):
        gross = [amount + chips for amount, chips in zip(payoffs(state), called, strict=True)]
        rounding = len(pots(state))
        if all(
            got == 0 if due == 0 else due - rake - rounding <= got <= due + rounding
            for got, due in zip(collected, gross, strict=True)
        ):
            return logged
        expected = f"the rules pay {format_amounts(payoffs(state))} before rake"
    else:
        expected = "which the unknown cards cannot lead to"
    hidden = any(state.holdings[seat] is None for seat in ending.contenders)
    if hidden and all(
        got == 0 for seat, got in enumerate(collected) if seat not in ending.contenders
    ):
        return logged
    raise _wrong(logged, expected)


def _wrong(logged: Payoffs, why: str) -> BadHand:
    return BadHand(SkipReason.WRONG_PAYOFF, f"the log pays {format_amounts(logged)}, {why}")
