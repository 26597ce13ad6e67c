"""Slow forms of the tournament's calculations: all orders and knock-outs, and linear programs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

from railbird.odds import classes_matrix

_Array = npt.NDArray[np.float64]


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


@cache
def _met() -> _Array:
    """(3, 169, 169) probabilities of two classes and the row's win, tie and loss."""
    counts = classes_matrix()
    met: _Array = np.array([counts.wins, counts.ties, counts.wins.T]) / counts.boards.sum()
    return met


def by_linear_programs(
    stacks: tuple[float, float],
    first_prize: float,
    heads: tuple[float, float],
    hands: int,
    *,
    paid: float = 0.5,
) -> float:
    """Return what the small blind's stack is worth, with blinds of 0.5 and 1 and one prize.

    The small blind chooses how often to push each class, so that the least that the big blind can
    leave him is greatest: von Neumann's program. Of the prize and the bounties that are left he
    has his share of the chips once no more hands are looked at.
    """
    one, other = stacks
    if one <= 0 or other <= 0:
        return (first_prize + heads[0] + heads[1]) * (one > 0)
    if not hands:
        return (first_prize + heads[0] + heads[1]) * one / (one + other)
    assert min(stacks) >= 1

    def later(one: float, other: float) -> float:
        """What is worth the first one's stack when the button has moved."""
        whole = first_prize + heads[0] + heads[1]
        if one <= 0 or other <= 0:
            return whole * (one > 0)
        return whole - by_linear_programs(
            (other, one), first_prize, (heads[1], heads[0]), hands - 1, paid=paid
        )

    staked = min(stacks)
    fold, steal = later(one - 0.5, other + 0.5), later(one + 1, other - 1)
    ends = (
        later(one + staked, other - staked),
        later(one, other),
        later(one - staked, other + staked),
    )
    met = _met()
    called = np.einsum("oij,o->ij", met, ends)
    stolen = met.sum(axis=0) * steal
    own = met.sum(axis=(0, 2))
    # 169 pushes, then for each of the big blind's classes what he leaves; fold is a constant.
    leave = np.eye(169)
    found = linprog(
        -np.concatenate([-own * fold, np.ones(169)]),
        A_ub=np.block([[-stolen.T, leave], [-called.T, leave]]),
        b_ub=np.zeros(2 * 169),
        bounds=[(0, 1)] * 169 + [(None, None)] * 169,
    )
    assert found.success
    assert found.fun is not None
    return fold - found.fun
