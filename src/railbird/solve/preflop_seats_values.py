"""What the actions of charts before the flop are worth, in heads-up to six-handed no-limit.

`preflop_seats` finds the charts by sampled deals. Here nothing is sampled: each seat's range goes
down the tree and the values come up, for all 169 classes at once. Two things are approximate. The
others' ranges are independent of each other, given the player's own class. And the odds of a hand
that three players check down follow from those against each of them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._arrays import Floats
from railbird._files import kept_arrays, locked, write_arrays
from railbird.cards import CLASS_OF_HOLDING, CLASSES
from railbird.solve.preflop_seats import Continuation, SeatsCharts, SeatsTree, class_edges
from railbird.solve.preflop_seats_kernels import NOBODY, PAIR
from railbird.solve.pushfold import showdown_matrices

_VERSION: Final = 1
_LEAST: Final = 1e-12
_CLASS_SHARES: Final = np.bincount(CLASS_OF_HOLDING, minlength=CLASSES) / len(CLASS_OF_HOLDING)


@dataclass(frozen=True, eq=False)
class ChartValues:
    """What each class wins by each action if it then plays as well as can be, the others by charts.

    What charts do with hands that hardly ever get somewhere is chance, so it values nothing.
    """

    actions: npt.NDArray[np.float32]
    """(actions, 169) big blinds beside a fold there."""
    visits: Floats
    """(nodes,) how likely the others bring a deal to a decision."""


@cache
def _likely() -> Floats:
    """Return (169, 169) how likely another player has the column's class, given the row's."""
    dealt, _ = showdown_matrices()
    likely: Floats = dealt / dealt.sum(axis=1, keepdims=True)
    return likely


@cache
def _chances() -> Floats:
    """Return the same, times the row's chance of winning a showdown."""
    return _likely() * (class_edges() + 1) / 2


class _Ends(NamedTuple):
    """(depths, 169, 169) shares of a pot of two, times how likely the column's class is."""

    opener: Floats
    """By the class of who acts first, and the other's."""
    closer: Floats
    """By the class of who acts last, and the other's."""


def _ends(continuation: Continuation) -> _Ends:
    shares = continuation.shares.astype(np.float64)
    return _Ends(shares * _likely(), (1 - shares.transpose(0, 2, 1)) * _likely())


@lru_cache(maxsize=8)
def chart_values(charts: SeatsCharts) -> ChartValues:
    """Return the values of all actions of charts, from the cache folder or computed in seconds."""
    record = repr((_VERSION, charts.game)).encode() + charts.table.tobytes()
    name = f"seats-values-{hashlib.sha256(record).hexdigest()[:16]}.npz"
    path = _paths.cache_folder() / "strategies" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.with_suffix(".lock")):
        arrays = kept_arrays(path, "actions", "visits")
        if arrays is None or arrays["actions"].shape != charts.table.shape:
            values = _values(charts)
            write_arrays(path, {"actions": values.actions, "visits": values.visits})
            return values
    return ChartValues(arrays["actions"], arrays["visits"])


def _values(charts: SeatsCharts) -> ChartValues:
    tree = charts.tree
    nodes, seats = tree.paid.shape
    # How likely each seat brings each class to a node, and the same given another's class.
    reach, met = np.ones((nodes, seats, CLASSES)), np.ones((nodes, seats, CLASSES))
    for node in np.flatnonzero(tree.actor >= 0).tolist():
        actor, first = int(tree.actor[node]), int(tree.first[node])
        children = slice(first, int(tree.first[node + 1]))
        reach[children], met[children] = reach[node], met[node]
        reach[children, actor] *= charts.at(node)
        met[children, actor] = reach[children, actor] @ _likely().T
    values = np.zeros((nodes, seats, CLASSES))
    actions = np.zeros((int(tree.slot[-1]), CLASSES), dtype=np.float32)
    visits = np.zeros(nodes)
    ends = _ends(charts.game.continuation)
    for node in range(nodes - 1, -1, -1):  # children stand behind their parent
        actor = int(tree.actor[node])
        if actor < 0:
            values[node] = _end(tree, node, reach[node], met[node], ends)
            continue
        children = slice(int(tree.first[node]), int(tree.first[node + 1]))
        below = values[children]
        values[node] = below.sum(axis=0)
        values[node, actor] = below[:, actor].max(axis=0)
        others = np.delete(met[node], actor, axis=0).prod(axis=0)
        slots = slice(int(tree.slot[node]), int(tree.slot[node + 1]))
        actions[slots] = below[:, actor] / np.maximum(others, _LEAST) + tree.paid[node, actor]
        visits[node] = others @ _CLASS_SHARES
    return ChartValues(actions, visits)


def _end(tree: SeatsTree, node: int, reach: Floats, met: Floats, ends: _Ends) -> Floats:
    """Return (seats, 169) what each wins at an end, times how likely the others come there."""
    seats = range(len(met))
    others = np.stack([np.delete(met, seat, axis=0).prod(axis=0) for seat in seats])
    left = [seat for seat in seats if tree.left[node, seat]]
    pot, paid = float(tree.pots[node]), tree.paid[node]
    won = np.zeros_like(met)
    if tree.actor[node] == NOBODY:
        won[left[0]] = pot
    elif tree.actor[node] == PAIR:
        place, is_reversed, behind = tree.flops[node]
        depth = int(place)
        deeper, weight = min(depth + 1, len(ends.opener) - 1), place - depth
        pair = left[::-1] if is_reversed else left
        for shares, seat, rival in zip(ends, pair, pair[::-1], strict=True):
            matrix = (1 - weight) * shares[depth] + weight * shares[deeper]
            mean = matrix @ reach[rival] / np.maximum(met[rival], _LEAST)
            won[seat] = np.clip(pot * mean, -behind, pot + behind)
    else:
        for seat in left:
            rivals = [rival for rival in left if rival != seat]
            won[seat] = pot * share_of_many(reach[rivals])
    counterfactual: Floats = others * (won - paid[:, np.newaxis])
    return counterfactual


def share_of_many(reach: Floats) -> Floats:
    """Return (169,) what each class wins of a pot that it checks down with (rivals, 169) ranges.

    Odds against several are the sum of the odds against each (Plackett 1975, for races): aces win
    85 % against one and 74 % against two.
    """
    met = np.maximum(reach @ _likely().T, _LEAST)
    chances = np.maximum(reach @ _chances().T / met, _LEAST)
    shares: Floats = 1 / (1 + (1 / chances - 1).sum(axis=0))
    return shares
