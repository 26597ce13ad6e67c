"""Responses judged on a sample of flops: a lower and an upper bound, each with its uncertainty.

Flops are drawn for two halves, each spread evenly over all flops in the order of suits, pairs and
high cards. A responder whose play before the flop is chosen on one half, and paid on the other,
wins no more than the best one: the mean of both ways estimates a lower bound without bias. Chosen
and paid on the same flops it is an upper bound in the mean, as the best of noisy values is. After
the flop both are exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.cards import Card, rank_of, suit_of
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.solve.real_game.before_flop import Shares, Values
from railbird.solve.real_game.public_tree import Flops, PublicTree

_FEWEST = 4
_MOST_DRAWN = 1 << 14


class Draws(NamedTuple):
    """Flops drawn by turns for two halves."""

    flops: npt.NDArray[np.int64]
    """(draws,) positions among the classes; the same one may come again."""
    places: npt.NDArray[np.float64]
    """(draws,) from 0 to 1 in the order of strata."""


class Bounds(NamedTuple):
    """What the responders of both seats win on average, in small bets."""

    lower: Estimate
    upper: Estimate
    by_seat: tuple[float, float]
    """Of the upper bound."""


def draw_flops(flops: Flops, seed: int) -> Draws:
    """Draw many flops, of which any number of the first ones is a sample.

    Each half is a scrambled Sobol sequence: every draw is uniform among all flops of the deck, and
    the first 2^m ones of a half fall one into each of 2^m equal parts.
    """
    from scipy.stats import qmc

    order = sorted(range(len(flops.boards)), key=lambda k: _stratum(flops.boards[k].tolist()))
    ends = np.cumsum(flops.orbit[order])
    seeds = np.random.default_rng(seed).spawn(2)
    half = _MOST_DRAWN // 2
    halves = [qmc.Sobol(1, scramble=True, seed=each).random(half)[:, 0] for each in seeds]
    places = np.stack(halves, axis=1).ravel()
    position = np.searchsorted(ends, np.floor(places * ends[-1]), side="right")
    return Draws(np.array(order)[position], places)


def _stratum(board: Sequence[int]) -> tuple[int, ...]:
    ranks = sorted((rank_of(Card(card)) for card in board), reverse=True)
    return len({suit_of(Card(card)) for card in board}), len(set(ranks)), *ranks


def order_of(flops: Flops, draws: Draws, seed: int) -> list[int]:
    """Return all classes of flops, the drawn ones first."""
    rest = np.random.default_rng(seed).permutation(len(flops.boards))
    return list(dict.fromkeys([*draws.flops.tolist(), *rest.tolist()]))


def exact_value(
    trees: Sequence[PublicTree], flops: Flops, results: Mapping[int, Values]
) -> tuple[float, ...]:
    """Return what the responder of each tree wins, in small bets, from the results of all flops.

    ``results`` are (trees, hands, sequences) of `PublicTree.after_flop`, by class of flops.
    """
    total = sum(orbit * results[flop] for flop, orbit in enumerate(flops.orbit.tolist()))
    found = []
    for tree, values in zip(trees, total / flops.orbit.sum(), strict=True):
        after = values * tree.share_of_flops
        before = tree.before_flop
        found.append(before.value(after, before.response(after)))
    return tuple(found)


def bounds(trees: Sequence[PublicTree], draws: Draws, results: Mapping[int, Values]) -> Bounds:
    """Return the bounds by these draws, of which there is an even number.

    ``trees`` are those of the responders in both seats. Standard errors are from the differences of
    flops of the two halves that are neighbours in the order of strata, as if these were drawn
    independently. Raises `BadInput` for fewer than four draws.
    """
    count = len(draws.flops) // 2 * 2
    if count < _FEWEST:
        raise BadInput(f"{count} flops; allowed: {_FEWEST} or more")
    shares = [tree.share_of_flops for tree in trees]
    # Both halves in the order of strata, so that draws of the same number are a pair.
    halves = [half + 2 * np.argsort(draws.places[half:count:2], kind="stable") for half in (0, 1)]
    after = [np.array([results[flop] for flop in draws.flops[half].tolist()]) for half in halves]

    def won(chosen_on: Sequence[int], half: int) -> npt.NDArray[np.float64]:
        """Return (pairs, seats) what is won on each flop of a half."""
        found = []
        for seat, tree in enumerate(trees):
            before = tree.before_flop
            sample = np.concatenate([after[each][:, seat] for each in chosen_on])
            play: Shares = before.response(sample.mean(axis=0) * shares[seat])
            found.append([before.value(each * shares[seat], play) for each in after[half][:, seat]])
        return np.array(found).T

    crossed = [won([1], 0), won([0], 1)]
    same = [won([0, 1], 0), won([0, 1], 1)]
    means = np.concatenate(same).mean(axis=0)
    return Bounds(_estimate(crossed), _estimate(same), (float(means[0]), float(means[1])))


def _estimate(halves: Sequence[npt.NDArray[np.float64]]) -> Estimate:
    one, other = (half.mean(axis=1) for half in halves)
    pairs = len(one)
    error = np.sqrt(np.sum((one - other) ** 2)) / (2 * pairs)
    return Estimate(float((one + other).mean() / 2), float(error), pairs)
