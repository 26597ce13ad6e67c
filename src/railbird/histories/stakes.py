"""Stakes of a table as far as a hand shows them."""

from __future__ import annotations

from railbird.game import Betting, Rules
from railbird.units import Chips


def same_stakes(first: Rules, second: Rules) -> bool:
    """Return whether two tables have the same betting, posts and fixed bets.

    A post that exceeded its stack is the same if its paid part is, and what the others had to call.
    """
    limit = first.betting is Betting.LIMIT
    return (
        first.betting is second.betting
        and max(first.blinds) == max(second.blinds)
        and _paid(first) == _paid(second)
        and (not limit or first.bet_sizes == second.bet_sizes)
    )


def _paid(rules: Rules) -> list[tuple[Chips, Chips]]:
    """Return antes and blinds by seat, as far as the stacks go."""
    antes = rules.antes or (Chips(0),) * rules.seats
    if rules.stacks is None:
        return list(zip(antes, rules.blinds, strict=True))
    dead = [min(ante, stack) for ante, stack in zip(antes, rules.stacks, strict=True)]
    left = [Chips(stack - ante) for stack, ante in zip(rules.stacks, dead, strict=True)]
    return list(zip(dead, map(min, rules.blinds, left), strict=True))
