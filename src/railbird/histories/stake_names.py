"""Names of stakes, used to choose hands and to add up money: ``$0.05/$0.10 no-limit``."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from railbird.game import Betting, Rules


def stakes_text(amounts: Iterable[Fraction], ante: Fraction, currency: str) -> str:
    """Name amounts: both bets of limit hold'em, else the blinds; then the ante, if any.

    >>> stakes_text([Fraction(1, 10), Fraction(1, 20)], Fraction(0), "$")
    '$0.05/$0.10'
    >>> stakes_text([Fraction(50), Fraction(100), Fraction(0)], Fraction(10), "")
    '50/100/10'
    """
    sizes = [*sorted({*amounts} - {0}), *({ante} - {0})]
    return "/".join(
        f"{currency}{size if size.denominator == 1 else f'{float(size):.2f}'}" for size in sizes
    )


def stake_of(rules: Rules, denomination: Fraction, currency: str) -> str:
    """Name the stake of a hand; tournament levels are stakes, too, and a straddle is none."""
    limit = rules.betting is Betting.LIMIT
    big_blind = rules.big_blind
    sizes = rules.bet_sizes if limit else tuple(p for p in rules.blinds if p <= big_blind)
    # Not by rules: the stacks are theirs, too, which change from hand to hand.
    return _stake_name(sizes, max(rules.antes, default=0), denomination, currency, rules.betting)


@lru_cache(maxsize=1 << 12)
def _stake_name(
    sizes: tuple[int, ...], ante: int, denomination: Fraction, currency: str, betting: Betting
) -> str:
    amounts = [size * denomination for size in sizes]
    return f"{stakes_text(amounts, ante * denomination, currency)} {betting.value}"
