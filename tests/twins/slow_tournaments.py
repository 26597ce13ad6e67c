"""Slow forms of the tournament's calculations: every order of finish and every knock-out."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction


def bounty_equities(
    stacks: Sequence[int], heads: Sequence[int], paid: Fraction, *, flat: bool = False
) -> list[Fraction]:
    """Play every order of finish with every choice of who knocks out whom, and pay as it goes."""
    players = len(stacks)
    mean = [Fraction(0)] * players
    for order in itertools.permutations(range(players)):
        chance, rest = Fraction(1), sum(stacks)
        for player in order:
            chance *= Fraction(stacks[player], rest)
            rest -= stacks[player]
        above = [order[:place] for place in range(players - 1, 0, -1)]
        for knockers in itertools.product(*above):
            here, bounty, cash = chance, [Fraction(head) for head in heads], [Fraction(0)] * players
            for those, knocker in zip(above, knockers, strict=True):
                out = order[len(those)]
                weights = [1 if flat else stacks[player] for player in those]
                here *= Fraction(weights[those.index(knocker)], sum(weights))
                cash[knocker] += paid * bounty[out]
                bounty[knocker] += (1 - paid) * bounty[out]
            cash[order[0]] += bounty[order[0]]
            mean = [so_far + here * won for so_far, won in zip(mean, cash, strict=True)]
    return mean
