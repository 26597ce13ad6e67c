"""Rules of a hand in a tournament or a ring game, where stacks carry over from hand to hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from railbird.game import LIMIT_RAISES, Betting, Rules, no_limit_holdem, spread_limit_holdem
from railbird.units import Chips


def table_rules(
    betting: Betting,
    *,
    blinds: tuple[int, int],
    ante: int,
    stacks: Sequence[int],
    bets: tuple[int, int] | None = None,
) -> Rules:
    """Return the rules of one hand, given stacks by seat; in limit the small bet is the big blind.

    ``bets`` are the smallest and the largest bet in spread limit. Odd chips go to the first seat
    left of the button, and a short all-in does not reopen the betting.
    """
    seats = len(stacks)
    if betting is Betting.SPREAD_LIMIT and bets is not None:
        return spread_limit_holdem(seats, blinds=blinds, bets=bets, stack=stacks, ante=ante)
    rules = no_limit_holdem(seats, blinds=blinds, stack=stacks, ante=ante)
    if betting is not Betting.LIMIT:
        return rules if betting is Betting.NO_LIMIT else replace(rules, betting=betting)
    small, big = Chips(blinds[1]), Chips(2 * blinds[1])
    return replace(
        rules,
        betting=betting,
        bet_sizes=(small, small, big, big),
        max_raises=LIMIT_RAISES,
    )
