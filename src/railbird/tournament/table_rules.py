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
    ante: int | Sequence[int],
    stacks: Sequence[int],
    bets: tuple[int, int] | None = None,
    big_blind_ante: int = 0,
) -> Rules:
    """Return the rules of one hand, given stacks by seat; in limit the small bet is the big blind.

    ``ante`` is everybody's, or by seat; with ``big_blind_ante`` the big blind posts one for all
    instead. Its blind comes first (Tournament Directors Association, 2024), so with too few chips
    it posts less ante or none. ``bets`` are the smallest and the largest bet in spread limit. Odd
    chips go to the first seat left of the button, and a short all-in does not reopen the betting.
    """
    seats = len(stacks)
    if big_blind_ante:
        big_blind = 0 if seats == 2 else 1  # heads-up the button posts the small blind
        left = max(stacks[big_blind] - blinds[1], 0)
        posted = [0] * seats
        posted[big_blind] = min(big_blind_ante, left)
        ante = posted if left else 0
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


def ante_noun(antes: Sequence[int]) -> str:
    """Return the name of a hand's antes by seat.

    >>> ante_noun([5, 5, 5]), ante_noun([0, 200, 0])
    ('ante', 'big blind ante')
    """
    return "ante" if all(antes) else "big blind ante"
